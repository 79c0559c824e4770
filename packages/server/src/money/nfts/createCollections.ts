import { limits, toLabel } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { nftAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { readAny } from '../evm/readAny.ts'
import { maxLabelLength } from '../tokens.ts'

/** Maximum number of cached names. */
const rememberedNames = 10_000

export type Collections = {
  /** The name of a contract; empty if it has none or cannot be read. */
  nameOf(chain: EvmChain, contract: Address): Promise<string>
}

export function createCollections({ now }: { now: () => number }): Collections {
  const names = new LRUCache<string, string, [EvmChain, Address]>({
    max: rememberedNames,
    ttl: limits.tokenCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context: [chain, address], options: entry }) => {
      const name = await readAny(chain, { address, abi: nftAbi, functionName: 'name' })
      // A contract may be deployed later.
      if (!name) entry.ttl = limits.tokenMissCacheMs
      return toLabel(name ?? '', maxLabelLength)
    },
  })
  return {
    async nameOf(chain, contract) {
      const key = `${chain.id}:${contract.toLowerCase()}`
      const name = await names.fetch(key, { context: [chain, contract] }).catch(() => '')
      return name ?? ''
    },
  }
}
