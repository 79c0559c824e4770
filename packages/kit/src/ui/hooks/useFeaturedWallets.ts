import { useKit, useKitState } from '../../react/context.ts'

const nothing = { featured: [], excluded: [], recommended: [], count: undefined }

/**
 * The wallets the site and the server suggest. Empty until they are there, and where no server answers.
 */
export function useFeaturedWallets() {
  const kit = useKit()
  const suggestions = useKitState((state) => state.suggestions)
  const { endpoints, featuredWalletIds, customWallets } = kit.options
  const pending = Boolean(endpoints.gateway) && !suggestions
  return {
    ...(suggestions ?? nothing),
    pending,
    /** How many rows are likely to come: places are kept for them. */
    expected: ({ installed }: { installed: number }): number => {
      if (!pending) return 0
      if (featuredWalletIds?.length) return featuredWalletIds.length
      return customWallets?.length ? 0 : Math.max(0, 2 - installed)
    },
  }
}
