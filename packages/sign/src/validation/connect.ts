import { ValidationError } from '../errors.ts'
import { familyOf } from '../namespaces.ts'
import type { AuthenticateParameters, ConnectParameters } from '../SignClient.ts'
import { assertAskedNamespaces, isChainId } from './namespaces.ts'
import { isRecord, isText } from './shapes.ts'
import { missingOrInvalid, show } from './texts.ts'

/** Everything about `connect` that needs no stored state. @throws {ValidationError} @see spec §5.12.1 */
export function assertConnect(parameters: ConnectParameters): void {
  if (!isRecord(parameters)) throw missingOrInvalid(`connect() params: ${show(parameters)}`)
  const { pairingTopic, relays, requiredNamespaces, optionalNamespaces } = parameters
  const { sessionProperties, scopedProperties } = parameters
  if (pairingTopic !== undefined && !isText(pairingTopic))
    throw missingOrInvalid(`pairing topic should be a string: ${show(pairingTopic)}`)
  if (relays !== undefined && !isRelays(relays))
    throw missingOrInvalid(`connect() relays: ${show(relays)}`)
  for (const [kind, namespaces] of Object.entries({ requiredNamespaces, optionalNamespaces }))
    if (namespaces !== undefined && !isEmpty(namespaces))
      assertAskedNamespaces(namespaces, 'connect()', kind)
  assertProperties(sessionProperties, 'sessionProperties')
  assertProperties(scopedProperties, 'scopedProperties')
  const families = [
    ...Object.keys(requiredNamespaces ?? {}),
    ...Object.keys(optionalNamespaces ?? {}),
  ].map(familyOf)
  if (!isSubset(scopedProperties, families))
    throw new ValidationError(
      `Scoped properties must be a subset of required/optional namespaces, received: ${show(scopedProperties)}, required/optional namespaces: ${show(families)}`,
    )
}

/** @see spec §5.12.4 */
export function assertAuthenticate(parameters: AuthenticateParameters): void {
  if (!isRecord(parameters)) throw missingOrInvalid(`authenticate() params: ${show(parameters)}`)
  const { chains, uri, domain, nonce } = parameters as Record<string, unknown>
  if (!Array.isArray(chains) || chains.length === 0)
    throw new ValidationError('chains is required and must be a non-empty array')
  if (!isText(uri)) throw new ValidationError('uri is required parameter')
  if (!isText(domain)) throw new ValidationError('domain is required parameter')
  if (!isText(nonce)) throw new ValidationError('nonce is required parameter')
  const wrong = chains.find((chain) => !isChainId(chain))
  if (wrong !== undefined)
    throw missingOrInvalid(`authenticate() chain should be a CAIP-2 id: ${show(wrong)}`)
  if (new Set(chains.map(familyOf)).size > 1)
    throw new ValidationError(
      'Multi-namespace requests are not supported. Please request single namespace only.',
      'sign.unsupported',
    )
  if (familyOf(chains[0] as string) !== 'eip155')
    throw new ValidationError(
      'Only eip155 namespace is supported for authenticated sessions. Please use .connect() for non-eip155 chains.',
      'sign.unsupported',
    )
}

/** @throws {ValidationError} for a key without a value. */
export function assertProperties(properties: unknown, kind: string): void {
  if (properties === undefined) return
  if (!isRecord(properties)) throw missingOrInvalid(`${kind} should be an object`)
  for (const [key, value] of Object.entries(properties))
    if (value === null || value === undefined)
      throw missingOrInvalid(
        `${kind} must contain an existing value for each key. Received: ${String(value)} for key ${key}`,
      )
}

/** Whether every key of `properties`, or its family, is among `families`. */
export function isSubset(properties: unknown, families: readonly string[]): boolean {
  return (
    properties === undefined ||
    Object.keys(properties as object).every((key) => families.includes(familyOf(key)))
  )
}

function isEmpty(value: unknown) {
  return isRecord(value) && Object.keys(value).length === 0
}

function isRelays(relays: unknown) {
  return (
    Array.isArray(relays) &&
    relays.length > 0 &&
    relays.every((relay) => isRecord(relay) && isText(relay['protocol']))
  )
}
