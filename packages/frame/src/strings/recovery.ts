/** Strings of the cards that restore, protect and open the wallet. */
export const recoveryText = {
  'recovery.passkey': 'Use my passkey',
  'recovery.password': 'Recovery password',
  'recovery.createPasskey': 'Create a passkey',
  'recovery.restore': 'Restore',
  'recovery.restoring': 'Restoring…',
  'restore.label': 'Restore your wallet',
  'restore.title': 'Restore your wallet on this device',
  'restore.hint': 'You’re logged in, but this browser doesn’t have your wallet yet.',
  'restore.open': 'Continue in the window that just opened. It shows the same number:',
  'restore.window': 'Use my passkey in a window',
  'restore.none': 'This wallet has no recovery method. Use the device on which you created it.',
  'confirm.title': 'Confirm it’s you',
  'confirm.hint':
    'This browser doesn’t have your wallet yet. To restore it, enter a code from an email to {email}.',
  'confirm.noEmail':
    'This browser doesn’t have your wallet yet, and you logged in a while ago. Log out of this site and log in again to restore it.',
  'confirm.continue': 'Continue',
  'protect.label': 'Protect your wallet',
  'protect.title': 'Protect your wallet first',
  'protect.hint':
    'You need a recovery method to restore the wallet on another device. Nobody can restore it for you: without one, the wallet is lost when this browser’s data is cleared.',
  'protect.set': 'Set the password',
  'protect.none':
    'This page doesn’t let the wallet use passkeys, and the site offers no other recovery. Open the site in another browser, or tell its owner.',
  'offer.label': 'Add a passkey',
  'offer.title': 'Add a passkey to your wallet?',
  'offer.hint':
    'Then you can restore it on another device even if the server’s automatic recovery fails.',
  'offer.automatic':
    'Automatic recovery is on: the operator of this server can restore your wallet, too. With a passkey, you can turn that off in the wallet’s settings.',
  'alone.label': 'Sign without the server',
  'alone.title': 'The wallet server isn’t responding',
  'alone.hint': 'You can still sign: this browser and your recovery method are enough.',
  'alone.noPasskeys':
    'Your passkey could sign without it, but this page doesn’t let the wallet use passkeys. Try again later.',
  'alone.sign': 'Sign',
  'alone.signing': 'Signing…',
  'passkey.title': 'Continue with a passkey',
  'passkey.opening': 'Opening…',
  'passkey.create': 'Create a wallet with a passkey',
  'passkey.creating': 'Creating…',
  'passkey.hint':
    'The passkey is the only key to a new wallet until you add a password, a second passkey or a backup in the wallet’s settings.',
  'passkey.loginOnly': 'You’re logged in',
  'passkey.automatic':
    'Your passkey can only log you in. Automatic recovery restores the wallet on other devices: a login is enough.',
  'passkey.password':
    'Your passkey can only log you in. Set a password in the next step, so that you can restore the wallet on other devices.',
  'passkey.notAllowed': 'This page doesn’t let the wallet use passkeys.',
} as const
