import { CaipNetworkId, limits } from '@gatefold/protocol'
import type { BaseError } from '@gatefold/protocol'
import { encodeFunctionData } from 'viem'
import type { Abi, Address, Client, Hex } from 'viem'
import type { sendTransaction as SendTransaction } from 'viem/actions'
import { getTransaction, waitForTransactionReceipt } from 'viem/actions'
import { getAction } from 'viem/utils'

import type {
  Receipt,
  TransactionRequest,
  WriteContractRequest,
} from '../../core/connection/Adapter.ts'
import {
  NetworkNotFoundError,
  TransactionError,
  WrongHashError,
} from '../../core/kit/requestErrors.ts'
import { DestroyedError } from '../../core/kit/kitErrors.ts'
import type { Network } from '../../core/networks/Network.ts'
import { abortableClient, unlessAborted } from './abortable.ts'
import { findConnection } from './context.ts'
import { findNetwork } from './connection/lookups.ts'
import type { Evm } from './context.ts'
import { hasCode, hasText, toWalletError } from './failure.ts'
import { replay, revertReason } from './revert.ts'
import type { Replayed } from './revert.ts'
import { estimateGas as requestGas, sendTransaction as requestTransaction } from './requests.ts'
import { getWallet } from './wallet.ts'
import type { Wallet } from './wallet.ts'

/**
 * Sends a transaction through the wallet and returns its hash, without waiting for confirmation.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {NetworkNotFoundError} the requested network is not configured
 * @throws {UserRejectedError} the visitor declined
 * @throws {UnsupportedOperationError} the wallet cannot send transactions
 * @throws {WrongHashError} the wallet did not return a hash; the transaction may have been sent
 * @throws {TransactionError} any other failure, with the revert reason if known
 * @see spec §3.10.1, §5.9.1, §9.12.1
 */
export async function sendTransaction(evm: Evm, request: TransactionRequest): Promise<string> {
  const wallet = await getWallet(evm)
  assertChain(evm, wallet, request.caipNetworkId)
  const { gasPrice } = request
  // Only legacy transactions have a gas price. If it is unset, the wallet
  // chooses the fees and thereby the type.
  const fees = gasPrice === undefined ? {} : ({ gasPrice, type: 'legacy' } as const)
  return send(evm, wallet, toReplayed(wallet.account, request), fees)
}

/**
 * Estimates the gas of a transaction from the connected wallet, in gas units.
 *
 * @throws {TransactionError} any failure, with the revert reason as `details` if known
 * @see spec §8.11.2
 */
export async function estimateGas(evm: Evm, request: TransactionRequest): Promise<bigint> {
  try {
    const { account, chainId } = await getWallet(evm)
    const client = readClient(evm, referenceOf(request.caipNetworkId) ?? chainId)
    if (!client) throw new NetworkNotFoundError({ networkId: chainId })
    const { from: _, ...rest } = toReplayed(account, request)
    return await requestGas(client, { account, ...rest })
  } catch (cause) {
    throw new TransactionError('WagmiAdapter:estimateGas - error estimating gas', {
      cause,
      details: revertReason(cause),
    })
  }
}

/**
 * Calls a contract function. The call is simulated first, so that a revert is reported with its reason
 * before the wallet opens.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 * @throws {UnsupportedOperationError} the wallet cannot send transactions
 * @throws {TransactionError} the call would revert, or any other failure
 * @see spec §7.13.2, §8.4
 */
export async function writeContract(evm: Evm, request: WriteContractRequest): Promise<string> {
  const { address, functionName, args, value } = request
  const abi = request.abi as Abi
  const wallet = await getWallet(evm)
  let data: Hex
  try {
    data = encodeFunctionData({ abi, functionName, args })
  } catch (cause) {
    throw new TransactionError(`The call of ${functionName} could not be encoded`, { cause })
  }
  const call = { from: wallet.account, to: address, data, value }
  const client = readClient(evm, wallet.chainId)
  const reason = client && (await replay(client, call, 'latest', abi))
  if (reason) throw new TransactionError(reason, { details: `${functionName} would revert.` })
  return send(evm, wallet, call, { abi })
}

/**
 * Waits until a transaction is included in a block. A reverted transaction is replayed on the previous
 * block to find the reason; a transaction that was sped up in the wallet is tracked by its new hash.
 *
 * @param parameters.timeoutMs - 25 s by default
 * @throws {NetworkNotFoundError} the network is not configured
 * @throws {TransactionError} not confirmed in time, canceled in the wallet, or the node failed
 * @throws {DestroyedError} the instance was destroyed
 * @see spec §8.4, §9.12.1
 */
export async function waitForReceipt(
  evm: Evm,
  parameters: {
    hash: string
    network?: Network | undefined
    timeoutMs?: number | undefined
  },
): Promise<Receipt> {
  const { network, timeoutMs = limits.sendConfirmationTimeoutMs } = parameters
  const hash = parameters.hash as Hex
  const sent = evm.sent.get(hash)
  const chainId =
    network?.id ?? sent?.chainId ?? findConnection(evm)?.chainId ?? evm.config.state.chainId
  const client = readClient(evm, chainId)
  if (!client) throw new NetworkNotFoundError({ networkId: chainId })
  let replacement: string | undefined
  try {
    const receipt = await unlessAborted(
      waitForTransactionReceipt(abortableClient(client, evm.signal), {
        hash,
        timeout: timeoutMs,
        onReplaced: ({ reason }) => (replacement = reason),
      }),
      evm.signal,
    )
    if (replacement === 'cancelled')
      throw new TransactionError('The transaction was canceled in the wallet')
    evm.sent.delete(hash)
    const { status, blockNumber, transactionHash } = receipt
    if (status === 'success') return { hash: transactionHash, status, blockNumber }
    const reason = await reasonOf(client, transactionHash, blockNumber, sent?.abi)
    return { hash: transactionHash, status, blockNumber, reason }
  } catch (cause) {
    if (evm.signal.aborted) throw new DestroyedError()
    if (cause instanceof TransactionError) throw cause
    const timedOut = (cause as Error).name === 'WaitForTransactionReceiptTimeoutError'
    throw new TransactionError(
      timedOut
        ? `The transaction was not confirmed within ${timeoutMs / 1_000} s`
        : 'Waiting for the transaction failed',
      { cause },
    )
  }
}

/** The client of a chain; undefined if the chain is not configured. */
export function readClient(evm: Evm, chainId: number | string): Client | undefined {
  const id = Number(chainId)
  return evm.config.chains.some((chain) => chain.id === id)
    ? evm.config.getClient({ chainId: id })
    : undefined
}

/** The fees of a transaction; if unset, the wallet chooses them. */
export type Fees = {
  /** By default the wallet's choice. */
  type?: 'legacy' | undefined
  gasPrice?: bigint | undefined
  maxFeePerGas?: bigint | undefined
  maxPriorityFeePerGas?: bigint | undefined
}

const transactionHash = /^0x[0-9a-f]{64}$/i

/**
 * Sends a transaction without further checks.
 *
 * @throws {UserRejectedError | UnsupportedOperationError | WrongHashError | TransactionError} see `sendTransaction`
 */
export async function send(
  evm: Evm,
  wallet: Wallet,
  transaction: Replayed,
  options: { abi?: Abi | undefined; nonce?: number | undefined } & Fees = {},
): Promise<Hex> {
  const { abi, ...fields } = options
  const { account, chainId, client } = wallet
  const { from: _, ...rest } = transaction
  try {
    const hash: Hex = await getAction(
      client,
      requestTransaction as typeof SendTransaction,
      'sendTransaction',
    )({
      account,
      // A connector's own client would check the chain again, although
      // `getWallet` has just read it.
      chain: null,
      ...rest,
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    } as never)
    if (!transactionHash.test(hash)) throw new WrongHashError()
    evm.sent.set(hash, { chainId, abi })
    return hash
  } catch (error) {
    throw toSendError(error, 'sendTransaction', (cause) => {
      const { shortMessage } = cause as { shortMessage?: string }
      return new TransactionError(
        revertReason(cause, abi) ?? shortMessage ?? 'The transaction was not sent',
        { cause },
      )
    })
  }
}

/** Why a transaction in a block was reverted, or 'unknown reason'. */
export async function reasonOf(
  client: Client,
  hash: Hex,
  blockNumber: bigint,
  abi: Abi | undefined,
): Promise<string> {
  try {
    const { from, to, input, value, gas } = await getAction(
      client,
      getTransaction,
      'getTransaction',
    )({ hash })
    const call = { from, to, data: input, value, gas }
    const reason =
      (await replay(client, call, blockNumber - 1n, abi)) ??
      // Earlier transactions of the same block may have caused the revert.
      (await replay(client, call, blockNumber, abi))
    return reason ?? 'unknown reason'
  } catch {
    // The node did not return the transaction.
    return 'unknown reason'
  }
}

function toReplayed(from: Address, request: TransactionRequest): Replayed {
  const { to, data, gas, value } = request
  return { from, to: to as Address, data, gas, value: parseValue(value) }
}

/**
 * Parses a value in the chain's smallest unit; anything that is not a number counts as zero.
 *
 * @throws {TransactionError} for a fraction, which must not be rounded
 * @see spec §5.9.1
 */
export function parseValue(value: TransactionRequest['value']): bigint {
  if (typeof value === 'bigint') return value
  if (value === undefined || value.trim() === '' || Number.isNaN(Number(value))) return 0n
  try {
    return BigInt(value)
  } catch (cause) {
    throw new TransactionError('The value must be an integer in the smallest unit', { cause })
  }
}

function referenceOf(caipNetworkId: string | undefined): string | undefined {
  return CaipNetworkId.split(caipNetworkId ?? '')?.reference
}

/**
 * Checks that the wallet is on the requested network, if one is requested.
 *
 * @throws {NetworkNotFoundError} the network is not configured
 * @throws {TransactionError} the wallet is on another chain
 */
export function assertChain(evm: Evm, wallet: Wallet, caipNetworkId: string | undefined): void {
  if (!caipNetworkId) return
  const id = referenceOf(caipNetworkId)
  const network = findNetwork(evm, id)
  if (!network) throw new NetworkNotFoundError({ networkId: caipNetworkId })
  if (Number(id) !== wallet.chainId)
    throw new TransactionError(`${wallet.connector.name} is not on ${network.name}`, {
      details: `It is on chain ${wallet.chainId}. Switch first.`,
    })
}

/** The WalletConnect session, or the frame of the embedded wallet, ended before it responded. @see CAIP-25 */
const disconnectedCode = 6000

/** Matches the error of a WalletConnect request to which the wallet has not responded in time. */
const expiredText = /request expired/i

/**
 * Converts the error of a request that sends transactions. If the request or its session ended before the wallet
 * responded, the wallet may still have sent them: this becomes a `WrongHashError`.
 *
 * @param otherwise - see `toWalletError`
 */
export function toSendError(...parameters: Parameters<typeof toWalletError>): BaseError {
  const [error] = parameters
  const isUnanswered = hasCode(error, disconnectedCode) || hasText(error, expiredText)
  return isUnanswered ? new WrongHashError({ cause: error }) : toWalletError(...parameters)
}
