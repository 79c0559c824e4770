import { BaseError } from '@gatefold/protocol'
import type { ComponentType } from 'react'

import { isConnected } from '../core/connection/account.ts'
import type { KitInstance } from '../core/kit/Kit.ts'
import type { State } from '../core/kit/state.ts'
import { viewRule } from '../core/view/rules.ts'
import { walletOf } from '../core/view/walletOf.ts'
import type { ViewData, ViewEntry, ViewName } from '../core/view/view.ts'
import { findConnector, findUniversalConnector } from '../core/connection/Connector.ts'
import type { Translate } from './hooks/useText.ts'
import type { shellText } from './strings/shell.ts'
import { Connect } from './views/connect/Connect.tsx'

/** The components of a view that the shell renders. */
export type ViewModule<data = unknown> = {
  /** The content below the header. */
  View: ComponentType<{ data: data }>
  /** Rendered in place of the title, which stays the card's accessible name. */
  Heading?: ComponentType
  /** Rendered in place of the back button. */
  Leading?: ComponentType
}

/** Loaders of views by name. */
export type Views = { [name in ViewName]?: () => Promise<ViewModule<ViewData[name]>> }

/** The lazy chunk of each view; Connect is in the modal's chunk. */
const table: Views = {
  Account: async () => {
    const { Account, AccountHeading, AccountLeading } = await import('./views/account/Account.tsx')
    return { View: Account, Heading: AccountHeading, Leading: AccountLeading }
  },
  AllWallets: async () => ({ View: (await import('./views/wallets/AllWallets.tsx')).AllWallets }),
  Connect: async () => ({ View: Connect }),
  ConnectWallets: async () => ({
    View: (await import('./views/connect/ConnectWallets.tsx')).ConnectWallets,
  }),
  ConnectingExternal: async () => ({
    View: (await import('./chunks/connect.ts')).ConnectingExternal,
  }),
  Downloads: async () => ({ View: (await import('./views/wallets/Downloads.tsx')).Downloads }),
  GetWallet: async () => ({ View: (await import('./views/wallets/GetWallet.tsx')).GetWallet }),
  Networks: async () => ({ View: (await import('./views/networks/Networks.tsx')).Networks }),
  ProfileWallets: async () => ({
    View: (await import('./views/account/ProfileWallets.tsx')).ProfileWallets,
  }),
  Swap: async () => ({ View: (await import('./views/swap/Swap.tsx')).Swap }),
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
  Transactions: async () => ({
    View: (await import('./views/activity/Transactions.tsx')).Transactions,
  }),
  UnsupportedChain: async () => ({
    View: (await import('./views/networks/UnsupportedChain.tsx')).UnsupportedChain,
  }),
  WalletCompatibleNetworks: async () => ({
    View: (await import('./views/receive/WalletCompatibleNetworks.tsx')).WalletCompatibleNetworks,
  }),
  WalletSend: async () => ({ View: (await import('./views/send/WalletSend.tsx')).WalletSend }),
  WalletSendPreview: async () => ({
    View: (await import('./views/send/WalletSendPreview.tsx')).WalletSendPreview,
  }),
  WalletSendSelectToken: async () => ({
    View: (await import('./views/send/WalletSendSelectToken.tsx')).WalletSendSelectToken,
  }),
  WalletReceive: async () => ({
    View: (await import('./views/receive/WalletReceive.tsx')).WalletReceive,
  }),
  WhatIsANetwork: async () => ({
    View: (await import('./views/networks/WhatIsANetwork.tsx')).WhatIsANetwork,
  }),
  WhatIsAWallet: async () => ({
    View: (await import('./views/wallets/WhatIsAWallet.tsx')).WhatIsAWallet,
  }),
}

/** Adds a connector's views to the table. */
export function addViews(views: Views): void {
  Object.assign(table, views)
}

/** The views that a visitor is likely to open after each view. They are loaded once that view is on screen. */
export const nextViews: { [name in ViewName]?: readonly ViewName[] } = {
  Connect: ['ConnectingExternal'],
  AllWallets: ['ConnectingExternal', 'Downloads'],
  Account: ['Networks', 'ProfileWallets'],
  WalletSend: ['WalletSendPreview', 'WalletSendSelectToken'],
  Networks: ['SwitchNetwork'],
  Swap: ['SwapSelectToken', 'SwapPreview'],
  WalletReceive: ['WalletCompatibleNetworks'],
}

/** The modules loaded so far, shared by all instances. */
const loaded = new Map<ViewName, ViewModule>([['Connect', { View: Connect as ViewModule['View'] }]])

/** The module of a view, or undefined if it is not loaded. */
export function viewModule(name: ViewName): ViewModule | undefined {
  return loaded.get(name)
}

/** Whether the table has a view with this name. */
export function hasView(name: string): name is ViewName {
  return Object.hasOwn(table, name)
}

/** Loads a view's chunk. @throws the import's error; a later call retries */
export async function loadView(name: ViewName): Promise<void> {
  if (loaded.has(name)) return
  const module = await table[name]?.()
  if (module) loaded.set(name, module as ViewModule)
}

/**
 * The entry to render in place of `entry` if its view is not available, otherwise `entry`. Without a
 * universal connector or `manualWCControl`, the WalletConnect views resolve to the wallet's downloads or, if
 * no wallet is selected, to AllWallets. An unknown view is logged and resolves to Account or Connect.
 */
export function resolveView(kit: KitInstance, entry: ViewEntry): ViewEntry {
  const pairs = findUniversalConnector(kit.getState().connectors) || kit.options.manualWCControl
  if (!pairs && viewRule(entry.name).drawsAttempt) {
    const wallet = walletOf(entry)
    return wallet ? { name: 'Downloads', data: { wallet } } : { name: 'AllWallets' }
  }
  if (table[entry.name]) return entry
  // oxlint-disable-next-line no-console -- the message is for the site's developer
  console.error(new UnknownViewError(entry.name))
  return { name: isConnected(kit.getState()) ? 'Account' : 'Connect' }
}

/** The title of a view. @see docs/views.md#titles */
export function titleOf(entry: ViewEntry, state: State, t: Translate<typeof shellText>): string {
  switch (entry.name) {
    case 'ConnectingExternal': {
      const { connectorId, namespace } = entry.data
      const connector = findConnector(state.connectors, connectorId, namespace)
      return walletOf(entry)?.name ?? connector?.name ?? t('title.Connect')
    }
    case 'Downloads':
      return t('title.Downloads', { name: entry.data.wallet.name })
    case 'SwitchNetwork':
      return entry.data.network.name
    default:
      return walletOf(entry)?.name ?? t(`title.${entry.name}` as 'title.Connect')
  }
}

/** The site opened a view that this version of the kit does not have. */
export class UnknownViewError extends BaseError {
  override name = 'UnknownViewError'
  constructor(view: string) {
    super(`There is no view called ${view}`, {
      code: 'ui.unknown_view',
      metaMessages: ['The account or connect view is shown in its place.'],
    })
  }
}
