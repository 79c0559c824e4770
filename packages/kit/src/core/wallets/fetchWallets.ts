import { limits } from '@gatefold/protocol'

import { sortWallets } from './walletRows.ts'
import { isMobile } from '../platform/isMobile.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit, KitInstance } from '../kit/Kit.ts'
import { isPublicChain } from '../networks/Network.ts'
import type { Suggestions } from '../kit/state.ts'
import type { WalletListing, WalletPage } from './WalletListing.ts'

/**
 * Fetches a page of the wallet directory, sorted with installed wallets first. Falls back to the
 * bundled directory if no gateway is configured or the request fails.
 *
 * @param parameters.page - starts at 1
 * @see spec §5.3.1, §7.4, §9.2, §9.9.2
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
  const { directory } = await import('../../data/directory.ts')
  const text = search?.toLowerCase()
  const all = directory.filter(
    (wallet) =>
      (!text || wallet.name.toLowerCase().includes(text)) &&
      (!certified || wallet.badge_type === 'certified') &&
      (!includeWalletIds?.length || includeWalletIds.includes(wallet.id)) &&
      !excludeWalletIds?.includes(wallet.id),
  )
  const size = search ? limits.walletSearchEntries : limits.walletsPageSize
  const start = (page - 1) * size
  return { wallets: sort(all.slice(start, start + size)), count: all.length, online: false }
}

export declare namespace fetchWallets {
  type Parameters = {
    page?: number | undefined
    search?: string | undefined
    certified?: boolean | undefined
    signal?: AbortSignal | undefined
  }
}

/**
 * Loads the featured, recommended and excluded wallets from the gateway. If the request fails, the next
 * call retries.
 *
 * @see spec §9.2, §9.9.4
 */
export async function loadSuggestions(kit: KitInstance): Promise<void> {
  const { featuredWalletIds = [], excludeWalletIds = [], includeWalletIds } = kit.options
  const gateway = await kit.gateway()
  if (!gateway) return
  const byIds = async (ids: readonly string[]) => {
    if (ids.length === 0) return []
    const { data } = await gateway.wallets({
      page: 1,
      entries: Math.min(ids.length, 100),
      include: ids,
    })
    return data.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  }
  const none: Suggestions = { featured: [], excluded: [], recommended: [], count: undefined }
  try {
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
    const { data: recommended, count } = page
    kit.dispatch({
      type: 'suggestions.changed',
      suggestions: { featured, excluded, recommended, count },
    })
  } catch (error) {
    report(kit, error)
    // Not thrown: installed wallets and the bundled directory are still available.
    if (!kit.getState().suggestions)
      kit.dispatch({ type: 'suggestions.changed', suggestions: none })
  }
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
    .filter(isPublicChain)
  return chains.length > 0 ? chains : undefined
}

function report(kit: KitInstance, error: unknown): void {
  void import('../analytics/report.ts').then(({ reportError }) => reportError(kit, error))
}
