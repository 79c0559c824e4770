import type { Kit } from '../../../core/kit/Kit.ts'
import type { SwapArguments } from '../../../core/view/ViewData.ts'
import { useInstance } from '../../../react/context.ts'

/** The swap settings that also apply to later swaps. */
export type SwapSettings = Pick<SwapArguments, 'slippage' | 'deadline'>

/** The visitor's settings until the page is reloaded. */
const settings = new WeakMap<Kit, SwapSettings>()

/**
 * The settings that the visitor has chosen on this page, and a function that
 * changes them.
 */
export function useSwapSettings(): [SwapSettings, (change: SwapSettings) => void] {
  const kit = useInstance()
  return [
    settings.get(kit) ?? {},
    (change) => void settings.set(kit, { ...settings.get(kit), ...change }),
  ]
}
