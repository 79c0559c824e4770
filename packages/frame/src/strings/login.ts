/** Strings of the fields and buttons of a login by mailed code. */
export const loginText = {
  'login.email': 'E-mail address',
  'login.code': 'Code from the mail to {email}',
  'login.send': 'Send a code',
  'login.openLink': 'Open the link in the mail…',
} as const
