import { limits } from '@gatefold/protocol'
import type { Address } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf } from '../chainData/ChainData.ts'
import { poolAbi } from '../evm/abis.ts'
import { isRevert } from '../evm/errors.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'

/**
 * Windows of an average price, in seconds; the longest that the pool's oracle
 * covers is used.
 */
const windows = [1_800, 300, limits.priceWindowMinSeconds] as const

export type PoolAverage = {
  /** Average price of the first token in units of the second one, both in their smallest units. */
  price: number
  /** Amount of the second token, in its smallest unit, that moves the price by two percent. */
  depth: number
}

/**
 * The average price of a pool over the longest window that its oracle covers.
 *
 * @returns `undefined` if the pool has traded so recently that its oracle
 *   covers no window.
 * @throws if the chain cannot be read.
 */
export async function readAverage(
  chain: EvmChain,
  pool: Address,
  token: Address,
  quote: Address,
): Promise<PoolAverage | undefined> {
  const reads = await Promise.allSettled(
    windows.map(async (seconds) => readWindow(chain, pool, token, quote, [seconds, 0])),
  )
  for (const read of reads) if (read.status === 'fulfilled' && read.value) return read.value
  for (const read of reads) if (read.status === 'rejected') throw read.reason
  return undefined
}

/**
 * The average price of a pool over a window.
 *
 * The price is the time-weighted geometric mean, and the depth is computed from
 * the time-weighted harmonic mean of the liquidity. A trade or a deposit in the
 * block in which the pool is read changes neither.
 *
 * @param window - its start and end, in seconds before now.
 * @returns `undefined` if the pool's oracle does not cover the window.
 * @throws if the chain cannot be read.
 * @see https://docs.uniswap.org/concepts/protocol/oracle
 */
export async function readWindow(
  { client }: EvmChain,
  pool: Address,
  token: Address,
  quote: Address,
  window: readonly [start: number, end: number],
): Promise<PoolAverage | undefined> {
  const read = await readContract(client, {
    address: pool,
    abi: poolAbi,
    functionName: 'observe',
    args: [window],
  }).catch((error: unknown) => {
    // A pool whose oracle does not cover the window reverts. Any other failure means that the chain cannot be read.
    if (!isRevert(error)) throw error
  })
  if (!read) return undefined
  const [[tickBefore, tickNow], [inverseBefore, inverseNow]] = read as unknown as [
    [bigint, bigint],
    [bigint, bigint],
  ]
  const seconds = window[0] - window[1]
  // Both accumulators wrap around: the pool's contract computes them without overflow checks.
  const inverse = BigInt.asUintN(160, inverseNow - inverseBefore)
  if (inverse === 0n) return undefined
  const liquidity = Number((BigInt(seconds) << 128n) / inverse)
  const tick = Number(BigInt.asIntN(56, tickNow - tickBefore)) / seconds
  // The price of the pool's first token, which has the lower address, in its second token.
  const price0 = 1.0001 ** tick
  const isFirst = keyOf(token) < keyOf(quote)
  const price = isFirst ? price0 : 1 / price0
  return { price, depth: liquidity * Math.sqrt(price) * twoPercent }
}

/** A price moves by two percent if its square root moves by this share. */
const twoPercent = Math.sqrt(1.02) - 1
