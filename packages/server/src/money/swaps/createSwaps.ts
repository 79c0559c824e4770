import type { Pools } from '../prices/createPools.ts'
import { createOneInchSwaps } from './createOneInchSwaps.ts'
import { createPoolSwaps } from './createPoolSwaps.ts'
import { createZeroExSwaps } from './createZeroExSwaps.ts'
import type { SwapSettings } from './settings.ts'
import type { Swaps } from './SwapSource.ts'

/**
 * Creates the sources of swaps.
 *
 * @see docs/swaps/README.md
 */
export function createSwaps(settings: SwapSettings, pools: Pools, now: () => number): Swaps {
  const { chains, '0x': zeroEx, '1inch': oneInch } = settings
  const poolSwaps = createPoolSwaps(pools)
  const sources = {
    pools: poolSwaps,
    '0x': zeroEx && createZeroExSwaps(zeroEx, now),
    '1inch': oneInch && createOneInchSwaps(oneInch, now),
  }
  return { of: ({ id }) => sources[chains[id] ?? 'pools'] ?? poolSwaps }
}
