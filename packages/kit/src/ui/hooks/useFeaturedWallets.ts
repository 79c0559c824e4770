import { needsSuggestions } from '../../core/wallets/needsSuggestions.ts'
import { useInstance, useKitState } from '../../react/context.ts'

const noWallets = { featured: [], excluded: [], recommended: [], count: undefined }

/**
 * The site's featured and excluded wallets, and the wallets that the gateway or the bundled directory
 * recommends. Empty while they load.
 */
export function useFeaturedWallets() {
  const kit = useInstance()
  const suggestions = useKitState((state) => state.suggestions)
  const pending = useKitState((state) => needsSuggestions(kit, state)) && !suggestions
  return { ...(suggestions ?? noWallets), pending }
}
