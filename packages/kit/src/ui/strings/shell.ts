/**
 * Strings for the shell: the titles of the views with which a wallet is connected, the header's buttons and load failures.
 *
 * @see spec §2.4; docs/views.md#titles
 */
export const shellText = {
  'title.AllWallets': 'All Wallets',
  'title.BuyInProgress': 'Buy',
  'title.Connect': 'Connect Wallet',
  'title.ConnectWallets': 'Connect wallet',
  'title.ConnectingWalletConnect': 'WalletConnect',
  'title.ConnectingWalletConnectBasic': 'WalletConnect',
  'title.Downloads': 'Get {name}',
  'title.GetWallet': 'Get a wallet',
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
