import { limits } from '@gatefold/protocol'
import * as v from 'valibot'

const Address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i, 'must be an address of 20 bytes'),
  v.transform((text) => text as `0x${string}`),
)

const Label = v.pipe(v.string(), v.minLength(1), v.maxLength(100))

const Decimals = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36))

/** A token, with the field names of a token list. @see https://tokenlists.org */
const Token = v.object({
  address: Address,
  name: Label,
  symbol: Label,
  decimals: Decimals,
  logoURI: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\//, 'must be an http(s) URL'))),
  /** Whether the token has `permit`. @see ERC-2612 */
  permit: v.optional(v.boolean()),
})

export type Token = v.InferOutput<typeof Token>

/** The contracts of Uniswap on a chain. */
const Uniswap = v.object({
  /** The factory of Uniswap v3. */
  factory: Address,
  /** The factory of Uniswap v2. Used only if the router has the same one. */
  v2Factory: v.optional(Address),
  /** QuoterV2. */
  quoter: Address,
  /** SwapRouter02. */
  router: Address,
})

export type Uniswap = v.InferOutput<typeof Uniswap>

/** The contracts of 0x on a chain. */
const ZeroEx = v.object({
  /** AllowanceHolder: the contract that may spend tokens. */
  allowanceHolder: Address,
  /**
   * The registry of Settlers, the swapping contracts; each release has a new
   * Settler.
   */
  settlers: Address,
})

export type ZeroEx = v.InferOutput<typeof ZeroEx>

/** The contract of 1inch on a chain. */
const OneInch = v.object({
  /** AggregationRouterV6. */
  router: Address,
})

/** A collection of NFTs whose holdings are read without a history, and which never counts as spam. */
const Collection = v.pipe(
  v.object({
    address: Address,
    standard: v.picklist(['erc721', 'erc1155'], 'must be erc721 or erc1155'),
    /**
     * The token ids to check. Not needed if the contract has
     * `tokenOfOwnerByIndex`. @see ERC-721
     */
    tokenIds: v.optional(
      v.pipe(
        v.array(v.pipe(v.string(), v.regex(/^\d{1,78}$/, 'must be a whole number'))),
        v.maxLength(limits.collectionTokens),
      ),
    ),
  }),
  v.check(
    ({ standard, tokenIds }) => standard === 'erc721' || tokenIds !== undefined,
    'of the standard erc1155 must have tokenIds',
  ),
)

export type Collection = v.InferOutput<typeof Collection>

/** The data of an EVM chain besides its upstreams. */
export const ChainData = v.object({
  name: Label,
  nativeCurrency: v.object({ name: Label, symbol: Label, decimals: Decimals }),
  multicall3: Address,
  ensUniversalResolver: v.optional(Address),
  /** The token that wraps the native currency. */
  wrapped: v.optional(Address),
  uniswap: v.optional(Uniswap),
  zeroEx: v.optional(ZeroEx),
  oneInch: v.optional(OneInch),
  /**
   * Tokens that count as one US dollar. Prices are derived from pools with
   * these tokens.
   */
  dollars: v.optional(v.array(Address), []),
  tokens: v.optional(v.pipe(v.array(Token), v.maxLength(limits.chainTokens)), []),
  collections: v.optional(v.pipe(v.array(Collection), v.maxLength(limits.chainCollections))),
})

export type ChainData = v.InferOutput<typeof ChainData>

/** The value of `GATEFOLD_CHAINS`: data by CAIP-2 id of an EVM chain. It replaces the built-in data of these chains. */
export const ChainDataById = v.record(
  v.pipe(v.string(), v.regex(/^eip155:\d{1,32}$/, 'must be a CAIP-2 id such as eip155:1')),
  ChainData,
)

/** The address of a token, normalized for comparison. */
export function keyOf(address: string): string {
  return address.toLowerCase()
}

/** The token of the chain's list with an address, or `undefined`. */
export function findListed({ tokens }: ChainData, address: string): Token | undefined {
  const key = keyOf(address)
  return tokens.find((token) => keyOf(token.address) === key)
}
