/** Strings of the views that show the secure frame: its accessible name, and the titles of its cards. */
export const frameText = {
  'frame.title': 'Secure wallet',
  'frame.message': 'Sign Message',
  'frame.signIn': 'Sign In',
  'frame.typedData': 'Sign Data',
  'frame.approveHint': 'Review the request in the secure frame.',
  'frame.alone': 'Sign Without Server',
  'frame.confirm': 'Confirm Login',
  'frame.offer': 'Add Passkey',
  'frame.protect': 'Protect Wallet',
  'frame.restore': 'Restore Wallet',
  'frame.hint': 'Continue in the secure frame.',
} as const
