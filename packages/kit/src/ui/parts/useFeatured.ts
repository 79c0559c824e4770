import { fetchFeatured } from '../../core/actions/wallets.ts'
import { useKit } from '../../react/context.ts'
import { useKitQuery } from '../../react/queries.ts'

/** How long the server's suggestions count as fresh, in ms. */
const freshMs = 5 * 60_000

const nothing = { featured: [], excluded: [], recommended: [], count: undefined }

/**
 * The wallets the site and the server suggest. Empty until they are there, and where no server answers.
 */
export function useFeatured() {
  const kit = useKit()
  const { endpoints, featuredWalletIds, customWallets } = kit.options
  const { data, isPending } = useKitQuery({
    name: 'featured',
    key: [],
    enabled: Boolean(endpoints.gateway),
    staleTime: freshMs,
    load: fetchFeatured,
  })
  return {
    ...(data ?? nothing),
    pending: isPending && Boolean(endpoints.gateway),
    /** How many rows are likely to come: places are kept for them. */
    expected: ({ installed }: { installed: number }): number => {
      if (!isPending || !endpoints.gateway) return 0
      if (featuredWalletIds?.length) return featuredWalletIds.length
      return customWallets?.length ? 0 : Math.max(0, 2 - installed)
    },
  }
}
