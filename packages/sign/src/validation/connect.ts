import { ValidationError } from '../errors.ts'
import { familyOf } from '../namespaces.ts'
import type { ConnectParameters } from '../SignClient.ts'
import { assertProposedNamespaces } from './namespaces.ts'
import { isRecord, isText } from './shapes.ts'
import { missingOrInvalid, inspect } from './messages.ts'

/** Validates the parameters of `connect`, without using stored state. @throws {ValidationError} @see spec §5.12.1 */
export function assertConnect(parameters: ConnectParameters): void {
  if (!isRecord(parameters)) throw missingOrInvalid(`connect() params: ${inspect(parameters)}`)
  const { pairingTopic, relays, requiredNamespaces, optionalNamespaces } = parameters
  const { sessionProperties, scopedProperties } = parameters
  if (pairingTopic !== undefined && !isText(pairingTopic))
    throw missingOrInvalid(`pairing topic should be a string: ${inspect(pairingTopic)}`)
  if (relays !== undefined && !isRelays(relays))
    throw missingOrInvalid(`connect() relays: ${inspect(relays)}`)
  for (const [kind, namespaces] of Object.entries({ requiredNamespaces, optionalNamespaces }))
    if (namespaces !== undefined && !isEmpty(namespaces))
      assertProposedNamespaces(namespaces, 'connect()', kind)
  assertProperties(sessionProperties, 'sessionProperties')
  assertProperties(scopedProperties, 'scopedProperties')
  const families = [
    ...Object.keys(requiredNamespaces ?? {}),
    ...Object.keys(optionalNamespaces ?? {}),
  ].map(familyOf)
  if (!isSubset(scopedProperties, families))
    throw new ValidationError(
      `Scoped properties must be a subset of required/optional namespaces, received: ${inspect(scopedProperties)}, required/optional namespaces: ${inspect(families)}`,
    )
}

/** @throws {ValidationError} if the properties are not an object, or a key has no value */
export function assertProperties(properties: unknown, kind: string): void {
  if (properties === undefined) return
  if (!isRecord(properties)) throw missingOrInvalid(`${kind} should be an object`)
  for (const [key, value] of Object.entries(properties))
    if (value === null || value === undefined)
      throw missingOrInvalid(
        `${kind} must contain an existing value for each key. Received: ${String(value)} for key ${key}`,
      )
}

/** Whether the namespace of every key of `properties` is in `families`. */
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
