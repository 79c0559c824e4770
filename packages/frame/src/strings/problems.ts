/**
 * Strings of errors, by the code of the error or of the server’s refusal.
 * Errors of the page’s requests are not among them: the frame does not show
 * those.
 */
export const problemText = {
  'problem.unknown': 'Something went wrong. Try again.',
  'problem.frame.offline':
    'The wallet server did not respond. Check your connection and try again.',
  'problem.frame.blocked': 'The browser blocked the window. Allow pop-ups for this page.',
  'problem.frame.passkey': 'No passkey was used. Try again, or use another method.',
  'problem.frame.passkey_prf':
    'Passkeys of this device or browser can’t protect a wallet. Use another device or browser, or another method.',
  'problem.frame.passkey_retry':
    'Passkeys of this device or browser can’t protect a wallet. Try again to use one only to log in.',
  'problem.frame.passkey_other': 'This passkey belongs to another wallet.',
  'problem.frame.password_none': 'The wallet has no password.',
  'problem.frame.password_wrong': 'Wrong password.',
  'problem.frame.export_email':
    'Add an email address to your wallet first. Your passkey can’t confirm this.',
  'problem.frame.code_other': 'This code belongs to another wallet.',
  'problem.frame.owner':
    'The server showed the address of another smart account for this wallet. Do not use that address, and contact the site.',
  'problem.frame.methods_changed':
    'The ways to restore this wallet were changed on another device. Close this and try again.',
  'problem.frame.methods_not_stored': 'The recovery methods were not stored. Try again.',
  'problem.frame.methods_forged':
    'The server returned recovery methods that your wallet has not signed. Nothing was changed. Contact the site.',
  'problem.frame.other_tab': 'Another tab is changing the wallet.',
  'problem.frame.no_wallet': 'This device has no wallet. Log in again.',
  'problem.frame.wallet_changed': 'The wallet was changed on another device. Log in again.',
  'problem.frame.window_needed':
    'This browser doesn’t have your wallet yet, and a login without a window can’t restore it. Log out, then log in with a window: allow pop-ups for this site, or open it in your usual browser.',
  'problem.frame.has_wallet': 'This device already has the wallet.',
  'problem.password_short': 'Use at least {n} characters. A few random words are best.',
  'problem.password_simple': 'Use a greater variety of characters. A few random words are best.',
  'problem.password_email': 'Don’t use your email address in it.',
  'problem.code_wrong': 'Wrong code. Try again.',
  'problem.code_expired': 'This code has expired. Request another one.',
  'problem.too_soon': 'Wait before you request another code. Try again in {time}.',
  'problem.too_many_codes': 'Too many codes were requested. Try again in {time}.',
  'problem.too_many_recoveries': 'Too many recoveries in a day. Try again in {time}.',
  'problem.mail_unavailable': 'This site can’t send email at the moment. Try again later.',
  'problem.email_taken': 'Another account has this address.',
  'problem.email_moved': 'This address was replaced by another one. Log in with that one.',
  'problem.no_handover': 'This link has already been used, or has expired. Start again.',
  'problem.passkey_wrong': 'We don’t recognize this passkey. Use another one, or create a wallet.',
  'problem.login_too_old': 'Log in again to restore the wallet on this device.',
  'problem.last_set':
    'No other device can restore your wallet at the moment. Open the wallet on another device first.',
  'problem.recovery_changed':
    'The recovery methods were changed on another device. Close this and try again.',
} as const
