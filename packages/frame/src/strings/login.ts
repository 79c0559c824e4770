/** Strings of the fields and buttons of a login by mailed code. */
export const loginText = {
  'login.email': 'Email address',
  'login.code': 'Code from the email to {email}',
  'login.names': 'The email must name {origin}. If it names another page, don’t enter its code.',
  'login.send': 'Send a code',
  'login.openLink': 'Open the link in the email…',
} as const
