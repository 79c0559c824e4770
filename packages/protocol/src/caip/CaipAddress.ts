import { BaseError } from '../errors.ts'
import * as ChainNamespace from './ChainNamespace.ts'
import { splitAddress } from './split.ts'
import type { CaipNetworkId } from './CaipNetworkId.ts'

/**
 * An account on a chain, in the form `namespace:reference:address`.
 *
 * @see CAIP-10; spec §5.1.3
 */
export type CaipAddress = `${CaipNetworkId}:${string}`

export { splitAddress as split }

type Parsed = {
  namespace: ChainNamespace.ChainNamespace
  reference: string
  caipNetworkId: CaipNetworkId
  address: string
}

/** Splits a CAIP-10 account in a known namespace. @returns `undefined` for any other value. */
export function safeParse(value: unknown): Parsed | undefined {
  const parts = typeof value === 'string' ? splitAddress(value) : undefined
  if (!parts || !ChainNamespace.is(parts.namespace)) return undefined
  const { namespace, reference, address } = parts
  return { namespace, reference, caipNetworkId: `${namespace}:${reference}`, address }
}

/**
 * Splits a CAIP-10 account in a known namespace.
 *
 * @throws {InvalidCaipAddressError} unless there are exactly three parts and the namespace is known.
 */
export function parse(value: string): Parsed {
  const parsed = safeParse(value)
  if (!parsed) throw new InvalidCaipAddressError(value)
  return parsed
}

/** Whether a value is a CAIP-10 account in a known namespace. */
export function is(value: unknown): value is CaipAddress {
  return safeParse(value) !== undefined
}

/** Returns the address from a CAIP-10 account, and any other string unchanged. */
export function toAddress(value: string): string {
  return splitAddress(value)?.address ?? value
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
