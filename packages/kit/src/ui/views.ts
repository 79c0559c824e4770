import { BaseError } from '@gatefold/protocol'
import type { ComponentType } from 'react'

import type { KitInstance } from '../core/kit/Kit.ts'
import type { State } from '../core/kit/state.ts'
import type { ConnectMethod } from '../core/features/features.ts'
import { viewRule } from '../core/view/rules.ts'
import { walletOf } from '../core/view/walletOf.ts'
import type { ViewData, ViewEntry, ViewName } from '../core/view/view.ts'
import { findConnector } from '../core/connection/Connector.ts'
import { findUniversalConnector } from '../core/connection/findUniversalConnector.ts'
import type { Translate } from './hooks/useText.ts'
import { shellText } from './strings/shell.ts'
import { Connect, connectBlocks } from './views/connect/Connect.tsx'
import type { ConnectBlock } from './views/connect/Connect.tsx'

/** The components of a view that the shell renders. */
export type ViewModule<data = unknown> = {
  /** The content below the header. */
  View: ComponentType<{ data: data }>
  /** The title, if it depends on the view's data. */
  title?: (data: data) => string
  /** The text of the title, if it changes while the view is open. */
  Title?: ComponentType
  /** Rendered in place of the title, which stays the card's accessible name. */
  Heading?: ComponentType
  /** Rendered instead of the back button. */
  Leading?: ComponentType
  /** The views that a visitor is likely to open next. They are loaded once this one is on screen. */
  next?: readonly ViewName[]
  /**
   * Like `next`, but loaded once the visitor points at this view or presses a
   * key in it.
   */
  afterInput?: readonly ViewName[]
}

/** Loaders of views by name. */
export type Views = { [name in ViewName]?: () => Promise<ViewModule<ViewData[name]>> }

/** What a connector adds to the modal. */
export type ConnectorViews = {
  views: Views
  /** Titles of the views in English, by key. */
  titles: Readonly<Record<string, string>>
  /** The connect methods. */
  methods: Partial<Record<ConnectMethod, ConnectBlock>>
}

/** Adds a connector's views, titles and connect methods. */
export function addConnectorViews({ views, titles, methods }: ConnectorViews): void {
  addViews(views, titles)
  Object.assign(connectBlocks, methods)
}

/** The lazy chunk of each view with which a wallet is connected; Connect is in the modal's chunk. */
const table: Views = {
  AllWallets: async () => ({
    View: (await import('./views/wallets/AllWallets.tsx')).AllWallets,
    next: ['ConnectingExternal', 'Downloads'],
  }),
  ConnectWallets: async () => ({
    View: (await import('./views/connect/ConnectWallets.tsx')).ConnectWallets,
  }),
  ConnectingExternal: async () => ({
    View: (await import('./chunks/connect.ts')).ConnectingExternal,
    next: ['Account'],
  }),
  Downloads: async () => ({ View: (await import('./views/wallets/Downloads.tsx')).Downloads }),
  GetWallet: async () => ({ View: (await import('./views/wallets/GetWallet.tsx')).GetWallet }),
  WhatIsAWallet: async () => ({
    View: (await import('./views/wallets/WhatIsAWallet.tsx')).WhatIsAWallet,
  }),
}

/** The strings of the card in English: those of the shell, and the titles of the views in the table. */
export const cardText: Record<string, string> = { ...shellText }

/** Adds views, and their titles in English, to the table. */
export function addViews(views: Views, added?: Readonly<Record<string, string>>): void {
  Object.assign(table, views)
  Object.assign(cardText, added)
}

/** The modules loaded so far, shared by all instances. */
const loaded = new Map<ViewName, ViewModule>([
  ['Connect', { View: Connect as ViewModule['View'], next: ['ConnectingExternal'] }],
])

/** The module of a view, or undefined if it is not loaded. */
export function viewModule(name: ViewName): ViewModule | undefined {
  return loaded.get(name)
}

/** Props of a button that opens a view: its chunk is loaded once the visitor points at or focuses the button. */
export function prefetchOnIntent(name: ViewName) {
  const prefetch = () => void loadView(name).catch(() => {}) // a click retries
  return { onPointerEnter: prefetch, onFocus: prefetch }
}

const prefetched = new WeakSet<ViewModule>()

/** Loads the views that a visitor is likely to open after an input in a view. */
export function prefetchAfterInput(module: ViewModule): void {
  if (prefetched.has(module)) return
  prefetched.add(module)
  for (const name of module.afterInput ?? []) loadView(name).catch(() => {}) // a click retries
}

/**
 * Whether the table contains a view with this name. It contains all views once
 * Account has loaded.
 */
export function hasView(name: string): name is ViewName {
  return Object.hasOwn(table, name)
}

/**
 * Loads a view's chunk. An unknown view is logged, and Account is loaded
 * instead.
 *
 * @throws the import's error; a later call retries
 */
export async function loadView(name: ViewName): Promise<void> {
  if (loaded.has(name)) return
  if (!hasView(name)) {
    const { moreTitles, moreViews } = await import('./moreViews.ts')
    addViews(moreViews, moreTitles)
  }
  // oxlint-disable-next-line no-console -- the message is for the site's developer
  if (!hasView(name)) console.error(new UnknownViewError(name))
  const module = await table[hasView(name) ? name : 'Account']!()
  loaded.set(name, module as ViewModule)
}

/**
 * The entry to render instead of `entry` if its view is not available,
 * otherwise `entry`. Without a universal connector or `manualWCControl`, the
 * WalletConnect views resolve to the wallet's downloads or, if no wallet is
 * selected, to AllWallets.
 */
export function resolveView(kit: KitInstance, entry: ViewEntry): ViewEntry {
  const pairs = findUniversalConnector(kit.getState().connectors) || kit.options.manualWCControl
  if (!pairs && viewRule(entry.name).drawsAttempt) {
    const wallet = walletOf(entry)
    return wallet ? { name: 'Downloads', data: { wallet } } : { name: 'AllWallets' }
  }
  return entry
}

/**
 * The title of a view; a loading message until the title has loaded.
 *
 * @param t - translates `cardText`
 * @see docs/views.md#titles
 */
export function titleOf(entry: ViewEntry, state: State, t: Translate<typeof cardText>): string {
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
    default: {
      const key = `title.${entry.name}`
      const { title } = viewModule(entry.name) ?? {}
      return (
        title?.(entry.data) ?? walletOf(entry)?.name ?? t(key in cardText ? key : 'shell.loading')
      )
    }
  }
}

/** The site opened a view that this version of the kit does not have. */
export class UnknownViewError extends BaseError {
  override name = 'UnknownViewError'
  constructor(view: string) {
    super(`There is no view called ${view}`, {
      code: 'ui.unknown_view',
      metaMessages: ['The account view is shown in its place.'],
    })
  }
}
