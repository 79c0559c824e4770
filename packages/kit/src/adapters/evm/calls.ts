import { limits } from '@gatefold/protocol'
import { concatHex, isHex, numberToHex, sliceHex, size } from 'viem'
import type { Address, EIP1193Provider, Hex } from 'viem'

import type { Call } from '../../core/connection/Adapter.ts'
import { UnsupportedOperationError } from '../../core/kit/errors.ts'
import { WalletRequestError, WrongHashError } from '../../core/kit/requestErrors.ts'
import type { Evm } from './context.ts'
import { findConnection } from './context.ts'
import { hasCode, isUnsupported, toWalletError } from './failure.ts'
import { assertChain, readClient, send, toSendError, waitForReceipt } from './transactions.ts'
import { getWallet } from './wallet.ts'
import type { Wallet } from './wallet.ts'

type JsonObject = Record<string, unknown>

/**
 * Codes of wallets that cannot execute the batch: an unsupported capability, an
 * unsupported chain, too many calls, or an atomic batch from an account that
 * cannot execute one or that the visitor did not upgrade. @see EIP-5792
 */
const noBatchCodes = [5700, 5710, 5740, 5750, 5760]

/**
 * The wallet's capabilities by hex chain id: from the session if it contains them, otherwise from the
 * wallet.
 *
 * @throws {WalletRequestError} 'Error parsing wallet capabilities'
 * @throws {UnsupportedOperationError} the wallet does not support the request
 * @see EIP-5792; spec §5.9.5
 */
export async function getCapabilities(
  evm: Evm,
  parameters: { address?: string | undefined } = {},
): Promise<JsonObject> {
  const { address } = parameters
  const connectorId = findConnection(evm)?.connector.id
  const stored = connectorId && evm.context.session(connectorId)?.capabilities
  if (stored !== undefined && stored !== null) {
    const all = typeof stored === 'object' ? (stored as JsonObject) : parseCapabilities(stored)
    const account = address ?? findConnection(evm)?.accounts[0]
    return ((account && all[account]) as JsonObject | undefined) ?? all
  }
  return (await request(evm, 'wallet_getCapabilities', ({ account }) => [
    address ?? account,
  ])) as JsonObject
}

/** @see ERC-7715 */
export function grantPermissions(evm: Evm, parameters: JsonObject): Promise<unknown> {
  return request(evm, 'wallet_grantPermissions', () => [parameters])
}

/** @see ERC-7715, EIP-2255 */
export function revokePermissions(evm: Evm, parameters: JsonObject): Promise<unknown> {
  return request(evm, 'wallet_revokePermissions', () => [parameters])
}

/** @see ERC-7811 */
export function getWalletAssets(evm: Evm, parameters: JsonObject): Promise<unknown> {
  return request(evm, 'wallet_getAssets', () => [parameters])
}

/**
 * Sends several calls. A wallet without batch support receives one transaction per call, each after the
 * previous one is confirmed; the returned id then encodes the transaction hashes, for `getCallsStatus`.
 *
 * @param parameters.isAtomic - whether the wallet has to execute all calls or none
 * @throws {UserRejectedError} the visitor declined before anything was sent
 * @throws {UnsupportedOperationError} a required capability or an atomic batch needs batch support
 * @throws {TransactionError} the wallet is not on the requested network
 * @throws {WrongHashError} the wallet returned no id, or did not respond; the calls may have been sent
 * @see EIP-5792
 */
export async function sendCalls(
  evm: Evm,
  parameters: {
    calls: readonly Call[]
    capabilities?: JsonObject | undefined
    isAtomic?: boolean | undefined
    caipNetworkId?: string | undefined
  },
): Promise<{ id: string }> {
  const { calls, capabilities, isAtomic = false } = parameters
  const wallet = await getWallet(evm)
  assertChain(evm, wallet, parameters.caipNetworkId)
  const batch = {
    version: '2.0.0',
    chainId: numberToHex(wallet.chainId),
    from: wallet.account,
    atomicRequired: isAtomic,
    calls: calls.map(({ to, data, value }) => ({
      to,
      ...(data && { data }),
      ...(value !== undefined && { value: numberToHex(value) }),
    })),
    ...(capabilities && { capabilities }),
  }
  try {
    const answer = await requestUntyped(wallet.provider, 'wallet_sendCalls', [batch])
    const id = typeof answer === 'string' ? answer : (answer as { id?: unknown } | null)?.id
    if (typeof id !== 'string' || id === '' || id.length > limits.callsIdLength)
      throw new WrongHashError()
    return { id }
  } catch (error) {
    if (!isAtomic && isUnsupported(error) && calls.length > 0)
      return sendOneByOne(evm, wallet, parameters)
    if (isAtomic && hasCode(error, ...noBatchCodes))
      throw new UnsupportedOperationError('wallet_sendCalls', { cause: error })
    throw toSendError(error, 'wallet_sendCalls', requestFailed)
  }
}

/**
 * The status of a batch, as `wallet_getCallsStatus` returns it: 100 pending, 200 confirmed, 500
 * reverted, 600 partially reverted.
 *
 * @see EIP-5792
 */
export async function getCallsStatus(evm: Evm, parameters: { id: string }): Promise<JsonObject> {
  const { id } = parameters
  const own = parseSequence(id)
  if (!own) return (await request(evm, 'wallet_getCallsStatus', () => [id])) as JsonObject

  const { chainId, total, hashes } = own
  const client = readClient(evm, chainId)
  if (!client)
    throw new WalletRequestError(`The calls were sent on chain ${chainId}, which is not configured`)
  try {
    const found = await Promise.all(
      hashes.map((hash) => client.request({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    const receipts = found.filter((receipt) => receipt !== null)
    const succeeded = receipts.filter(({ status }) => Number(status) === 1).length
    const status =
      receipts.length < hashes.length ? 100 : succeeded === total ? 200 : succeeded > 0 ? 600 : 500
    return { version: '2.0.0', id, chainId: numberToHex(chainId), atomic: false, status, receipts }
  } catch (cause) {
    throw requestFailed(cause)
  }
}

async function sendOneByOne(
  evm: Evm,
  wallet: Wallet,
  { calls, capabilities = {} }: Parameters<typeof sendCalls>[1],
): Promise<{ id: string }> {
  const needed = Object.values(capabilities).some(
    (capability) => !(capability as { optional?: unknown } | undefined)?.optional,
  )
  if (needed) throw new UnsupportedOperationError('wallet_sendCalls with these capabilities')
  const { account, chainId } = wallet
  const hashes: Hex[] = []
  for (const [index, { to, data, value }] of calls.entries()) {
    try {
      const hash = await send(evm, wallet, { from: account, to, data, value })
      hashes.push(hash)
      if (index === calls.length - 1) break
      const receipt = await waitForReceipt(evm, { hash })
      if (receipt.status === 'reverted') break
    } catch (error) {
      if (hashes.length === 0) throw error
      // Some transactions were sent, so the id reports a partial batch.
      break
    }
  }
  return { id: formatSequence({ chainId, total: calls.length, hashes }) }
}

/** Encoded in the id of calls that were sent one by one. `total` also counts calls that were not sent. */
type Sequence = { chainId: number; total: number; hashes: readonly Hex[] }

/** ASCII “gfld”. */
const sequenceMarker = '0x67666c64'
const tailBytes = 16

function formatSequence({ chainId, total, hashes }: Sequence): Hex {
  return concatHex([
    ...hashes,
    numberToHex(chainId, { size: 8 }),
    numberToHex(total, { size: 4 }),
    sequenceMarker,
  ])
}

function parseSequence(id: string): Sequence | undefined {
  if (!isHex(id) || size(id) % 32 !== tailBytes || !id.endsWith(sequenceMarker.slice(2)))
    return undefined
  const end = size(id) - tailBytes
  return {
    hashes: Array.from({ length: end / 32 }, (_, n) => sliceHex(id, n * 32, n * 32 + 32)),
    chainId: Number(sliceHex(id, end, end + 8)),
    total: Number(sliceHex(id, end + 8, end + 12)),
  }
}

async function request(
  evm: Evm,
  method: string,
  params: (wallet: { account: Address }) => readonly unknown[],
): Promise<unknown> {
  try {
    const wallet = await getWallet(evm)
    return await requestUntyped(wallet.provider, method, params(wallet))
  } catch (error) {
    throw toWalletError(error, method, requestFailed)
  }
}

/** Sends a request with a method that is missing from viem's types. */
function requestUntyped(
  provider: EIP1193Provider,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  return provider.request({ method, params } as never)
}

function requestFailed(cause: unknown): WalletRequestError {
  return new WalletRequestError('The wallet failed to handle the request', { cause })
}

function parseCapabilities(text: unknown): JsonObject {
  try {
    const value: unknown = JSON.parse(String(text))
    if (typeof value === 'object' && value) return value as JsonObject
    throw new TypeError('Not an object.')
  } catch (cause) {
    throw new WalletRequestError('Error parsing wallet capabilities', { cause })
  }
}
