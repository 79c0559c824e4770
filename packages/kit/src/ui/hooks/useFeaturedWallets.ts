import { useInstance, useKitState } from '../../react/context.ts'

const noWallets = { featured: [], excluded: [], recommended: [], count: undefined }

/**
 * The site's featured and excluded wallets, and the wallets that the gateway recommends. Empty while they load
 * and without a gateway.
 */
export function useFeaturedWallets() {
  const kit = useInstance()
  const suggestions = useKitState((state) => state.suggestions)
  const { endpoints, featuredWalletIds, customWallets } = kit.options
  const pending = Boolean(endpoints.gateway) && !suggestions
  return {
    ...(suggestions ?? noWallets),
    pending,
    /** Number of rows expected from the gateway, for skeletons. */
    expected: ({ installed }: { installed: number }): number => {
      if (!pending) return 0
      if (featuredWalletIds?.length) return featuredWalletIds.length
      return customWallets?.length ? 0 : Math.max(0, 2 - installed)
    },
  }
}
