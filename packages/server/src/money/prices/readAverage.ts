import { limits } from '@gatefold/protocol'
import type { Address } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf } from '../chainData/ChainData.ts'
import { poolAbi } from '../evm/abis.ts'
import { isRevert } from '../evm/errors.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'

/** Windows of an average price, in seconds; the longest that a pool remembers is used. */
const windows = [1_800, 300, limits.priceWindowMinSeconds] as const

export type PoolAverage = {
  /** Average price of the first token in the second, both in their smallest units. */
  price: number
  /** Amount of the second token, in its smallest unit, that moves the price by two percent. */
  depth: number
}

/**
 * The average price of a pool over the longest window that it remembers.
 *
 * The price is the geometric mean over time, and the depth follows from the harmonic mean of the liquidity over time.
 * A trade or a deposit in the block in which the pool is read changes neither.
 *
 * @returns `undefined` if the pool has traded so recently that it remembers no window.
 * @throws if the chain cannot be read.
 * @see https://docs.uniswap.org/concepts/protocol/oracle
 */
export async function readAverage(
  { client }: EvmChain,
  pool: Address,
  token: Address,
  quote: Address,
): Promise<PoolAverage | undefined> {
  const reads = await Promise.allSettled(
    windows.map(async (seconds) =>
      readContract(client, {
        address: pool,
        abi: poolAbi,
        functionName: 'observe',
        args: [[seconds, 0]],
      }),
    ),
  )
  const longest = reads.findIndex(({ status }) => status === 'fulfilled')
  const read = reads[longest]
  const seconds = windows[longest]
  if (read?.status !== 'fulfilled' || !seconds) {
    // A pool that remembers no window reverts. Any other failure is the chain's.
    for (const failed of reads)
      if (failed.status === 'rejected' && !isRevert(failed.reason)) throw failed.reason
    return undefined
  }
  const [[tickBefore, tickNow], [inverseBefore, inverseNow]] = read.value as unknown as [
    [bigint, bigint],
    [bigint, bigint],
  ]
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
