import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import type { SafeFetch } from '../../http/createSafeFetch.ts'
import { RefusedError } from '../requests.ts'
import type { HistoryMetrics } from './createHistoryMetrics.ts'
import {
  HistoryUnavailableError,
  type Entry,
  type HistoryPage,
  type HistorySource,
  type Transfer,
} from './HistorySource.ts'

/** Maximum size of a response. */
const maxBytes = 2 * 1024 * 1024
const timeoutMs = 5_000
/** How long a page is cached, and how many. */
const cacheMs = 15_000
const cachedPages = 200
/** Maximum number of further requests for one page, while a block has more items than a page of Blockscout. */
const extraRequests = 3

const Account = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i),
  v.transform((text) => text.toLowerCase() as Address),
)
const Party = v.object({ hash: Account })
const Hash = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{64}$/i),
  v.transform((text) => text.toLowerCase() as Hex),
)
const Decimal = v.pipe(v.string(), v.regex(/^\d{1,78}$/))
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
)

/** The parameters of the next page, which a client of Blockscout sends back. */
const Params = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)),
    v.nullable(v.union([v.number(), v.boolean(), v.pipe(v.string(), v.maxLength(100))])),
  ),
  v.check((params) => Object.keys(params).length <= 12),
)

type Params = v.InferOutput<typeof Params>

const Transaction = v.object({
  hash: Hash,
  block_number: v.nullish(Count),
  position: v.nullish(Count, 0),
  timestamp: v.nullish(Time),
  from: Party,
  to: v.nullish(Party),
  created_contract: v.nullish(Party),
  nonce: Count,
  value: Decimal,
  status: v.nullish(v.string()),
  raw_input: v.nullish(v.string(), '0x'),
})

const TokenTransfer = v.object({
  transaction_hash: Hash,
  block_number: Count,
  timestamp: Time,
  log_index: v.union([Count, v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.toNumber())]),
  from: Party,
  to: Party,
  token: v.object({ address_hash: Account, type: v.string() }),
  total: v.nullish(v.object({ value: v.nullish(Decimal), token_id: v.nullish(Decimal) })),
})

type Transaction = v.InferOutput<typeof Transaction>
type TokenTransfer = v.InferOutput<typeof TokenTransfer>

/**
 * The position in one of the two lists: at its start, after a page, or at its
 * end.
 */
const Place = v.union([v.literal('start'), v.literal('end'), Params])

type Place = v.InferOutput<typeof Place>

const Cursor = v.object({
  /** Blocks from this one on have been returned. */
  before: Count,
  transactions: Place,
  transfers: Place,
})

type Item = { block_number?: number | null | undefined }

type Page<T extends Item> = { at: Place; items: T[]; next: Place }

/**
 * Creates the source that reads a Blockscout instance: the transactions of an
 * account and its token transfers, merged into one list. The instance learns
 * only the account and the position in the list.
 *
 * @param options.url - of the instance; its query, such as an API key, is kept.
 * @see https://docs.blockscout.com/api-reference (API v2), docs/history/blockscout.md
 */
export function createBlockscoutSource(options: {
  chain: string
  url: string
  safeFetch: SafeFetch
  metrics: HistoryMetrics
  now: () => number
}): HistorySource {
  const { chain, metrics, now, safeFetch, url } = options
  const pages = new LRUCache<string, HistoryPage, [Address, string | undefined]>({
    max: cachedPages,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context: [account, cursor] }) => load(account, cursor),
  })

  async function load(account: Address, cursor: string | undefined): Promise<HistoryPage> {
    const { before, ...from } = cursor === undefined ? start : parseCursor(cursor)
    const transactions = createList(from.transactions, async (at) =>
      request(Transaction, account, 'transactions', at),
    )
    const transfers = createList(from.transfers, async (at) =>
      request(TokenTransfer, account, 'token-transfers', at),
    )
    await Promise.all([transactions.more(), transfers.more()])
    // A block may continue on the next page of a list, so it is complete only
    // once a lower block was read in both lists.
    let lowest = Math.max(transactions.lowest(), transfers.lowest())
    for (let extra = 0; extra < extraRequests && lowest >= before - 1; extra++) {
      await (transactions.lowest() === lowest ? transactions.more() : transfers.more())
      lowest = Math.max(transactions.lowest(), transfers.lowest())
    }
    // After that limit, a part of the block is returned.
    if (lowest >= before - 1) lowest = before - 2
    const isShown = ({ block_number: block }: Item) =>
      typeof block === 'number' && block < before && block > lowest
    const entries = toEntries(account, {
      transactions: transactions.items().filter(isShown),
      transfers: transfers.items().filter(isShown),
    })
    const next = {
      before: lowest + 1,
      transactions: transactions.placeBelow(lowest),
      transfers: transfers.placeBelow(lowest),
    }
    const isEnd = lowest < 0 || (next.transactions === 'end' && next.transfers === 'end')
    return {
      entries,
      next: isEnd ? null : Buffer.from(JSON.stringify(next)).toString('base64url'),
    }
  }

  async function request<T extends Item>(
    schema: v.GenericSchema<unknown, T>,
    account: Address,
    list: string,
    at: Place,
  ): Promise<Page<T>> {
    const target = new URL(url)
    target.pathname = `${target.pathname.replace(/\/$/, '')}/api/v2/addresses/${account}/${list}`
    if (typeof at === 'object')
      for (const [key, value] of Object.entries(at))
        if (value !== null) target.searchParams.set(key, String(value))
    metrics.calls.inc({ chain })
    try {
      const { bytes } = await safeFetch(target.href, {
        types: ['application/json'],
        maxBytes,
        timeoutMs,
        isConfigured: true,
      })
      const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
      const { items, next_page_params: next } = v.parse(
        v.object({ items: v.array(schema), next_page_params: v.nullish(Params) }),
        body,
      )
      return { at, items, next: next && items.length > 0 ? next : 'end' }
    } catch (error) {
      metrics.failures.inc({ chain })
      throw new HistoryUnavailableError(`The history of ${chain} cannot be read now.`, {
        cause: error,
      })
    }
  }

  return {
    async read(account, cursor) {
      const page = await pages.fetch(`${account} ${cursor ?? ''}`, { context: [account, cursor] })
      return page ?? { entries: [], next: null }
    },
  }
}

const start = {
  before: Number.MAX_SAFE_INTEGER,
  transactions: 'start',
  transfers: 'start',
} as const

/** A list of Blockscout, which is read page by page. */
function createList<T extends Item>(from: Place, request: (at: Place) => Promise<Page<T>>) {
  const pages: Page<T>[] = []
  const place = () => pages.at(-1)?.next ?? from
  return {
    items: () => pages.flatMap((page) => page.items),
    async more() {
      if (place() !== 'end') pages.push(await request(place()))
    },
    /** The block of the last item that was read; -1 if there are no more. */
    lowest(): number {
      if (place() === 'end') return -1
      return pages.at(-1)?.items.at(-1)?.block_number ?? Number.MAX_SAFE_INTEGER
    },
    /** The first page with an item in this block or below it. */
    placeBelow(block: number): Place {
      const page = pages.find(({ items }) => items.some((it) => (it.block_number ?? 0) <= block))
      return page?.at ?? place()
    },
  }
}

function toEntries(
  account: Address,
  lists: { transactions: Transaction[]; transfers: TokenTransfer[] },
): Entry[] {
  const entries = new Map<Hex, Entry>()
  for (const transaction of lists.transactions) {
    const { created_contract, from, hash, position, timestamp, to, value } = transaction
    const isFailed = transaction.status === 'error'
    const native: Transfer[] =
      value !== '0' && to && !isFailed
        ? [{ standard: 'native', from: from.hash, to: to.hash, amount: value }]
        : []
    entries.set(hash, {
      hash,
      block: transaction.block_number ?? 0,
      position,
      minedAt: timestamp ?? 0,
      from: from.hash,
      to: to?.hash ?? null,
      ...(created_contract && { created: created_contract.hash }),
      nonce: transaction.nonce,
      isFailed,
      value,
      isCall: transaction.raw_input !== '0x',
      transfers: native,
      approvals: [],
    })
  }
  for (const it of lists.transfers.toSorted((a, b) => a.log_index - b.log_index)) {
    const transfer = toTransfer(it)
    if (!transfer) continue
    const hash = it.transaction_hash
    const entry: Entry = entries.get(hash) ?? {
      // The list of transactions has only those from and to the account.
      hash,
      block: it.block_number,
      position: it.log_index,
      minedAt: it.timestamp,
      from: it.from.hash,
      to: it.token.address_hash,
      nonce: 0,
      isFailed: false,
      value: '0',
      isCall: true,
      transfers: [],
      approvals: [],
    }
    // As in toEntries.ts: anyone can create a zero-amount transfer.
    const isForeign = !entries.has(hash) || entry.from !== account
    if (isForeign && transfer.amount === '0') continue
    entries.set(hash, entry)
    if (entry.transfers.length < limits.historyTransfers) entry.transfers.push(transfer)
  }
  return [...entries.values()]
    .filter(({ from, transfers }) => from === account || transfers.length > 0)
    .toSorted((a, b) => b.block - a.block || b.position - a.position)
}

const standards = { 'ERC-20': 'erc20', 'ERC-721': 'erc721', 'ERC-1155': 'erc1155' } as const

function toTransfer({ from, to, token, total }: TokenTransfer): Transfer | undefined {
  if (!Object.hasOwn(standards, token.type)) return undefined
  const standard = standards[token.type as keyof typeof standards]
  const amount = total?.value ?? (standard === 'erc721' ? '1' : undefined)
  const tokenId = total?.token_id ?? undefined
  if (amount === undefined || (standard !== 'erc20' && tokenId === undefined)) return undefined
  return {
    standard,
    token: token.address_hash,
    from: from.hash,
    to: to.hash,
    amount,
    ...(standard !== 'erc20' && tokenId !== undefined && { tokenId }),
  }
}

function parseCursor(cursor: string): v.InferOutput<typeof Cursor> {
  try {
    return v.parse(Cursor, JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new RefusedError('cursor', 'cursor is not `next` of a page of this history')
  }
}
