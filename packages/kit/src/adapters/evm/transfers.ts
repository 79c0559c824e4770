import {
  Eip1559FeesNotSupportedError,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  isAddress,
  isAddressEqual,
} from 'viem'
import type { Address, Client, Hex } from 'viem'
import { call, estimateFeesPerGas, getCode, getGasPrice } from 'viem/actions'
import { getAction } from 'viem/utils'

import type {
  ParsedAddress,
  PreparedTransfer,
  TransferRequest,
} from '../../core/connection/Adapter.ts'
import { isSmartAccount } from '../../core/connection/isSmartAccount.ts'
import {
  NetworkNotFoundError,
  NotConnectedError,
  TransactionError,
} from '../../core/kit/requestErrors.ts'
import { readCallsFee } from './readCalls.ts'
import { findConnection } from './context.ts'
import type { Evm } from './context.ts'
import { estimateGas } from './requests.ts'
import { revertReason } from './revert.ts'
import { readClient, sendTransaction } from './transactions.ts'

/**
 * The prefix of the code of an EOA that delegates to a contract. Such an
 * account still receives tokens. @see EIP-7702
 */
const delegation = '0xef0100'

/** Reads an address that the visitor has typed. @see EIP-55 */
export function parseAddress(text: string): ParsedAddress {
  if (!/^0x[0-9a-f]*$/i.test(text)) return { problem: 'characters' }
  if (text.length !== 42) return { problem: text.length < 42 ? 'short' : 'long' }
  return isAddress(text) ? { address: getAddress(text) } : { problem: 'checksum' }
}

/**
 * Simulates a transfer from the connected account, and estimates the fee that the account pays.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {NetworkNotFoundError} the network is not configured
 * @throws {TransactionError} the transfer would fail, or the network could not be read
 */
export async function prepareTransfer(
  evm: Evm,
  request: TransferRequest,
): Promise<PreparedTransfer> {
  const { accounts: [account] = [], connector } = findConnection(evm) ?? {}
  if (!account || !connector) throw new NotConnectedError()
  const client = readClient(evm, request.network.id)
  if (!client) throw new NetworkNotFoundError({ networkId: request.network.id })
  const transaction = { account: account as Address, ...toTransaction(request) }
  const estimate = estimateGas(client, transaction)
  const readFee = async () =>
    isSmartAccount(evm.context.session(connector.id), { address: account, ...request.network })
      ? readCallsFee(evm, { calls: [toTransaction(request)], network: request.network })
      : (await readGasPrice(client)) * (await estimate)
  try {
    const [gas, fee, code] = await Promise.all([
      estimate,
      readFee(),
      getAction(client, getCode, 'getCode')({ address: request.to as Address }),
      request.token && checkResult(client, transaction),
    ])
    const isContract = code !== undefined && !code.startsWith(delegation)
    return { gas, fee, isContract }
  } catch (cause) {
    if (cause instanceof TransactionError) throw cause
    const reason = revertReason(cause)
    throw new TransactionError(
      reason === undefined ? 'The transfer could not be checked' : 'The transfer would fail',
      { cause, ...(reason !== undefined && { details: reason }) },
    )
  }
}

/**
 * Sends a transfer through the wallet and returns the transaction's hash.
 *
 * @throws what `sendTransaction` throws
 */
export async function sendTransfer(evm: Evm, request: TransferRequest): Promise<string> {
  return sendTransaction(evm, {
    ...toTransaction(request),
    gas: request.gas,
    caipNetworkId: request.network.caipNetworkId,
  })
}

/** The highest price of gas for the next blocks; chains without EIP-1559 have a single price. */
async function readGasPrice(client: Client): Promise<bigint> {
  try {
    const { chain } = client
    const fees = await getAction(client, estimateFeesPerGas, 'estimateFeesPerGas')({ chain })
    return fees.maxFeePerGas
  } catch (error) {
    if (!(error instanceof Eip1559FeesNotSupportedError)) throw error
    return getAction(client, getGasPrice, 'getGasPrice')({})
  }
}

/**
 * Some tokens return false instead of reverting, others return nothing. @throws
 * {TransactionError} for false
 */
async function checkResult(
  client: Client,
  transaction: { account: Address; to: Address; data?: Hex | undefined },
): Promise<void> {
  const { data } = await getAction(client, call, 'call')(transaction)
  if (data && BigInt(data) === 0n)
    throw new TransactionError('The transfer would fail', {
      details: 'The token refuses the transfer.',
    })
}

/**
 * The transaction of a transfer.
 *
 * @throws {TransactionError} the receiving address is not valid, or it is the
 *   token's own contract, from which tokens cannot be recovered
 */
function toTransaction({ token, to: receiver, amount }: TransferRequest): {
  to: Address
  data?: Hex
  value: bigint
} {
  const parsed = parseAddress(receiver)
  if (!('address' in parsed)) throw new TransactionError('The receiving address is not valid')
  const to = parsed.address as Address
  if (token === undefined) return { to, value: amount }
  if (isAddressEqual(token as Address, to))
    throw new TransactionError('The receiver is the token’s own contract')
  const args = [to, amount] as const
  return {
    to: token as Address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    value: 0n,
  }
}
