import { limits } from '@gatefold/protocol'
import { isAddressEqual, isHash, numberToHex, withTimeout } from 'viem'
import type { Address, EIP1193Provider, Hash } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { getAction } from 'viem/utils'

import type { AddressOnNetwork, Call, CallsState } from '../../core/connection/Adapter.ts'
import { NotConnectedError } from '../../core/kit/requestErrors.ts'
import type { Network } from '../../core/networks/Network.ts'
import { findConnection, liveConnections } from './context.ts'
import type { Evm } from './context.ts'
import { hasCode } from './failure.ts'
import { readClient, reasonOf } from './transactions.ts'

/** The wallet does not know the id of a batch. @see EIP-5792 */
const unknownId = 5730

/**
 * Reads the status of a batch of calls once, from the wallet that sent it,
 * because no other wallet knows its id.
 *
 * @throws {NotConnectedError} the wallet is not connected with the account
 * @throws the wallet's error if it does not respond
 * @see EIP-5792, `wallet_getCallsStatus`
 */
export async function readCalls(
  evm: Evm,
  parameters: AddressOnNetwork & { id: string; connectorId: string },
): Promise<CallsState> {
  const { id, connectorId, network } = parameters
  const address = parameters.address as Address
  const connection = liveConnections(evm.config).find(
    ({ accounts, connector }) =>
      connector.id === connectorId &&
      accounts.some((account) => isAddressEqual(account as Address, address)),
  )
  if (!connection) throw new NotConnectedError()
  const provider = (await connection.connector.getProvider()) as EIP1193Provider
  let answer: unknown
  try {
    answer = await provider.request({ method: 'wallet_getCallsStatus', params: [id] } as never)
  } catch (error) {
    if (hasCode(error, unknownId)) return { status: 'missing' }
    throw error
  }
  const { status: code, receipts } = (answer ?? {}) as { status?: unknown; receipts?: unknown }
  if (code === 400) return { status: 'dropped' }
  if (code !== 200 && code !== 500 && code !== 600) return { status: 'pending' }
  const { transactionHash } = ((Array.isArray(receipts) && receipts.at(-1)) || {}) as {
    transactionHash?: unknown
  }
  const hash =
    typeof transactionHash === 'string' && isHash(transactionHash) ? transactionHash : undefined
  const isReverted = code !== 200
  const mined = hash && (await readMined(evm, network.id, hash, address, isReverted))
  return { status: isReverted ? 'reverted' : 'success', hash, ...mined }
}

/**
 * The highest fee that the connected smart account pays to send calls in one operation; 0 if a sponsor pays. Only the
 * wallet knows it.
 *
 * @returns undefined if the wallet does not report it, is on another network, or does not respond in time
 * @see docs/contracts/frame.md#fees
 */
export async function readCallsFee(
  evm: Evm,
  { calls, network }: { calls: readonly Call[]; network: Network },
): Promise<bigint | undefined> {
  const { accounts: [from] = [], connector } = findConnection(evm) ?? {}
  if (!from || !connector) return undefined
  const batch = {
    version: '2.0.0',
    chainId: numberToHex(Number(network.id)),
    from,
    calls: calls.map(({ to, data, value = 0n }) => ({
      to,
      value: numberToHex(value),
      ...(data && { data }),
    })),
  }
  const request = async () => {
    const provider = (await connector.getProvider()) as EIP1193Provider
    return provider.request({ method: 'wallet_getCallsFee', params: [batch] } as never)
  }
  try {
    const answer: unknown = await withTimeout(request, { timeout: limits.callsFeeMs })
    const { fee } = answer as { fee?: unknown }
    return typeof fee === 'string' && /^0x[0-9a-f]{1,64}$/i.test(fee) ? BigInt(fee) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the fee and, for a reverted transaction, the reason. A wallet's
 * receipts contain neither.
 */
async function readMined(
  evm: Evm,
  chainId: number | string,
  hash: Hash,
  address: Address,
  isReverted: boolean,
): Promise<{ fee?: bigint | undefined; reason?: string | undefined }> {
  const client = readClient(evm, chainId)
  if (!client) return {}
  try {
    const { from, gasUsed, effectiveGasPrice, blockNumber } = await getAction(
      client,
      getTransactionReceipt,
      'getTransactionReceipt',
    )({ hash })
    return {
      // For a smart account, a bundler pays the fee of the transaction and is
      // refunded within it.
      fee: isAddressEqual(from, address) ? gasUsed * effectiveGasPrice : undefined,
      reason: isReverted ? await reasonOf(client, hash, blockNumber, undefined) : undefined,
    }
  } catch {
    // The wallet's node may be ahead of this one. The status is known anyway.
    return {}
  }
}
