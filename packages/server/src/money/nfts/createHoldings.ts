import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import { isAddressEqual, type Address } from 'viem'
import type { Collection } from '../chainData/ChainData.ts'
import { multiTokenAbi, nftAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { readAny } from '../evm/readAny.ts'
import type { History } from '../history/HistorySource.ts'
import { toAssetId, type NftCandidate, type NftToken } from './NftToken.ts'

/** A token that an account owns. */
export type Holding = NftToken & { amount: bigint }

export type HoldingsPage = { holdings: Holding[]; nextCursor?: string }

export type Holdings = {
  /** A page of the tokens that an account owns now. @throws if the chain cannot be read. */
  read(chain: EvmChain, account: Address, cursor: string | undefined): Promise<HoldingsPage>
}

/** How many pages are cached. */
const cachedPages = 5_000
/** Maximum number of tokens of one collection that are listed through `tokenOfOwnerByIndex`. */
const maxListedTokens = 200
/**
 * Puts the tokens of listed collections first, so that neither spam nor a
 * history that is still being read changes their position.
 */
const beforeAll = 999_999_999_999_999

/**
 * Creates a cached reader of holdings. Candidates come from the collections in the chain's data and from the account's
 * history. Each is checked on the chain.
 */
export function createHoldings({
  history,
  now,
}: {
  history: Pick<History, 'listNfts'>
  now: () => number
}): Holdings {
  const pages = new LRUCache<string, HoldingsPage, [EvmChain, Address, string | undefined]>({
    max: cachedPages,
    ttl: limits.balanceCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context: [chain, account, cursor] }) =>
      readPage(history, chain, account, cursor),
  })
  return {
    async read(chain, account, cursor) {
      const key = `${chain.id}:${account.toLowerCase()}:${cursor ?? ''}`
      const page = await pages.fetch(key, { context: [chain, account, cursor] })
      return page!
    },
  }
}

async function readPage(
  history: Pick<History, 'listNfts'>,
  chain: EvmChain,
  account: Address,
  cursor: string | undefined,
): Promise<HoldingsPage> {
  const [listed, seen] = await Promise.all([
    listCandidates(chain, account),
    history.listNfts(chain.id, account),
  ])
  const candidates = [
    ...new Map([...seen, ...listed].map((token) => [toAssetId(chain.id, token), token])).values(),
  ]
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const sorted = candidates.toSorted(compare)
  const start = after ? sorted.findIndex((it) => compare(it, after) > 0) : 0
  const page = start < 0 ? [] : sorted.slice(start, start + limits.nftPageSize)
  const amounts = await readAll(page.map(async (token) => readAmount(chain, account, token)))
  const last = page.at(-1)
  const hasMore = last !== undefined && last !== sorted.at(-1)
  return {
    holdings: page.flatMap((token, index) => {
      const amount = amounts[index] ?? 0n
      return amount > 0n ? [{ ...token, amount }] : []
    }),
    ...(hasMore && { nextCursor: formatCursor(last) }),
  }
}

/** The tokens of the listed collections that the account may own. */
async function listCandidates(chain: EvmChain, account: Address): Promise<NftCandidate[]> {
  const lists = await readAll(
    (chain.data.collections ?? []).map(async (collection) =>
      listTokenIds(chain, account, collection),
    ),
  )
  return (chain.data.collections ?? []).flatMap(({ address, standard }, index) =>
    (lists[index] ?? []).map((tokenId) => ({
      standard,
      contract: address.toLowerCase() as Address,
      tokenId,
      lastSeenAt: beforeAll,
    })),
  )
}

async function listTokenIds(
  chain: EvmChain,
  account: Address,
  { address, tokenIds }: Collection,
): Promise<bigint[]> {
  if (tokenIds) return [...new Set(tokenIds.map(BigInt))]
  const read = { address, abi: nftAbi } as const
  const count = await readAny(chain, { ...read, functionName: 'balanceOf', args: [account] })
  const length = Math.min(Number(count ?? 0n), maxListedTokens)
  const ids = await readAll(
    Array.from({ length }, async (_, index) =>
      readAny(chain, {
        ...read,
        functionName: 'tokenOfOwnerByIndex',
        args: [account, BigInt(index)],
      }),
    ),
  )
  return ids.filter((id) => id !== undefined)
}

async function readAmount(chain: EvmChain, account: Address, token: NftToken): Promise<bigint> {
  const { standard, contract: address, tokenId } = token
  if (standard === 'erc1155') {
    const read = { address, abi: multiTokenAbi, functionName: 'balanceOf' } as const
    return (await readAny(chain, { ...read, args: [account, tokenId] })) ?? 0n
  }
  const read = { address, abi: nftAbi, functionName: 'ownerOf' } as const
  const owner = await readAny(chain, { ...read, args: [tokenId] })
  return owner && isAddressEqual(owner, account) ? 1n : 0n
}

/**
 * Awaits reads of several contracts. A contract that cannot be read yields
 * `undefined`, because it may be hostile.
 *
 * @throws the first error if none can be read.
 */
async function readAll<Result>(reads: Promise<Result>[]): Promise<(Result | undefined)[]> {
  const results = await Promise.allSettled(reads)
  const [first] = results
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected'))
    throw first.reason
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
}

type Position = Pick<NftCandidate, 'lastSeenAt' | 'contract' | 'tokenId'>

/** The order of the pages: listed collections first, then the latest transfer. */
function compare(a: Position, b: Position): number {
  if (a.lastSeenAt !== b.lastSeenAt) return b.lastSeenAt - a.lastSeenAt
  if (a.contract !== b.contract) return a.contract < b.contract ? -1 : 1
  return a.tokenId < b.tokenId ? -1 : Number(a.tokenId > b.tokenId)
}

function formatCursor({ lastSeenAt, contract, tokenId }: Position): string {
  return `${lastSeenAt}.${contract}.${tokenId}`
}

function parseCursor(cursor: string): Position {
  const [lastSeenAt = '', contract = '', tokenId = ''] = cursor.split('.')
  return { lastSeenAt: Number(lastSeenAt), contract: contract as Address, tokenId: BigInt(tokenId) }
}
