import type { Views } from './views.ts'

export { moreTitles } from './strings/moreTitles.ts'

/**
 * The lazy chunk of each view that is not needed to connect a wallet. A table of its own, because the names of these
 * views and their chunks would otherwise be loaded with the connect view.
 */
export const moreViews: Views = {
  Account: async () => {
    const { Account, AccountHeading, AccountLeading } = await import('./views/account/Account.tsx')
    return {
      View: Account,
      Heading: AccountHeading,
      Leading: AccountLeading,
      next: ['Networks', 'ProfileWallets'],
    }
  },
  BuyInProgress: async () => ({
    View: (await import('./views/buy/BuyInProgress.tsx')).BuyInProgress,
  }),
  ChooseAccountName: async () => ({
    View: (await import('./views/names/ChooseAccountName.tsx')).ChooseAccountName,
    next: ['RegisterAccountName'],
  }),
  Currency: async () => ({ View: (await import('./views/account/Currency.tsx')).Currency }),
  Networks: async () => ({
    View: (await import('./views/networks/Networks.tsx')).Networks,
    next: ['SwitchNetwork'],
  }),
  Nft: async () => ({ View: (await import('./views/nfts/Nft.tsx')).Nft }),
  OnRampFiatSelect: async () => ({
    View: (await import('./views/buy/OnRampFiatSelect.tsx')).OnRampFiatSelect,
  }),
  OnRampProviders: async () => ({
    View: (await import('./views/buy/OnRampProviders.tsx')).OnRampProviders,
    next: ['OnRampTokenSelect', 'OnRampFiatSelect', 'BuyInProgress'],
  }),
  OnRampTokenSelect: async () => ({
    View: (await import('./views/buy/OnRampTokenSelect.tsx')).OnRampTokenSelect,
  }),
  ProfileWallets: async () => ({
    View: (await import('./views/account/ProfileWallets.tsx')).ProfileWallets,
  }),
  RegisterAccountName: async () => ({
    View: (await import('./views/names/RegisterAccountName.tsx')).RegisterAccountName,
    next: ['RegisterAccountNameSuccess'],
  }),
  RegisterAccountNameSuccess: async () => {
    const { RegisterAccountNameSuccess: View, NoHeading: Heading } =
      await import('./views/names/RegisterAccountNameSuccess.tsx')
    return { View, Heading }
  },
  Swap: async () => ({
    View: (await import('./views/swap/Swap.tsx')).Swap,
    next: ['SwapSelectToken', 'SwapPreview'],
  }),
  SwapPreview: async () => ({ View: (await import('./views/swap/SwapPreview.tsx')).SwapPreview }),
  SwapSelectToken: async () => ({
    View: (await import('./views/swap/SwapSelectToken.tsx')).SwapSelectToken,
  }),
  SwitchActiveChain: async () => ({
    View: (await import('./views/networks/SwitchActiveChain.tsx')).SwitchActiveChain,
  }),
  SwitchNetwork: async () => ({
    View: (await import('./views/networks/SwitchNetwork.tsx')).SwitchNetwork,
  }),
  Token: async () => ({ View: (await import('./views/account/Token.tsx')).Token }),
  Transaction: async () => ({
    View: (await import('./views/activity/Transaction.tsx')).Transaction,
  }),
  Transactions: async () => ({
    View: (await import('./views/activity/Transactions.tsx')).Transactions,
    next: ['Transaction'],
  }),
  UnsupportedChain: async () => ({
    View: (await import('./views/networks/UnsupportedChain.tsx')).UnsupportedChain,
  }),
  WalletCompatibleNetworks: async () => ({
    View: (await import('./views/receive/WalletCompatibleNetworks.tsx')).WalletCompatibleNetworks,
  }),
  WalletReceive: async () => ({
    View: (await import('./views/receive/WalletReceive.tsx')).WalletReceive,
    next: ['WalletCompatibleNetworks'],
  }),
  WalletSend: async () => ({
    View: (await import('./views/send/WalletSend.tsx')).WalletSend,
    next: ['WalletSendPreview', 'WalletSendSelectToken'],
  }),
  WalletSendPreview: async () => ({
    View: (await import('./views/send/WalletSendPreview.tsx')).WalletSendPreview,
  }),
  WalletSendSelectToken: async () => ({
    View: (await import('./views/send/WalletSendSelectToken.tsx')).WalletSendSelectToken,
  }),
  WhatIsABuy: async () => ({ View: (await import('./views/buy/WhatIsABuy.tsx')).WhatIsABuy }),
  WhatIsANetwork: async () => ({
    View: (await import('./views/networks/WhatIsANetwork.tsx')).WhatIsANetwork,
  }),
}
