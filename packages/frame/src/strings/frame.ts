/** Strings that several cards and pages have. */
export const frameText = {
  'frame.wallet': 'Secure wallet',
  'frame.secure': 'Secure frame',
  'frame.askedBy': 'requested by {site}',
  'frame.position': '1 of {n}',
  'frame.cancel': 'Cancel',
  'frame.close': 'Close',
  'frame.reject': 'Reject',
  'frame.notNow': 'Not now',
  'frame.saving': 'Saving…',
  'frame.checking': 'Checking…',
} as const
