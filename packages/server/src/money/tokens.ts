import { toLabel } from '@gatefold/protocol'
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

export function createTokens(): Tokens {
  const unlisted = new LRUCache<string, { token?: Token }>({ max: rememberedTokens })
  return {
    async find(chain, address) {
      const key = keyOf(address)
      const listed = findListed(chain.data, address)
      if (listed) return listed
      const known = unlisted.get(`${chain.id}:${key}`)
      if (known) return known.token
      const token = await readToken(chain, address)
      unlisted.set(`${chain.id}:${key}`, token ? { token } : {})
      return token
    },
  }
}

/** @throws if the chain cannot be read. */
async function readToken(chain: EvmChain, address: Address): Promise<Token | undefined> {
  const read = { address, abi: erc20Abi } as const
  const [decimals, symbol, name] = await Promise.allSettled([
    readAny(chain, { ...read, functionName: 'decimals' }),
    readAny(chain, { ...read, functionName: 'symbol' }),
    readAny(chain, { ...read, functionName: 'name' }),
  ])
  if (decimals.status === 'rejected') throw decimals.reason
  if (decimals.value === undefined || symbol.status === 'rejected') return undefined
  if (symbol.value === undefined) return undefined
  return {
    address,
    decimals: decimals.value,
    symbol: toLabel(symbol.value, maxLabelLength),
    name: toLabel((name.status === 'fulfilled' && name.value) || symbol.value, maxLabelLength),
  }
}
