/**
 * Titles of the other views, loaded with their table.
 *
 * @see spec §2.4; docs/views.md#titles
 */
export const moreTitles = {
  'title.Account': 'Account',
  'title.BuyInProgress': 'Buy',
  'title.ChooseAccountName': 'Choose name',
  'title.Currency': 'Currency',
  'title.Networks': 'Choose Network',
  'title.Nft': 'NFT',
  'title.OnRampFiatSelect': 'Select Currency',
  'title.OnRampProviders': 'Buy',
  'title.OnRampTokenSelect': 'Select Token',
  'title.ProfileWallets': 'Wallets',
  'title.RegisterAccountName': 'Choose name',
  'title.RegisterAccountNameSuccess': 'Name registered',
  'title.Swap': 'Swap',
  'title.SwapPreview': 'Preview swap',
  'title.SwapSelectToken': 'Select token',
  'title.SwitchActiveChain': 'Switch chain',
  'title.Token': 'Token',
  'title.Transaction': 'Transaction',
  'title.Transactions': 'Activity',
  'title.UnsupportedChain': 'Switch Network',
  'title.WalletCompatibleNetworks': 'Compatible Networks',
  'title.WalletReceive': 'Receive',
  'title.WalletSend': 'Send',
  'title.WalletSendPreview': 'Review send',
  'title.WalletSendSelectToken': 'Select Token',
  'title.WhatIsABuy': 'How buying works',
  'title.WhatIsANetwork': 'What is a network?',
} as const
