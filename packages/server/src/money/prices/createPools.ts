import { LRUCache } from 'lru-cache'
import { zeroAddress, type Address } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf } from '../chainData/ChainData.ts'
import { factoryAbi, routerAbi, v2FactoryAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { isRevert } from '../evm/errors.ts'

/** Maximum number of cached token pairs. */
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
  /** The Uniswap v2 pair of two tokens, if there is one in which the chain's router swaps. */
  findPair(chain: EvmChain, a: Address, b: Address): Promise<Address | undefined>
}

type Found = { pools: readonly Pool[]; pair: Address | undefined }

export function createPools({ now }: { now: () => number }): Pools {
  const cache = new LRUCache<string, Found, [EvmChain, Address, Address]>({
    max: rememberedPairs,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now },
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (_key, _old, { context }) => {
      const [pools, pair] = await Promise.all([readPools(...context), readPair(...context)])
      return { pools, pair }
    },
  })

  async function findBoth(chain: EvmChain, a: Address, b: Address): Promise<Found | undefined> {
    const key = [chain.id, ...[a, b].map(keyOf).toSorted()].join(':')
    return cache.fetch(key, { context: [chain, a, b] })
  }

  return {
    async find(chain, a, b) {
      return (await findBoth(chain, a, b))?.pools ?? []
    },
    async findPair(chain, a, b) {
      return (await findBoth(chain, a, b))?.pair
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

/**
 * Reads the Uniswap v2 pair of two tokens. A router computes pair addresses
 * from the factory that it was constructed with, so it cannot use pairs of any
 * other factory.
 */
async function readPair(
  { client, data }: EvmChain,
  a: Address,
  b: Address,
): Promise<Address | undefined> {
  const { router, v2Factory } = data.uniswap ?? {}
  if (!router || !v2Factory) return undefined
  try {
    const [factory, pair] = await Promise.all([
      readContract(client, { address: router, abi: routerAbi, functionName: 'factoryV2' }),
      readContract(client, {
        address: v2Factory,
        abi: v2FactoryAbi,
        functionName: 'getPair',
        args: [a, b],
      }),
    ])
    return keyOf(factory) === keyOf(v2Factory) && pair !== zeroAddress ? pair : undefined
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}
