import * as v from 'valibot'
import { numberToHex, type Address, type Hex } from 'viem'
import type { Call } from '../../rpc/batch.ts'
import { logFilters } from './logs.ts'

/** Sends calls to the upstreams of a chain. @throws if one of them has an error. */
export type SendCalls = (calls: Call[]) => Promise<unknown[]>

const Hash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i), v.transform(toLower))
const Account = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i),
  v.transform((text) => text.toLowerCase() as Address),
)
const Bytes = v.pipe(v.string(), v.regex(/^0x[0-9a-f]*$/i), v.transform(toLower))
const Quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/i), v.toBigint())
const Count = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,13}$/i), v.toNumber(), v.safeInteger())

const Header = v.object({ number: Count, hash: Hash, parentHash: Hash, timestamp: Count })

const Transaction = v.object({
  hash: Hash,
  transactionIndex: Count,
  from: Account,
  to: v.optional(v.nullable(Account), null),
  value: Quantity,
  nonce: Count,
  input: Bytes,
})

const Block = v.object({ ...Header.entries, transactions: v.array(Transaction) })

const Log = v.object({
  address: Account,
  topics: v.pipe(v.array(Hash), v.maxLength(4)),
  data: Bytes,
  blockNumber: Count,
  blockHash: Hash,
  transactionIndex: Count,
  logIndex: Count,
  removed: v.optional(v.boolean(), false),
})

const Receipt = v.object({
  blockHash: Hash,
  transactionHash: Hash,
  status: v.optional(Count, '0x1'),
  contractAddress: v.optional(v.nullable(Account), null),
  logs: v.array(Log),
})

export type Header = v.InferOutput<typeof Header>
export type Transaction = v.InferOutput<typeof Transaction>
export type Log = v.InferOutput<typeof Log>
export type Receipt = v.InferOutput<typeof Receipt>

/** A block with the data that may concern the watched addresses. */
export type BlockFacts = v.InferOutput<typeof Block> & {
  /** In the order of the block. */
  logs: Log[]
  /** Of transactions from or to watched addresses, by hash. */
  receipts: ReadonlyMap<Hex, Receipt>
}

/** Maximum number of calls in one request to an upstream. */
const callsAtOnce = 100

/**
 * Reads consecutive blocks, lowest first: headers and transactions, the logs of transfers and approvals, and the
 * receipts of transactions from or to watched addresses. Everything belongs to the same chain of blocks.
 *
 * Takes one call for each block. If the blocks have transactions, also one to three calls for their logs, one that
 * checks the last block again, and one for each transaction from or to a watched address.
 *
 * @throws {InconsistentBlocksError} if the replies belong to different chains of blocks.
 * @throws {v.ValiError} if a reply is malformed.
 */
export async function readBlocks(
  send: SendCalls,
  { from, to, addresses }: { from: number; to: number; addresses: ReadonlySet<string> },
): Promise<BlockFacts[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const blocks = (await sendInBatches(send, numbers.map(getBlock(true)))).map((reply, index) => {
    if (reply === null) throw new InconsistentBlocksError(`block ${numbers[index]} is missing`)
    return v.parse(Block, reply)
  })
  for (const [index, { number, parentHash }] of blocks.entries()) {
    if (number !== numbers[index])
      throw new InconsistentBlocksError(`block ${numbers[index]} has the number ${number}`)
    const parent = blocks[index - 1]
    if (parent && parent.hash !== parentHash)
      throw new InconsistentBlocksError(`block ${number} has another parent`)
  }
  const transactions = blocks.flatMap((block) => block.transactions)
  if (transactions.length === 0) return blocks.map(withNothing)

  const logs = await readLogs(send, blocks, addresses)
  const own = transactions.filter(
    (transaction) => addresses.has(transaction.from) || addresses.has(transaction.to ?? ''),
  )
  const receipts = await readReceipts(send, own)
  return blocks.map((block) => {
    const ofBlock = new Map(
      block.transactions.flatMap(({ hash }) => {
        const receipt = receipts.get(hash)
        if (receipt && receipt.blockHash !== block.hash)
          throw new InconsistentBlocksError(`a receipt belongs to another block ${block.number}`)
        return receipt ? [[hash, receipt] as const] : []
      }),
    )
    return { ...block, logs: logs.get(block.hash) ?? [], receipts: ofBlock }
  })
}

/** The latest block. */
export async function readHead(send: SendCalls): Promise<Header> {
  const [reply] = await send([{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
  return v.parse(Header, reply)
}

/** The headers of blocks, in the order of their numbers; `undefined` for a block that the upstream does not have. */
export async function readHeaders(
  send: SendCalls,
  numbers: number[],
): Promise<(Header | undefined)[]> {
  const replies = await sendInBatches(send, numbers.map(getBlock(false)))
  return replies.map((reply) => (reply === null ? undefined : v.parse(Header, reply)))
}

function withNothing(block: v.InferOutput<typeof Block>): BlockFacts {
  return { ...block, logs: [], receipts: new Map() }
}

/** The logs of blocks by the hash of their block. */
async function readLogs(
  send: SendCalls,
  blocks: v.InferOutput<typeof Block>[],
  addresses: ReadonlySet<string>,
): Promise<Map<string, Log[]>> {
  const first = blocks[0]!
  const last = blocks.at(-1)!
  const range = { fromBlock: numberToHex(first.number), toBlock: numberToHex(last.number) }
  const filters = logFilters(addresses)
  const replies = await send([
    ...filters.map((topics) => ({ method: 'eth_getLogs', params: [{ ...range, topics }] })),
    // If the last block is unchanged afterwards, the logs belong to these
    // blocks.
    getBlock(false)(last.number),
  ])
  const again = v.parse(v.nullable(Header), replies.at(-1))
  if (again?.hash !== last.hash)
    throw new InconsistentBlocksError(`block ${last.number} changed while its logs were read`)
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  const byBlock = new Map<string, Map<number, Log>>()
  for (const log of replies.slice(0, -1).flatMap((reply) => v.parse(v.array(Log), reply))) {
    const { blockNumber, blockHash, logIndex, removed } = log
    if (removed || hashes.get(blockNumber) !== blockHash)
      throw new InconsistentBlocksError(`a log belongs to another block ${blockNumber}`)
    const ofBlock = byBlock.get(blockHash) ?? new Map<number, Log>()
    byBlock.set(blockHash, ofBlock.set(logIndex, log))
  }
  return new Map(
    [...byBlock].map(([hash, ofBlock]) => [
      hash,
      [...ofBlock.values()].toSorted((a, b) => a.logIndex - b.logIndex),
    ]),
  )
}

async function readReceipts(
  send: SendCalls,
  transactions: Transaction[],
): Promise<Map<string, Receipt>> {
  const replies = await sendInBatches(
    send,
    transactions.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  return new Map(
    replies.map((reply, index) => {
      const { hash } = transactions[index]!
      if (reply === null) throw new InconsistentBlocksError(`transaction ${hash} has no receipt`)
      const receipt = v.parse(Receipt, reply)
      if (receipt.transactionHash !== hash)
        throw new InconsistentBlocksError(`transaction ${hash} has the receipt of another`)
      return [hash, receipt]
    }),
  )
}

async function sendInBatches(send: SendCalls, calls: Call[]): Promise<unknown[]> {
  const replies: unknown[] = []
  for (let start = 0; start < calls.length; start += callsAtOnce)
    replies.push(...(await send(calls.slice(start, start + callsAtOnce))))
  return replies
}

function getBlock(withTransactions: boolean) {
  return (number: number): Call => ({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(number), withTransactions],
  })
}

function toLower(text: string): Hex {
  return text.toLowerCase() as Hex
}

/** Replies of an upstream belong to different chains of blocks: the chain changed, or the upstream is wrong. */
export class InconsistentBlocksError extends Error {
  override name = 'InconsistentBlocksError'
}
