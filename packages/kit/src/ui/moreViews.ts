import type { ComponentType } from 'react'

import type { ViewData, ViewName } from '../core/view/view.ts'
import type { ViewModule, Views } from './views.ts'

export { moreTitles } from './strings/moreTitles.ts'

const buySelect = () => import('./chunks/buySelect.ts')
const names = () => import('./chunks/names.ts')
const networks = () => import('./chunks/networks.ts')
const receive = () => import('./chunks/receive.ts')
const send = () => import('./chunks/send.ts')
const swap = () => import('./chunks/swap.ts')

/**
 * The lazy chunk of each view that is not needed to connect a wallet. A
 * separate table, because the names of these views and their chunks would
 * otherwise be loaded with the connect view.
 */
export const moreViews: Views = {
  Account: async () => {
    const { Account, AccountHeading, AccountLeading } = await import('./chunks/account.ts')
    return { View: Account, Heading: AccountHeading, Leading: AccountLeading }
  },
  BuyInProgress: view(() => import('./views/buy/BuyInProgress.tsx'), 'BuyInProgress'),
  ChooseAccountName: view(names, 'ChooseAccountName'),
  Currency: view(() => import('./views/account/Currency.tsx'), 'Currency'),
  Networks: view(networks, 'Networks'),
  Nft: view(() => import('./chunks/nfts.ts'), 'Nft'),
  OnRampFiatSelect: view(buySelect, 'OnRampFiatSelect'),
  OnRampProviders: view(() => import('./views/buy/OnRampProviders.tsx'), 'OnRampProviders', [
    'BuyInProgress',
    'OnRampFiatSelect',
  ]),
  OnRampTokenSelect: view(buySelect, 'OnRampTokenSelect'),
  ProfileWallets: view(() => import('./views/account/ProfileWallets.tsx'), 'ProfileWallets'),
  RegisterAccountName: view(names, 'RegisterAccountName'),
  RegisterAccountNameSuccess: async () => {
    const { RegisterAccountNameSuccess: View, NoHeading: Heading } = await names()
    return { View, Heading }
  },
  Swap: view(swap, 'Swap', ['SwapPreview']),
  SwapPreview: view(() => import('./views/swap/SwapPreview.tsx'), 'SwapPreview'),
  SwapSelectToken: view(swap, 'SwapSelectToken'),
  SwitchActiveChain: view(networks, 'SwitchActiveChain'),
  SwitchNetwork: view(networks, 'SwitchNetwork'),
  Token: view(() => import('./views/account/Token.tsx'), 'Token'),
  Transaction: view(() => import('./chunks/activity.ts'), 'Transaction'),
  Transactions: view(() => import('./chunks/activity.ts'), 'Transactions'),
  UnsupportedChain: view(networks, 'UnsupportedChain'),
  WalletCompatibleNetworks: view(receive, 'WalletCompatibleNetworks'),
  WalletReceive: view(receive, 'WalletReceive'),
  WalletSend: view(send, 'WalletSend', ['WalletSendPreview']),
  WalletSendPreview: view(() => import('./views/send/WalletSendPreview.tsx'), 'WalletSendPreview'),
  WalletSendSelectToken: view(send, 'WalletSendSelectToken'),
  WhatIsABuy: view(() => import('./views/buy/WhatIsABuy.tsx'), 'WhatIsABuy'),
  WhatIsANetwork: view(networks, 'WhatIsANetwork'),
}

/** Creates a loader for a view from a chunk that exports it. */
function view<name extends ViewName>(
  load: () => Promise<{ [key in name]: ComponentType<{ data: ViewData[key] }> }>,
  name: name,
  afterInput: readonly ViewName[] = [],
): () => Promise<ViewModule<ViewData[name]>> {
  return async () => ({ View: (await load())[name], afterInput })
}
