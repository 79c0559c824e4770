/** Strings of the card that opens the window of an approval, and of that window. */
export const windowText = {
  'window.title': 'Approve in a window',
  'window.hint':
    'This browser can’t tell whether the page hides parts of the wallet. Nothing can cover a separate window.',
  'window.review': 'Review the request',
  'window.show': 'Show the window',
  'window.open':
    'Continue in the window that just opened. If you close it, the request is rejected.',
  'window.blocked': 'The browser blocked the window. Allow pop-ups for this page, then try again.',
  'window.loading': 'Loading the request…',
  'window.lost': 'This window has lost the connection to its page',
  'window.lostHint': 'Close it and start again on the page that opened it.',
} as const
