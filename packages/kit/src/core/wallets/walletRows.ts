import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import type { ConnectMethod, ConnectorGroup } from '../features/features.ts'
import { servesNamespace } from '../connection/Connector.ts'
import type { Connector } from '../connection/Connector.ts'
import type { WalletListing } from './WalletListing.ts'

/** A row of the connect view. */
export type WalletRow =
  | {
      group: Exclude<ConnectorGroup, 'featured' | 'recommended' | 'custom' | 'recent'>
      connector: Connector
    }
  | { group: 'featured' | 'recommended' | 'custom' | 'recent'; wallet: WalletListing }

const metamaskMobile = 'io.metamask.mobile'
const metamask = 'io.metamask'

/** The rdns to compare wallets by: MetaMask's mobile connector counts as MetaMask. @see spec §9.9.3 */
export function comparableRdns(rdns: string | null | undefined): string | undefined {
  if (!rdns) return undefined
  return rdns === metamaskMobile ? metamask : rdns
}

/** Whether a directory entry and a connector are the same wallet. @see spec §9.9.3 */
export function isSameWallet(wallet: WalletListing, connector: Connector): boolean {
  const rdns = comparableRdns(wallet.rdns)
  return (
    wallet.id === connector.explorerId ||
    wallet.id === connector.id ||
    (rdns !== undefined &&
      (rdns === comparableRdns(connector.info?.rdns) || rdns === comparableRdns(connector.id)))
  )
}

/**
 * Whether the site excludes a wallet, compared by id, by rdns or by name, ignoring case in names.
 *
 * @param excluded - directory entries of the excluded ids
 * @see spec §9.9.4
 */
export function isExcluded(connector: Connector, excluded: readonly WalletListing[]): boolean {
  return excluded.some(
    (wallet) =>
      isSameWallet(wallet, connector) || wallet.name.toLowerCase() === connector.name.toLowerCase(),
  )
}

/** Whether the generic injected provider gets a row. @see spec §9.9.5 */
export function showsGenericInjected(
  connector: Connector,
  parameters: { mobile: boolean },
): boolean {
  if (connector.type !== 'INJECTED') return true
  return parameters.mobile && Boolean(connector.info?.rdns)
}

/**
 * The rows of the connect view, ordered by group.
 *
 * @see spec §9.9.1–5, §9.2; docs/views.md#wallet-list
 */
export function walletRows(parameters: {
  connectors: readonly Connector[]
  namespace?: ChainNamespace.ChainNamespace | undefined
  mobile: boolean
  recent: readonly WalletListing[]
  featured: readonly WalletListing[]
  recommended: readonly WalletListing[]
  custom: readonly WalletListing[]
  excluded: readonly WalletListing[]
  order?: readonly ConnectorGroup[] | undefined
}): readonly WalletRow[] {
  const { namespace, mobile, excluded } = parameters
  const connectors = uniqueConnectors(parameters.connectors).filter(
    (connector) =>
      servesNamespace(connector, namespace) &&
      !isExcluded(connector, excluded) &&
      showsGenericInjected(connector, { mobile }),
  )
  const installed = connectors.filter(({ type }) =>
    ['MULTI_CHAIN', 'ANNOUNCED', 'INJECTED'].includes(type),
  )
  const isExcludedWallet = (wallet: WalletListing) =>
    excluded.some(
      (other) => other.id === wallet.id || other.name.toLowerCase() === wallet.name.toLowerCase(),
    )
  const isInstalled = (wallet: WalletListing) =>
    connectors.some((connector) => isSameWallet(wallet, connector))
  const isEligible = (wallet: WalletListing) =>
    !isExcludedWallet(wallet) &&
    !isInstalled(wallet) &&
    (!namespace ||
      !wallet.chains ||
      wallet.chains.some((chain) => chain.startsWith(`${namespace}:`)))

  const recent = parameters.recent.filter(isEligible).slice(0, limits.recentWallets)
  const seen = new Set(recent.map(({ id }) => id))
  const withoutSeen = (wallets: readonly WalletListing[]) =>
    wallets.filter((wallet) => {
      if (seen.has(wallet.id) || !isEligible(wallet)) return false
      seen.add(wallet.id)
      return true
    })
  const featured = withoutSeen(parameters.featured)
  const custom = withoutSeen(parameters.custom)
  const recommended =
    parameters.featured.length > 0 || parameters.custom.length > 0
      ? []
      : withoutSeen(parameters.recommended).slice(
          0,
          recommendedRows({ installed: installed.length, recent: recent.length }),
        )

  const ofType = (type: Connector['type']) =>
    connectors.filter((connector) => connector.type === type)
  const byGroup: Record<ConnectorGroup, readonly WalletRow[]> = {
    walletConnect: mobile
      ? []
      : ofType('WALLET_CONNECT').map((connector) => ({ group: 'walletConnect', connector })),
    recent: recent.map((wallet) => ({ group: 'recent', wallet })),
    injected: [...ofType('MULTI_CHAIN'), ...ofType('ANNOUNCED'), ...ofType('INJECTED')].map(
      (connector) => ({ group: 'injected', connector }),
    ),
    featured: featured.map((wallet) => ({ group: 'featured', wallet })),
    custom: custom.map((wallet) => ({ group: 'custom', wallet })),
    external: ofType('EXTERNAL').map((connector) => ({ group: 'external', connector })),
    recommended: recommended.map((wallet) => ({ group: 'recommended', wallet })),
  }
  const order = parameters.order?.length
    ? groupOrder(parameters.order)
    : installed.length > 0
      ? installedFirst
      : groupOrder()
  return order.flatMap((group) => byGroup[group])
}

/**
 * The number of recommended wallets to show: four, or two if a wallet is installed; less one for each installed or
 * recent wallet.
 */
export function recommendedRows(listed: { installed: number; recent: number }): number {
  const rows = listed.installed > 0 ? 2 - listed.installed : limits.recommendedWallets
  return Math.max(0, rows - listed.recent)
}

/**
 * The default order if a wallet is installed. Installed wallets are first because they connect with one click; the
 * QR code for wallets on other devices is last.
 */
const installedFirst: readonly ConnectorGroup[] = [
  'injected',
  ...limits.connectorTypeOrder.filter((group) => group !== 'injected' && group !== 'walletConnect'),
  'walletConnect',
]

/** The configured groups in order, then the others. @see spec §9.9.1 */
export function groupOrder(order: readonly ConnectorGroup[] = []): readonly ConnectorGroup[] {
  return [...new Set([...order, ...limits.connectorTypeOrder])]
}

/** Removes duplicates: an announced connector takes precedence over an injected one with the same rdns or id. */
export function uniqueConnectors(connectors: readonly Connector[]): readonly Connector[] {
  const rank: Record<Connector['type'], number> = {
    MULTI_CHAIN: 0,
    ANNOUNCED: 1,
    EXTERNAL: 2,
    WALLET_CONNECT: 2,
    AUTH: 2,
    INJECTED: 3,
  }
  const best = new Map<string, Connector>()
  for (const connector of connectors) {
    const key = `${connector.chain}:${comparableRdns(connector.info?.rdns) ?? connector.id}`
    const other = best.get(key)
    if (!other || rank[connector.type] < rank[other.type]) best.set(key, connector)
  }
  return connectors.filter((connector) => [...best.values()].includes(connector))
}

/**
 * The order of the connect methods.
 *
 * @see spec §2.11.1–2
 */
export function connectMethods(parameters: {
  configured?: readonly ConnectMethod[] | undefined
  hasInstalledWallet: boolean
}): readonly ConnectMethod[] {
  const all: readonly ConnectMethod[] = parameters.hasInstalledWallet
    ? ['wallet', 'email', 'social', 'passkey']
    : ['email', 'social', 'passkey', 'wallet']
  return parameters.configured?.length ? parameters.configured : all
}
