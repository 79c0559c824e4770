import { BaseError } from '../errors.ts'
import * as ChainNamespace from './ChainNamespace.ts'
import type { CaipNetworkId } from './CaipNetworkId.ts'

/**
 * An account on a chain, as `namespace:reference:address`.
 *
 * @see CAIP-10; spec §5.1.3
 */
export type CaipAddress = `${CaipNetworkId}:${string}`

/**
 * Splits a CAIP-10 account.
 *
 * @throws {InvalidCaipAddressError} unless there are exactly three parts and the namespace is known.
 */
export function parse(value: string): {
  namespace: ChainNamespace.ChainNamespace
  reference: string
  caipNetworkId: CaipNetworkId
  address: string
} {
  const [namespace, reference, address, ...rest] = value.split(':')
  if (!ChainNamespace.is(namespace) || !reference || !address || rest.length > 0)
    throw new InvalidCaipAddressError(value)
  return { namespace, reference, caipNetworkId: `${namespace}:${reference}`, address }
}

/** Whether a value is a CAIP-10 account of a known namespace. */
export function is(value: unknown): value is CaipAddress {
  if (typeof value !== 'string') return false
  const parts = value.split(':')
  return parts.length === 3 && ChainNamespace.is(parts[0]) && parts[1] !== '' && parts[2] !== ''
}

export function format(caipNetworkId: CaipNetworkId, address: string): CaipAddress {
  return `${caipNetworkId}:${address}`
}

export class InvalidCaipAddressError extends BaseError {
  override name = 'InvalidCaipAddressError'
  constructor(value: string) {
    super(`“${value}” is not a CAIP-10 account.`, {
      code: 'caip.invalid_address',
      metaMessages: [
        'Expected exactly three parts with a known namespace, such as eip155:1:0xabc….',
      ],
    })
  }
}
