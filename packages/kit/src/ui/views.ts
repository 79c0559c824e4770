import { BaseError } from '@gatefold/protocol'
import type { ComponentType } from 'react'

import { isConnected } from '../core/connection/account.ts'
import type { Kit } from '../core/kit/Kit.ts'
import type { State } from '../core/kit/state.ts'
import type { ViewData, ViewEntry, ViewName } from '../core/view/view.ts'
import { findConnector, findUniversalConnector } from '../core/connection/Connector.ts'
import type { Translate } from './hooks/useText.ts'
import type { shellText } from './strings/shell.ts'
import { Connect } from './views/connect/Connect.tsx'

/** What one view gives the shell. */
export type ViewModule<data = unknown> = {
  /** Everything under the header. */
  View: ComponentType<{ data: data }>
  /** Stands where the title would; the title stays the card's name for screen readers. */
  Heading?: ComponentType
  /** Stands at the leading edge in place of the back arrow. */
  Leading?: ComponentType
}

/** The views there are. Each is a chunk of its own, but for the first one. */
const table: { [name in ViewName]?: () => Promise<ViewModule<ViewData[name]>> } = {
  Account: async () => {
    const { Account, AccountHeading, AccountLeading } = await import('./views/account/Account.tsx')
    return { View: Account, Heading: AccountHeading, Leading: AccountLeading }
  },
  AllWallets: async () => ({ View: (await import('./views/wallets/AllWallets.tsx')).AllWallets }),
  Connect: async () => ({ View: Connect }),
  ConnectWallets: async () => ({
    View: (await import('./views/connect/ConnectWallets.tsx')).ConnectWallets,
  }),
  ConnectingWalletConnect: async () => ({
    View: (await import('./views/walletConnect/ConnectingWalletConnect.tsx'))
      .ConnectingWalletConnect,
  }),
  ConnectingWalletConnectBasic: async () => ({
    View: (await import('./views/walletConnect/ConnectingWalletConnectBasic.tsx'))
      .ConnectingWalletConnectBasic,
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
  SwitchActiveChain: async () => ({
    View: (await import('./views/networks/SwitchActiveChain.tsx')).SwitchActiveChain,
  }),
  SwitchNetwork: async () => ({
    View: (await import('./views/networks/SwitchNetwork.tsx')).SwitchNetwork,
  }),
  UnsupportedChain: async () => ({
    View: (await import('./views/networks/UnsupportedChain.tsx')).UnsupportedChain,
  }),
  WhatIsANetwork: async () => ({
    View: (await import('./views/networks/WhatIsANetwork.tsx')).WhatIsANetwork,
  }),
  WhatIsAWallet: async () => ({
    View: (await import('./views/wallets/WhatIsAWallet.tsx')).WhatIsAWallet,
  }),
}

/** Views a visitor is likely to go to next: loaded while this one is read. */
export const nextViews: { [name in ViewName]?: readonly ViewName[] } = {
  Connect: ['ConnectingExternal'],
  AllWallets: ['ConnectingExternal', 'Downloads'],
  Account: ['Networks', 'ProfileWallets'],
  Networks: ['SwitchNetwork'],
}

/** Code that has arrived; the same for every instance. */
const loaded = new Map<ViewName, ViewModule>([['Connect', { View: Connect as ViewModule['View'] }]])

/** A view that is there already, or undefined. */
export function viewModule(name: ViewName): ViewModule | undefined {
  return loaded.get(name)
}

/** Whether a view is part of the kit, for what would lead to it. */
export function hasView(name: ViewName): boolean {
  return table[name] !== undefined
}

/** Brings a view's code. @throws whatever the import failed with; calling again tries again */
export async function loadView(name: ViewName): Promise<void> {
  if (loaded.has(name)) return
  const module = await table[name]?.()
  if (module) loaded.set(name, module as ViewModule)
}

/**
 * The view that stands for an entry: itself, or the nearest one while it is not part of the kit.
 * Where no relay is configured its views lead to the wallet list; anything else says so on the console.
 */
export function resolveView(kit: Kit, entry: ViewEntry): ViewEntry {
  const pairs = findUniversalConnector(kit.getState().connectors) || kit.options.manualWCControl
  if (!pairs && entry.name === 'ConnectingWalletConnect')
    return entry.data?.wallet
      ? { name: 'Downloads', data: { wallet: entry.data.wallet } }
      : { name: 'AllWallets' }
  if (!pairs && entry.name === 'ConnectingWalletConnectBasic') return { name: 'AllWallets' }
  if (table[entry.name]) return entry
  // oxlint-disable-next-line no-console -- the message is for the site's developer
  console.error(new UnknownViewError(entry.name))
  return { name: isConnected(kit.getState()) ? 'Account' : 'Connect' }
}

/** The title of a view. @see docs/views.md#titles */
export function titleOf(entry: ViewEntry, state: State, t: Translate<typeof shellText>): string {
  switch (entry.name) {
    case 'ConnectingExternal': {
      const { connectorId, namespace, wallet } = entry.data
      const connector = findConnector(state.connectors, connectorId, namespace)
      return wallet?.name ?? connector?.name ?? t('title.Connect')
    }
    case 'ConnectingWalletConnect':
      return entry.data?.wallet?.name ?? t('title.ConnectingWalletConnectBasic')
    case 'Downloads':
      return t('title.Downloads', { name: entry.data.wallet.name })
    case 'SwitchNetwork':
      return entry.data.network.name
    default:
      return t(`title.${entry.name}` as 'title.Connect')
  }
}

/** A site asked for a view this version of the kit does not draw. */
export class UnknownViewError extends BaseError {
  override name = 'UnknownViewError'
  constructor(view: string) {
    super(`There is no view called ${view}`, {
      code: 'ui.unknown_view',
      metaMessages: ['The account or connect view is shown in its place.'],
    })
  }
}
