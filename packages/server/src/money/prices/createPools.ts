import { LRUCache } from 'lru-cache'
import { zeroAddress, type Address } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf } from '../chainData/ChainData.ts'
import { factoryAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'

/** How many pairs of tokens are remembered. */
const rememberedPairs = 10_000
/** After this time, the pools of two tokens are looked up again, while the known ones are used. */
const cacheMs = 60 * 60_000

/** The fees of Uniswap v3 pools, in millionths. */
const fees = [100, 500, 3_000, 10_000] as const

export type Pool = {
  address: Address
  /** In millionths. */
  fee: number
}

export type Pools = {
  /** The Uniswap v3 pools of two tokens, at most one for each fee. */
  find(chain: EvmChain, a: Address, b: Address): Promise<readonly Pool[]>
}

export function createPools({ now }: { now: () => number }): Pools {
  const pairs = new LRUCache<string, Pool[], [EvmChain, Address, Address]>({
    max: rememberedPairs,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now },
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (_key, _old, { context }) => readPools(...context),
  })
  return {
    async find(chain, a, b) {
      const key = [chain.id, ...[a, b].map(keyOf).toSorted()].join(':')
      return (await pairs.fetch(key, { context: [chain, a, b] })) ?? []
    },
  }
}

async function readPools({ client, data }: EvmChain, a: Address, b: Address): Promise<Pool[]> {
  const { uniswap } = data
  if (!uniswap) return []
  const pools = await Promise.all(
    fees.map(async (fee) => ({
      fee,
      address: await readContract(client, {
        address: uniswap.factory,
        abi: factoryAbi,
        functionName: 'getPool',
        args: [a, b, fee],
      }),
    })),
  )
  return pools.filter(({ address }) => address !== zeroAddress)
}
