/**
 * Strings for the shell: the titles of views, the header's buttons and load failures.
 *
 * @see spec §2.4; docs/views.md#titles
 */
export const shellText = {
  'title.Account': 'Account',
  'title.AllWallets': 'All Wallets',
  'title.Connect': 'Connect Wallet',
  'title.ConnectWallets': 'Connect wallet',
  'title.ConnectingWalletConnect': 'WalletConnect',
  'title.ConnectingWalletConnectBasic': 'WalletConnect',
  'title.Downloads': 'Get {name}',
  'title.GetWallet': 'Get a wallet',
  'title.Networks': 'Choose Network',
  'title.ProfileWallets': 'Wallets',
  'title.Swap': 'Swap',
  'title.SwapPreview': 'Preview swap',
  'title.SwapSelectToken': 'Select token',
  'title.SwitchActiveChain': 'Switch chain',
  'title.Token': 'Token',
  'title.UnsupportedChain': 'Switch Network',
  'title.WalletCompatibleNetworks': 'Compatible Networks',
  'title.WalletSend': 'Send',
  'title.WalletSendPreview': 'Review send',
  'title.WalletSendSelectToken': 'Select Token',
  'title.WalletReceive': 'Receive',
  'title.WhatIsANetwork': 'What is a network?',
  'title.WhatIsAWallet': 'What is a wallet?',
  'shell.back': 'Back',
  'shell.close': 'Close',
  'shell.dismiss': 'Dismiss',
  'shell.loading': 'Loading…',
  'shell.loadFailed': 'Part of this page failed to load',
  'shell.loadFailedHint': 'Check your internet connection, then try again.',
  'shell.tryAgain': 'Try again',
  'shell.reloadHint': 'Reload the page to continue. Your wallet stays connected.',
  'shell.reload': 'Reload the page',
} as const
