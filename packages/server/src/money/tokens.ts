import { limits, toLabel } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import { erc20Abi, type Address } from 'viem'
import { findListed, keyOf, type Token } from './chainData/ChainData.ts'
import type { EvmChain } from './evm/createEvmChain.ts'
import { readAny } from './evm/readAny.ts'

/** Maximum length of the name or symbol that a contract returns. */
export const maxLabelLength = 50
/** Maximum number of cached tokens outside the lists. */
const rememberedTokens = 10_000

export type Tokens = {
  /** The token with an address: from the chain's list, otherwise from its contract; `undefined` if it is not a token. */
  find(chain: EvmChain, address: Address): Promise<Token | undefined>
}

export function createTokens({ now }: { now: () => number }): Tokens {
  const unlisted = new LRUCache<string, { token: Token | undefined }, [EvmChain, Address]>({
    max: rememberedTokens,
    ttl: limits.tokenCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context, options: entry }) => {
      const token = await readToken(...context)
      // A token may be deployed later.
      if (!token) entry.ttl = limits.tokenMissCacheMs
      return { token }
    },
  })
  return {
    async find(chain, address) {
      const listed = findListed(chain.data, address)
      if (listed) return listed
      const key = `${chain.id}:${keyOf(address)}`
      return (await unlisted.fetch(key, { context: [chain, address] }))?.token
    },
  }
}

/** @throws if the chain cannot be read. */
async function readToken(chain: EvmChain, address: Address): Promise<Token | undefined> {
  const read = { address, abi: erc20Abi } as const
  const [decimals, symbol, name] = await Promise.all([
    readAny(chain, { ...read, functionName: 'decimals' }),
    readAny(chain, { ...read, functionName: 'symbol' }),
    readAny(chain, { ...read, functionName: 'name' }),
  ])
  if (decimals === undefined || symbol === undefined) return undefined
  return {
    address,
    decimals,
    symbol: toLabel(symbol, maxLabelLength),
    name: toLabel(name || symbol, maxLabelLength),
  }
}
