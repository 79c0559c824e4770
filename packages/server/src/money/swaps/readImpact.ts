import { limits } from '@gatefold/protocol'
import { formatUnits, type Address } from 'viem'
import type { MoneyContext } from '../context.ts'
import { createDeadline } from '../createDeadline.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { isNative } from '../requests.ts'
import type { SwapPair } from './SwapSource.ts'

/**
 * Percentage by which a swap returns less than it pays, at the prices of both
 * tokens. For sources that do not state the price impact.
 *
 * @returns `undefined` if a price is not known in time; reading continues, for
 *   the next quote.
 */
export async function readImpact(
  { prices, tokens }: Pick<MoneyContext, 'prices' | 'tokens'>,
  chain: EvmChain,
  { from, to, amount }: SwapPair,
  amountOut: bigint,
): Promise<number | undefined> {
  const valueOf = async (address: Address, units: bigint) => {
    const [token, price] = await Promise.all([
      isNative(address) ? chain.data.nativeCurrency : tokens.find(chain, address),
      prices.find(chain, address),
    ])
    return token && price && Number(formatUnits(units, token.decimals)) * price
  }
  const deadline = createDeadline(limits.swapImpactMs)
  try {
    const [paid, got] = await deadline.race(
      Promise.all([valueOf(from, amount), valueOf(to, amountOut)]),
    )
    return paid && got ? Math.max(0, Math.round((1 - got / paid) * 1_000_000) / 10_000) : undefined
  } catch {
    // A quote without price impact is better than no quote.
    return undefined
  } finally {
    deadline.end()
  }
}
