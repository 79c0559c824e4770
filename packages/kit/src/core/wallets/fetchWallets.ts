import { limits } from '@gatefold/protocol'

import { sortWallets } from './sortWallets.ts'
import { isMobile } from '../platform/isMobile.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit, KitInstance } from '../kit/Kit.ts'
import { isGatewayChain } from '../../data/gatewayChains.ts'
import type { Suggestions } from '../kit/state.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { WalletListing, WalletPage } from './WalletListing.ts'

/**
 * Fetches a page of the wallet directory, sorted with installed wallets first. Falls back to the
 * bundled directory if no gateway is configured or the request fails.
 *
 * @example const { wallets, count } = await fetchWallets(kit, { search: 'rain' })
 */
export async function fetchWallets(
  kit: Kit,
  parameters: fetchWallets.Parameters = {},
): Promise<WalletPage> {
  const instance = instanceOf(kit)
  const { page = 1, certified, signal } = parameters
  const search = parameters.search?.trim() || undefined
  const { includeWalletIds, excludeWalletIds } = instance.options
  const gateway = await instance.gateway()
  const sort = (wallets: readonly WalletListing[]) =>
    sortWallets(wallets.filter(isReachable), {
      connectors: instance.getState().connectors,
      featuredWalletIds: instance.options.featuredWalletIds ?? [],
    })
  if (gateway) {
    try {
      const { data, count } = await gateway.wallets(
        {
          page,
          entries: search ? limits.walletSearchEntries : limits.walletsPageSize,
          search,
          badge_type: certified ? 'certified' : undefined,
          include: includeWalletIds,
          exclude: excludeWalletIds,
          chains: publicChains(instance),
        },
        signal,
      )
      return { wallets: sort(data), count, online: true }
    } catch (error) {
      if (signal?.aborted) throw error
      report(instance, error)
    }
  }
  const text = search?.toLowerCase()
  const all = (await bundledWallets(instance)).filter(
    (wallet) =>
      (!text || wallet.name.toLowerCase().includes(text)) &&
      (!certified || wallet.badge_type === 'certified'),
  )
  const size = search ? limits.walletSearchEntries : limits.walletsPageSize
  const start = (page - 1) * size
  return { wallets: sort(all.slice(start, start + size)), count: all.length, online: false }
}

export declare namespace fetchWallets {
  /** Selects a page of the directory. */
  type Parameters = {
    /**
     * The page; the first is 1.
     *
     * @default 1
     */
    page?: number | undefined
    /** Text that the wallet's name contains. */
    search?: string | undefined
    /** Whether to return only certified wallets. */
    certified?: boolean | undefined
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

/**
 * Loads the featured, recommended and excluded wallets from the gateway. Falls back to the bundled directory
 * if no gateway is configured or the request fails; after a failure, the next call retries.
 *
 * @see spec §9.2, §9.9.4
 */
export async function loadSuggestions(kit: KitInstance): Promise<void> {
  const gateway = await kit.gateway()
  try {
    const suggestions = await (gateway ? fetchSuggestions(kit, gateway) : bundledSuggestions(kit))
    kit.dispatch({ type: 'suggestions.changed', suggestions })
  } catch (error) {
    report(kit, error)
    if (kit.getState().suggestions) return
    const bundled = await bundledSuggestions(kit).catch(() => noSuggestions)
    // Without `count`, the next call retries the request.
    kit.dispatch({ type: 'suggestions.changed', suggestions: { ...bundled, count: undefined } })
  }
}

const noSuggestions: Suggestions = {
  featured: [],
  excluded: [],
  recommended: [],
  count: undefined,
}

async function fetchSuggestions(kit: KitInstance, gateway: GatewayClient): Promise<Suggestions> {
  const { featuredWalletIds = [], excludeWalletIds = [], includeWalletIds } = kit.options
  const byIds = async (ids: readonly string[]) => {
    if (ids.length === 0) return []
    const { data } = await gateway.wallets({
      page: 1,
      entries: Math.min(ids.length, 100),
      include: ids,
    })
    return data.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  }
  const [featured, excluded, page] = await Promise.all([
    byIds(featuredWalletIds),
    byIds(excludeWalletIds),
    gateway.wallets({
      page: 1,
      entries: limits.recommendedWallets,
      include: includeWalletIds,
      exclude: [...excludeWalletIds, ...featuredWalletIds],
      chains: publicChains(kit),
    }),
  ])
  return { featured, excluded, recommended: page.data, count: page.count }
}

async function bundledSuggestions(kit: KitInstance): Promise<Suggestions> {
  const { featuredWalletIds = [], excludeWalletIds = [] } = kit.options
  const { directory } = await import('../../data/directory.ts')
  const byIds = (ids: readonly string[]) =>
    ids.flatMap((id) => directory.find((wallet) => wallet.id === id) ?? [])
  const wallets = (await bundledWallets(kit)).filter(isReachable)
  return {
    featured: byIds(featuredWalletIds),
    excluded: byIds(excludeWalletIds),
    recommended: wallets
      .filter(({ id }) => !featuredWalletIds.includes(id))
      .slice(0, limits.recommendedWallets),
    count: wallets.length,
  }
}

/** The wallets of the bundled directory that the site's options allow and that support one of its chain families. */
async function bundledWallets(kit: KitInstance): Promise<readonly WalletListing[]> {
  const { includeWalletIds, excludeWalletIds } = kit.options
  const { directory } = await import('../../data/directory.ts')
  // Compared by family: entries contain only the best-known chains of a family, but the wallet can add others.
  const families = new Set(
    kit.getState().networks.map(({ chainNamespace }) => `${chainNamespace}:`),
  )
  return directory.filter(
    ({ id, chains }) =>
      (!includeWalletIds?.length || includeWalletIds.includes(id)) &&
      !excludeWalletIds?.includes(id) &&
      chains?.some((chain) => [...families].some((family) => chain.startsWith(family))),
  )
}

/**
 * Whether a wallet can be opened on this device. A phone needs a link to its mobile or web app.
 *
 * @see docs/views.md#allwallets
 */
function isReachable(wallet: WalletListing): boolean {
  return !isMobile() || Boolean(wallet.mobile_link || wallet.webapp_link)
}

/**
 * The site's public chains, for filtering the directory. Undefined if all chains are private, because
 * the directory does not know which wallets support them.
 */
function publicChains(kit: KitInstance): readonly string[] | undefined {
  const chains = kit
    .getState()
    .networks.map(({ caipNetworkId }) => caipNetworkId)
    .filter(isGatewayChain)
  return chains.length > 0 ? chains : undefined
}

function report(kit: KitInstance, error: unknown): void {
  void import('../analytics/report.ts').then(({ reportError }) => reportError(kit, error))
}
