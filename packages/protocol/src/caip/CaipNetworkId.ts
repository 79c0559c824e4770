import { BaseError } from '../errors.ts'
import * as ChainNamespace from './ChainNamespace.ts'

/**
 * A chain, as `namespace:reference`, such as `eip155:1`.
 *
 * @see CAIP-2; spec §5.1.3
 */
export type CaipNetworkId = `${ChainNamespace.ChainNamespace}:${string}`

/**
 * Splits a CAIP-2 id.
 *
 * @throws {InvalidCaipNetworkIdError} unless there are exactly two parts and the namespace is known.
 */
export function parse(value: string): {
  namespace: ChainNamespace.ChainNamespace
  reference: string
} {
  const [namespace, reference, ...rest] = value.split(':')
  if (!ChainNamespace.is(namespace) || !reference || rest.length > 0)
    throw new InvalidCaipNetworkIdError(value)
  return { namespace, reference }
}

/** Whether a value is a CAIP-2 id of a known namespace. */
export function is(value: unknown): value is CaipNetworkId {
  if (typeof value !== 'string') return false
  const parts = value.split(':')
  return parts.length === 2 && ChainNamespace.is(parts[0]) && parts[1] !== ''
}

/** Joins the two parts; the reference is the EVM chain id in decimal for `eip155`. */
export function format(
  namespace: ChainNamespace.ChainNamespace,
  reference: string | number,
): CaipNetworkId {
  return `${namespace}:${reference}`
}

export class InvalidCaipNetworkIdError extends BaseError {
  override name = 'InvalidCaipNetworkIdError'
  constructor(value: string) {
    super(`“${value}” is not a CAIP-2 network id.`, {
      code: 'caip.invalid_network_id',
      metaMessages: ['Expected two parts with a known namespace, such as eip155:1.'],
    })
  }
}
