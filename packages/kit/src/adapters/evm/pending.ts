import { isAddressEqual, keccak256, pad, slice, stringToHex } from 'viem'
import type { Address, Client, Hex, Transaction, TransactionReceipt } from 'viem'
import {
  estimateFeesPerGas,
  getBlock,
  getBlockNumber,
  getGasPrice,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
} from 'viem/actions'
import { getAction } from 'viem/utils'

import type {
  AddressOnNetwork,
  TransactionMark,
  TransactionState,
} from '../../core/connection/Adapter.ts'
import { NetworkNotFoundError, TransactionError } from '../../core/kit/requestErrors.ts'
import type { Network } from '../../core/networks/Network.ts'
import type { Evm } from './context.ts'
import { assertChain, readClient, reasonOf, send } from './transactions.ts'
import type { Fees } from './transactions.ts'
import { getWallet } from './wallet.ts'

type Parameters = AddressOnNetwork & { hash: string }

/**
 * Reads the status of an account's transaction once. Without `mark`, a
 * replacement cannot be detected.
 *
 * @throws {NetworkNotFoundError} the network is not configured
 * @throws viem's errors if the node fails
 */
export async function readTransaction(
  evm: Evm,
  parameters: Parameters & { mark?: TransactionMark | undefined },
): Promise<TransactionState> {
  const { address, mark } = parameters
  const hash = parameters.hash as Hex
  const client = clientOf(evm, parameters.network)
  const receipt = await unlessMissing(
    getAction(client, getTransactionReceipt, 'getTransactionReceipt')({ hash }),
  )
  if (receipt) {
    const { status, blockNumber } = receipt
    const fee = feeOf(receipt, address as Address)
    if (status === 'success') return { status, blockNumber, fee }
    const reason = await reasonOf(client, hash, blockNumber, evm.sent.get(hash)?.abi)
    return { status, blockNumber, fee, reason }
  }
  const transaction = await unlessMissing(
    getAction(client, getTransaction, 'getTransaction')({ hash }),
  )
  if (transaction) {
    if (mark) return { status: 'pending', mark }
    const block = await getAction(client, getBlockNumber, 'getBlockNumber')({ cacheTime: 0 })
    // The transaction may have been included in the meantime, so the previous
    // block is the last one without it.
    return { status: 'pending', mark: toMark(transaction, Math.max(0, Number(block) - 1)) }
  }
  if (!mark) return { status: 'missing' }
  const used = await getAction(
    client,
    getTransactionCount,
    'getTransactionCount',
  )({ address: address as Address })
  return used > mark.nonce
    ? findReplacement(client, address as Address, mark)
    : { status: 'missing' }
}

/** The entry points 0.6, 0.7 and 0.8. @see ERC-4337 */
const entryPoints: readonly string[] = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
]
/** Topic of `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`. @see ERC-4337 */
const operationTopic = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
/** Topic of `Transfer(address,address,uint256)`. @see ERC-20 */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * The fee that an account paid for a transaction: the cost of its user operations in the transaction or, without any,
 * the fee of the transaction if the account sent it. Operations that a paymaster paid count as 0. Undefined if the
 * account paid the paymaster in a token, or if another account paid.
 *
 * @see ERC-4337
 */
function feeOf(
  { from, gasUsed, effectiveGasPrice, logs }: TransactionReceipt,
  account: Address,
): bigint | undefined {
  const sender = pad(account).toLowerCase()
  const operations = logs.filter(
    ({ address, topics }) =>
      entryPoints.includes(address.toLowerCase()) &&
      topics[0] === operationTopic &&
      topics[2] === sender,
  )
  if (operations.length === 0)
    return isAddressEqual(from, account) ? gasUsed * effectiveGasPrice : undefined
  let fee = 0n
  for (const { topics, data } of operations) {
    const paymaster = topics[3]
    // The data consists of 32-byte words: nonce, success, cost, gas.
    if (paymaster !== undefined && BigInt(paymaster) === 0n) fee += BigInt(slice(data, 64, 96))
    const isCharged = logs.some(
      ({ topics: [topic, payer, payee] }) =>
        topic === transferTopic && payer === sender && payee === paymaster,
    )
    if (isCharged) return undefined
  }
  return fee
}

/**
 * Replaces a pending transaction of the connected account: sends another one
 * with the same nonce and with fees that are at least 12.5 % higher, as nodes
 * require.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 * @throws {TransactionError} the transaction is no longer pending or belongs to
 *   another account, the wallet is on another network, or any other failure
 */
export async function replaceTransaction(
  evm: Evm,
  { hash, network, address, how }: Parameters & { how: 'speedUp' | 'cancel' },
): Promise<{ hash: string; isReplacement: boolean }> {
  const wallet = await getWallet(evm, { address })
  assertChain(evm, wallet, network.caipNetworkId)
  const client = clientOf(evm, network)
  // Read from the network, because another script of the page could have
  // changed the stored transaction.
  const old = await unlessMissing(
    getAction(client, getTransaction, 'getTransaction')({ hash: hash as Hex }),
  )
  if (!old || old.blockNumber !== null)
    throw new TransactionError('The transaction is no longer pending')
  if (!isAddressEqual(old.from, wallet.account))
    throw new TransactionError('The transaction belongs to another account')
  const { nonce, input, to, value, gas } = old
  const transaction =
    how === 'cancel'
      ? { from: wallet.account, to: wallet.account, value: 0n }
      : { from: wallet.account, to, value, data: input, gas }
  const sent = await send(evm, wallet, transaction, { nonce, ...(await raisedFees(client, old)) })
  const used = await readNonce(client, sent)
  return { hash: sent, isReplacement: used === undefined || used === nonce }
}

/** How many times a transaction that the network may not know yet is requested, and the pause between requests. */
const nonceReads = { count: 5, pauseMs: 500 }

/** The nonce of a transaction that was just sent; undefined if the network does not know the transaction. */
async function readNonce(client: Client, hash: Hex): Promise<number | undefined> {
  for (let read = 0; read < nonceReads.count; read++) {
    if (read > 0) await new Promise((resolve) => setTimeout(resolve, nonceReads.pauseMs))
    try {
      return (await getAction(client, getTransaction, 'getTransaction')({ hash })).nonce
    } catch {
      // The node does not know it yet, or failed.
    }
  }
  return undefined
}

/** The current fees of the network, but at least 12.5 % more than those of a transaction. */
async function raisedFees(client: Client, old: Transaction): Promise<Fees> {
  if (old.maxFeePerGas === undefined) {
    const price = await getAction(client, getGasPrice, 'getGasPrice')({})
    return { gasPrice: max(raised(old.gasPrice ?? 0n), price) }
  }
  const { chain } = client
  const fees = await getAction(client, estimateFeesPerGas, 'estimateFeesPerGas')({ chain })
  return {
    maxFeePerGas: max(raised(old.maxFeePerGas), fees.maxFeePerGas),
    maxPriorityFeePerGas: max(raised(old.maxPriorityFeePerGas), fees.maxPriorityFeePerGas),
  }
}

/** 12.5 % more, rounded up; at least one more, because nodes do not accept the same fee. */
export function raised(fee: bigint): bigint {
  return max((fee * 1125n + 999n) / 1000n, fee + 1n)
}

/**
 * Finds the transaction in a block that used the nonce of another one: the
 * first block after which the account's nonce is higher, by bisection. Nodes
 * without the state of old blocks fail; the transaction is then unknown.
 */
async function findReplacement(
  client: Client,
  address: Address,
  mark: TransactionMark,
): Promise<TransactionState> {
  const countAt = (block: number) =>
    getAction(
      client,
      getTransactionCount,
      'getTransactionCount',
    )({ address, blockNumber: BigInt(block) })
  try {
    let before = mark.block
    let after = Number(await getAction(client, getBlockNumber, 'getBlockNumber')({ cacheTime: 0 }))
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if ((await countAt(middle)) > mark.nonce) after = middle
      else before = middle
    }
    const block = await getAction(
      client,
      getBlock,
      'getBlock',
    )({ blockNumber: BigInt(after), includeTransactions: true })
    const found = block.transactions.find(
      ({ from, nonce }) => isAddressEqual(from, address) && nonce === mark.nonce,
    )
    if (!found) return { status: 'replaced', how: 'replaced' }
    const isEmpty = found.to !== null && isAddressEqual(found.to, address) && found.value === 0n
    const how = contentOf(found) === mark.content ? 'repriced' : isEmpty ? 'canceled' : 'replaced'
    return { status: 'replaced', how, hash: found.hash }
  } catch {
    return { status: 'replaced', how: 'replaced' }
  }
}

function toMark(transaction: Transaction, block: number): TransactionMark {
  return { nonce: transaction.nonce, block, content: contentOf(transaction) }
}

function contentOf({ to, value, input }: Transaction): string {
  return keccak256(stringToHex(`${to?.toLowerCase()} ${value} ${input}`))
}

function clientOf(evm: Evm, network: Network): Client {
  const client = readClient(evm, network.id)
  if (!client) throw new NetworkNotFoundError({ networkId: network.id })
  return client
}

/** Undefined if the node does not have it. */
async function unlessMissing<value>(request: Promise<value>): Promise<value | undefined> {
  try {
    return await request
  } catch (error) {
    const { name } = error as Error
    if (name === 'TransactionNotFoundError' || name === 'TransactionReceiptNotFoundError')
      return undefined
    throw error
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
