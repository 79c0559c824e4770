import {
  decodeAbiParameters,
  hexToBigInt,
  padHex,
  size,
  slice,
  toEventSelector,
  type Address,
  type Hex,
} from 'viem'
import type { Approval, Transfer } from './HistorySource.ts'

const topic = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  transferSingle: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  transferBatch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  withdrawal: toEventSelector('Withdrawal(address,uint256)'),
}

/** Maximum number of watched addresses for which only their own logs are requested. */
const filteredAddresses = 50
/** Maximum number of items that are read from one `TransferBatch`. */
const batchItems = 20

type Topics = (Hex | Hex[] | null)[]

/**
 * The filters of the `eth_getLogs` calls that find the transfers and approvals of addresses. For a few addresses,
 * three filters return only their logs; for many, one filter returns those of all addresses, because nodes accept only
 * short lists.
 */
export function logFilters(addresses: ReadonlySet<string>): Topics[] {
  if (addresses.size > filteredAddresses) return [[Object.values(topic)]]
  const accounts = [...addresses].map((address) => padHex(address as Address, { size: 32 }))
  const { transfer, transferSingle, transferBatch, approval, approvalForAll } = topic
  return [
    [[transfer, approval, approvalForAll, topic.deposit, topic.withdrawal], accounts],
    [[transfer, transferSingle, transferBatch], null, accounts],
    [[transferSingle, transferBatch], null, null, accounts],
  ]
}

/** A log; the text is in lower case. */
type TokenLog = { address: Address; topics: Hex[]; data: Hex }

/** The meaning of a log. */
export type Movement =
  | { type: 'transfer'; transfer: Transfer }
  | { type: 'approval'; owner: Address; approval: Approval }
  /** The wrapped native currency was exchanged for the native currency, which the contract pays out. */
  | { type: 'unwrap'; account: Address; amount: string }

/**
 * Decodes a log of a token. Returns nothing for other logs, and for those whose form does not match the standard.
 *
 * @param wrapped - the token that wraps the native currency, lower case. It reports exchanges with its own events.
 * @see ERC-20, ERC-721, ERC-1155
 */
export function readLog(
  { address: token, topics, data }: TokenLog,
  wrapped: Address | undefined,
): Movement[] {
  const [event, a, b, c] = topics
  if (!event || !a) return []
  const standard = 'erc20'
  const isErc20 = topics.length === 3 && size(data) === 32
  const isErc721 = topics.length === 4 && size(data) === 0
  if (event === topic.transfer && (isErc20 || isErc721) && b) {
    const parties = { token, from: toAddress(a), to: toAddress(b) }
    return isErc20
      ? [{ type: 'transfer', transfer: { standard, ...parties, amount: toDecimal(data) } }]
      : [
          {
            type: 'transfer',
            transfer: { standard: 'erc721', ...parties, amount: '1', tokenId: toDecimal(c!) },
          },
        ]
  }
  if (event === topic.approval && (isErc20 || isErc721) && b) {
    const spender = toAddress(b)
    const approval: Approval = isErc20
      ? { standard, token, spender, amount: toDecimal(data) }
      : {
          standard: 'erc721',
          token,
          spender,
          amount: BigInt(b) === 0n ? '0' : '1',
          tokenId: toDecimal(c!),
        }
    return [{ type: 'approval', owner: toAddress(a), approval }]
  }
  if (event === topic.approvalForAll && b && topics.length === 3 && size(data) === 32) {
    const amount = hexToBigInt(data) === 0n ? '0' : '1'
    const approval: Approval = { standard: 'erc721', token, spender: toAddress(b), amount }
    return [{ type: 'approval', owner: toAddress(a), approval }]
  }
  if (b && c && (event === topic.transferSingle || event === topic.transferBatch)) {
    const parties = { standard: 'erc1155', token, from: toAddress(b), to: toAddress(c) } as const
    return readErc1155(event, data).map(([id, amount]) => ({
      type: 'transfer',
      transfer: { ...parties, amount: String(amount), tokenId: String(id) },
    }))
  }
  if (token === wrapped && topics.length === 2 && size(data) === 32) {
    const account = toAddress(a)
    const amount = toDecimal(data)
    if (event === topic.deposit)
      return [{ type: 'transfer', transfer: { standard, token, from: token, to: account, amount } }]
    if (event === topic.withdrawal)
      return [
        { type: 'transfer', transfer: { standard, token, from: account, to: token, amount } },
        { type: 'unwrap', account, amount },
      ]
  }
  return []
}

function readErc1155(event: Hex, data: Hex): [id: bigint, amount: bigint][] {
  if (event === topic.transferSingle)
    return size(data) === 64
      ? [[hexToBigInt(slice(data, 0, 32)), hexToBigInt(slice(data, 32, 64))]]
      : []
  try {
    const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
    if (ids.length !== amounts.length) return []
    return ids.slice(0, batchItems).map((id, index) => [id, amounts[index]!])
  } catch {
    return [] // any contract can emit malformed data
  }
}

function toAddress(word: Hex): Address {
  return slice(word, 12, 32)
}

function toDecimal(word: Hex): string {
  return String(hexToBigInt(word))
}
