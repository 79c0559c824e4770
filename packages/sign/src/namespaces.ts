import { CaipAddress, CaipNetworkId } from '@gatefold/protocol'
import type { Namespaces, RequiredNamespaces } from './Session.ts'

/** The chains of an entry: the key if it is a chain, otherwise the entry's `chains`. @see CAIP-25 */
export function chainsOf(key: string, entry: { chains?: readonly string[] | undefined }) {
  return key.includes(':') ? [key] : (entry.chains ?? [])
}

/** `eip155:1:0xabc…` → `eip155:1`; any other text is returned unchanged. */
export function chainOf(account: string): string {
  const { namespace, reference } = CaipAddress.split(account) ?? {}
  return namespace ? `${namespace}:${reference}` : account
}

/** `eip155:1` → `eip155`; any other text is returned unchanged. */
export function familyOf(key: string): string {
  return CaipNetworkId.split(key)?.namespace ?? key
}

/** The chains on which a session has an account. */
export function approvedChains(namespaces: Namespaces): string[] {
  return unique(Object.values(namespaces).flatMap(({ accounts }) => accounts.map(chainOf)))
}

export function methodsFor(namespaces: Namespaces, chainId: string): string[] {
  return entriesFor(namespaces, chainId).flatMap(({ methods }) => [...methods])
}

export function eventsFor(namespaces: Namespaces, chainId: string): string[] {
  return entriesFor(namespaces, chainId).flatMap(({ events }) => [...events])
}

function entriesFor(namespaces: Namespaces, chainId: string) {
  return Object.values(namespaces).filter(({ accounts }) =>
    accounts.some((account) => chainOf(account) === chainId),
  )
}

/** Merges entries for namespaces (`eip155`) and chains (`eip155:1`) into one entry per namespace. */
export function mergeNamespaces(...all: readonly RequiredNamespaces[]): RequiredNamespaces {
  const families = new Map<string, Record<'chains' | 'methods' | 'events', Set<string>>>()
  for (const [key, entry] of all.flatMap((namespaces) => Object.entries(namespaces))) {
    const family = families.get(familyOf(key)) ?? {
      chains: new Set(),
      methods: new Set(),
      events: new Set(),
    }
    families.set(familyOf(key), family)
    for (const chain of chainsOf(key, entry)) family.chains.add(chain)
    for (const method of entry.methods) family.methods.add(method)
    for (const event of entry.events) family.events.add(event)
  }
  // Has no prototype, because a namespace may be called `toString`.
  const merged = Object.create(null) as Record<string, RequiredNamespaces[string]>
  for (const [family, { chains, methods, events }] of families)
    merged[family] = { chains: [...chains], methods: [...methods], events: [...events] }
  return merged
}

/**
 * Compares approved with required namespaces.
 *
 * @param context - the method to name in the message, such as `approve()`
 * @returns the first unsatisfied requirement; undefined if there is none
 * @see spec §5.12.2
 */
export function findUnsatisfied(
  required: RequiredNamespaces,
  approved: Namespaces,
  context: string,
): string | undefined {
  const missing = unique(Object.keys(required).map(familyOf)).filter(
    (family) => !Object.keys(approved).some((key) => familyOf(key) === family),
  )
  if (missing.length > 0)
    return `${context} namespaces keys don't satisfy requiredNamespaces. Required: ${missing.join(',')} Received: ${Object.keys(approved).join(',')}`
  const wanted = Object.entries(required).flatMap(([key, entry]) =>
    chainsOf(key, entry).map((chain) => ({ chain, entry })),
  )
  const chains = approvedChains(approved)
  const known = new Set(chains)
  if (!wanted.every(({ chain }) => known.has(chain)))
    return `${context} namespaces chains don't satisfy required namespaces. Required: ${wanted.map(({ chain }) => chain).join(',')} Approved: ${chains.join(',')}`
  for (const [key, { accounts }] of Object.entries(approved))
    if (key.includes(':') && !accounts.some((account) => chainOf(account) === key))
      return `${context} namespaces accounts don't satisfy namespace accounts for ${key} Required: ${key} Approved: ${accounts.map(chainOf).join(',')}`
  for (const { chain, entry } of wanted) {
    const methods = new Set(methodsFor(approved, chain))
    if (!entry.methods.every((method) => methods.has(method)))
      return `${context} namespaces methods don't satisfy namespace methods for ${chain}`
    const events = new Set(eventsFor(approved, chain))
    if (!entry.events.every((event) => events.has(event)))
      return `${context} namespaces events don't satisfy namespace events for ${chain}`
  }
  return undefined
}

export function unique<value>(values: readonly value[]): value[] {
  return [...new Set(values)]
}
