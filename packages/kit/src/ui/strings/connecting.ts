export const connectingText = {
  'connecting.open': 'Open {wallet} to continue',
  'connecting.openHint': 'Approve the connection in the window it shows.',
  'connecting.declined': 'You declined in {wallet}',
  'connecting.declinedHint': 'Nothing was shared. You can ask again.',
  'connecting.silent': '{wallet} has not answered',
  'connecting.silentHint':
    'An older request may still be open in the wallet. Close it there, then try again.',
  'connecting.failed': '{wallet} could not connect',
  'connecting.failedHint': 'Open the wallet and see that it is unlocked, then try again.',
  'connecting.done': 'Connected with {wallet}',
  'connecting.linked': '{wallet} is connected already',
  'connecting.linkedHint': 'To use another account, choose it in the wallet.',
  'connecting.gone': 'This wallet is no longer here',
  'connecting.goneHint': 'Its extension was removed or switched off in this browser.',
  'connecting.tryAgain': 'Try again',
  'connecting.another': 'Use another wallet',
} as const
