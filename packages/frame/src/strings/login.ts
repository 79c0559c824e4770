/** Strings of the fields and buttons of a login by mailed code. */
export const loginText = {
  'login.email': 'E-mail address',
  'login.code': 'Code from the mail to {email}',
  'login.names': 'The mail must name {origin}. If it names another page, don’t enter its code.',
  'login.send': 'Send a code',
  'login.openLink': 'Open the link in the mail…',
} as const
