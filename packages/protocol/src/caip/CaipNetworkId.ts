import { BaseError } from '../errors.ts'
import * as ChainNamespace from './ChainNamespace.ts'
import { splitNetworkId } from './split.ts'

/**
 * A chain id in the form `namespace:reference`, such as `eip155:1`.
 *
 * @see CAIP-2; spec §5.1.3
 */
export type CaipNetworkId = `${ChainNamespace.ChainNamespace}:${string}`

export { splitNetworkId as split }

/** Matches the ids of any namespace. @see CAIP-2 */
export const pattern = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/**
 * Splits a CAIP-2 id in a known namespace.
 *
 * @throws {InvalidCaipNetworkIdError} unless there are exactly two parts and the namespace is known.
 */
export function parse(value: string): {
  namespace: ChainNamespace.ChainNamespace
  reference: string
} {
  const { namespace, reference } = splitNetworkId(value) ?? {}
  if (!ChainNamespace.is(namespace) || !reference) throw new InvalidCaipNetworkIdError(value)
  return { namespace, reference }
}

/** Whether a value is a CAIP-2 id in a known namespace. */
export function is(value: unknown): value is CaipNetworkId {
  return typeof value === 'string' && ChainNamespace.is(splitNetworkId(value)?.namespace)
}

/** Joins namespace and reference. For `eip155`, the reference is the decimal EVM chain id. */
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
