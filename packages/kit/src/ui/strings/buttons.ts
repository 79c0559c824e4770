/** Strings for the buttons in the host page. */
export const buttonText = {
  'button.connect': 'Connect Wallet',
  'button.connecting': 'Connecting…',
  'button.account': 'Account {address}',
  'button.network': 'Network: {network}',
  'button.selectNetwork': 'Select Network',
  'button.switchNetwork': 'Switch Network',
  'button.chain': 'Chain {id}',
  'button.failed': 'Couldn’t load. Try again',
} as const
