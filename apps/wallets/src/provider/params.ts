import { type Address, type Hex, isAddress, isHex } from 'viem'
import { isRecord } from './chainRpc.ts'
import { rpcError } from './ProviderRpcError.ts'

/** A parsed call of `eth_sendTransaction` or `wallet_sendCalls`. */
export type CallRequest = {
  from?: Address
  to?: Address
  value?: bigint
  data?: Hex
  gas?: bigint
  gasPrice?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  nonce?: number
  chainId?: number
}

/** Reads the parameter at `index` as an object. @throws -32602 */
export function readObject(params: readonly unknown[], index = 0): Record<string, unknown> {
  const value = params[index]
  if (!isRecord(value)) throw rpcError('invalidParams', `Parameter ${index + 1} must be an object.`)
  return value
}

/** Reads an address. @throws -32602 that names the field */
export function readAddress(value: unknown, field: string): Address {
  if (typeof value === 'string' && isAddress(value, { strict: false })) return value
  throw rpcError('invalidParams', `${field} must be a 20-byte address.`)
}

/** Reads a chain id in hex. @throws -32602 */
export function readChainId(value: unknown): number {
  const id = Number(readQuantity(value, 'chainId'))
  if (id > 0 && Number.isSafeInteger(id)) return id
  throw rpcError('invalidParams', 'chainId must be a positive safe integer.')
}

/** Validates a transaction request. @throws -32602 that names the invalid field */
export function readCall(source: Record<string, unknown>): CallRequest {
  const call: CallRequest = {}
  if (isPresent(source.from)) call.from = readAddress(source.from, 'from')
  if (isPresent(source.to)) call.to = readAddress(source.to, 'to')
  const data = source.data ?? source.input
  if (isPresent(data)) {
    if (!isHex(data) || data.length % 2 !== 0) {
      throw rpcError('invalidParams', 'data must be hex bytes, 0x…')
    }
    call.data = data
  }
  for (const field of [
    'value',
    'gas',
    'gasPrice',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
  ] as const) {
    if (isPresent(source[field])) call[field] = readQuantity(source[field], field)
  }
  if (isPresent(source.nonce)) call.nonce = Number(readQuantity(source.nonce, 'nonce'))
  if (isPresent(source.chainId)) call.chainId = readChainId(source.chainId)
  if (!call.to && !call.data) throw rpcError('invalidParams', 'A transaction needs `to` or `data`.')
  return call
}

function readQuantity(value: unknown, field: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw rpcError('invalidParams', `${field} must be a hex number, 0x…`)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
