import { formatTransactionRequest, UnknownNodeError } from 'viem'
import type { Address, Client, Hex } from 'viem'
import { getNodeError } from 'viem/utils'

/** A transaction of a wallet's account, as nodes and wallets accept it. */
export type UnsignedTransaction = {
  account: Address
  to?: Address | null | undefined
  data?: Hex | undefined
  value?: bigint | undefined
  gas?: bigint | undefined
  gasPrice?: bigint | undefined
  maxFeePerGas?: bigint | undefined
  maxPriorityFeePerGas?: bigint | undefined
  nonce?: number | undefined
}

/*
 * Replaces viem's actions of the same names. Those also support accounts whose
 * keys are in the page, and would add their signing code to the page's first
 * load.
 */

/**
 * Requests a transaction from a wallet, once.
 *
 * @returns the wallet's result, unvalidated
 * @throws viem's error for the cause, such as `InsufficientFundsError`, or the wallet's error
 * @see EIP-1474, `eth_sendTransaction`
 */
export async function sendTransaction(
  client: Client,
  transaction: UnsignedTransaction,
): Promise<Hex> {
  return orNodeError(
    client.request(
      { method: 'eth_sendTransaction', params: [toRpc(client, transaction)] } as never,
      { retryCount: 0 },
    ),
    transaction,
  )
}

/**
 * Estimates the gas of a transaction, in gas units.
 *
 * @throws viem's error for the cause, or the node's error
 * @see EIP-1474, `eth_estimateGas`
 */
export async function estimateGas(
  client: Client,
  transaction: UnsignedTransaction,
): Promise<bigint> {
  const gas: Hex = await orNodeError(
    client.request({ method: 'eth_estimateGas', params: [toRpc(client, transaction)] } as never),
    transaction,
  )
  return BigInt(gas)
}

/** The transaction in JSON-RPC format; some chains have additional fields. */
function toRpc({ chain }: Client, { account, ...transaction }: UnsignedTransaction): unknown {
  const format = chain?.formatters?.transactionRequest?.format ?? formatTransactionRequest
  const { to, ...rest } = transaction
  return format({ ...rest, from: account, ...(to && { to }) } as never, 'sendTransaction')
}

async function orNodeError<result>(
  response: Promise<unknown>,
  transaction: UnsignedTransaction,
): Promise<result> {
  try {
    return (await response) as result
  } catch (error) {
    const cause = getNodeError(error as never, transaction as never)
    throw cause instanceof UnknownNodeError ? error : cause
  }
}
