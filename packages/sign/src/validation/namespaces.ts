import { chainsOf } from '../namespaces.ts'
import { missingOrInvalid, inspect, unsupported } from './messages.ts'
import { isRecord, isText } from './shapes.ts'

/**
 * Validates proposed namespaces: every entry needs chains, methods and events.
 *
 * @param kind - `requiredNamespaces` or `optionalNamespaces`, for the message
 * @throws {ValidationError}
 */
export function assertProposedNamespaces(input: unknown, method: string, kind: string): void {
  const entries = readEntries(input, `${method}, ${kind} should be an object with data`)
  for (const [key, entry] of entries) {
    assertActions(entry, `${method}, namespace`)
    const chains: readonly unknown[] = isList(entry['chains'])
      ? chainsOf(key, { chains: entry['chains'] as string[] })
      : key.includes(':')
        ? [key]
        : []
    if (chains.length === 0)
      throw unsupported(
        'chains',
        `${method} ${kind}, chains must be defined as "namespace:chainId" e.g. "eip155:1": {...} in the namespace key OR as an array of CAIP-2 chainIds e.g. eip155: { chains: ["eip155:1", "eip155:5"] }`,
      )
    for (const chain of chains)
      if (!isChainId(chain))
        throw unsupported(
          'chains',
          `${method} ${kind}, chain ${inspect(chain)} should be a string and conform to "namespace:chainId" format`,
        )
  }
}

/** Validates approved namespaces: accounts, methods and events. @throws {ValidationError} */
export function assertNamespaces(input: unknown, method: string): void {
  for (const [, entry] of readEntries(
    input,
    `${method}, namespaces should be an object with data`,
  )) {
    assertActions(entry, `${method}, namespace`)
    const { accounts } = entry
    if (!isList(accounts))
      throw unsupported(
        'accounts',
        `${method} namespace, accounts should be an array of strings conforming to "namespace:chainId:address" format`,
      )
    for (const account of accounts)
      if (!isAccount(account))
        throw unsupported(
          'accounts',
          `${method} namespace, account ${inspect(account)} should be a string and conform to "namespace:chainId:address" format`,
        )
  }
}

/** Whether a value has the shape of a CAIP-2 id, of any namespace. */
export function isChainId(value: unknown): value is string {
  return typeof value === 'string' && /^[^:\s]+:[^:\s]+$/.test(value)
}

function isAccount(value: unknown): value is string {
  return typeof value === 'string' && /^[^:\s]+:[^:\s]+:[^:\s]+$/.test(value)
}

function readEntries(input: unknown, otherwise: string): [string, Record<string, unknown>][] {
  if (!isRecord(input) || Object.keys(input).length === 0) throw missingOrInvalid(otherwise)
  return Object.entries(input).map(([key, entry]) => [key, isRecord(entry) ? entry : {}])
}

function assertActions(entry: Record<string, unknown>, context: string) {
  for (const kind of ['methods', 'events'] as const) {
    const actions = entry[kind]
    if (!isList(actions) || !actions.every(isText))
      throw unsupported(
        kind,
        `${context}, ${kind} should be an array of strings or empty array for no ${kind}`,
      )
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
