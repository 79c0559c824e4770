import { CaipNetworkId } from '@gatefold/protocol'
import { concat, numberToHex, slice, type Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import { RequestError } from '../rpc/RequestError.ts'
import { readReceipt } from './createOperations.ts'

/** The id of calls: the hash of their operation, and the chain. @see EIP-5792 */
export function toCallsId(hash: Hex, chainId: string): Hex {
  const reference = Number(CaipNetworkId.parse(chainId).reference)
  return concat([hash, numberToHex(reference, { size: 8 })])
}

/**
 * `wallet_getCallsStatus`.
 *
 * @throws {RequestError} for an id that {@link toCallsId} did not create.
 * @see EIP-5792
 */
export async function readCallsStatus(params: unknown, bundler: Rpc): Promise<unknown> {
  const id: unknown = Array.isArray(params) ? params[0] : undefined
  if (typeof id !== 'string' || !/^0x[0-9a-f]{80}$/i.test(id))
    throw new RequestError('There are no calls with this id.')
  const chainId = numberToHex(BigInt(slice(id as Hex, 32)))
  const hash = slice(id as Hex, 0, 32)
  const found = await readReceipt(bundler, `eip155:${Number(chainId)}`, hash)
  const common = { version: '2.0.0', id, chainId, atomic: true }
  if (!found) return { ...common, status: 100 }
  const { transactionHash, blockHash, blockNumber, gasUsed } = found.receipt
  const status = found.success ? '0x1' : '0x0'
  return {
    ...common,
    status: found.success ? 200 : 500,
    receipts: [
      {
        transactionHash,
        blockHash,
        blockNumber,
        gasUsed,
        status,
        logs: found.logs.map(({ address, data, topics }) => ({ address, data, topics })),
      },
    ],
  }
}

/**
 * `wallet_getCapabilities`: the networks on which an account can send batches
 * of calls.
 *
 * @param chains - networks with smart accounts; empty for a standard account.
 * @see EIP-5792
 */
export function readCapabilities(
  params: unknown,
  chains: readonly ChainConfig[],
  isSmart: boolean,
): Record<string, unknown> {
  const wanted: unknown = Array.isArray(params) ? params[1] : undefined
  const entries = chains
    .map(({ id }) => numberToHex(BigInt(CaipNetworkId.parse(id).reference)))
    .filter((id) => !Array.isArray(wanted) || wanted.some((one) => isSameChain(one, id)))
    .map((id) => [
      id,
      {
        atomic: { status: isSmart ? 'supported' : 'unsupported' },
        // The name of the capability in version 1 of EIP-5792, which older
        // sites read.
        atomicBatch: { supported: isSmart },
      },
    ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

function isSameChain(value: unknown, id: Hex): boolean {
  return typeof value === 'string' && Number(value) === Number(id)
}
