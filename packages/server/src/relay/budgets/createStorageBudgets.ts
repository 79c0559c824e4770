import { LRUCache } from 'lru-cache'
import { accountKey } from '../../accounts/createSharedAccounts.ts'
import { slotOf, type Account, type Ledger, type Limit, type Slots } from './Ledger.ts'

/** The address, project and client that are charged for a message. */
export type Payer = { address: string; projectId: string; clientId: string }

/** A message to store: its size in bytes, and its expiry as Unix time in ms. */
export type Item = { bytes: number; expiresAt: number }

export type StorageBudgets = ReturnType<typeof createStorageBudgets>

/** The charges of messages; `undefined` if a budget would be exceeded. */
export type Charges = string[] | undefined

/** A message counts as at least this many bytes, which also limits the number of messages. */
const leastBytes = 1024
/** Maximum number of payers whose accounts are kept in memory. */
const maxPayers = 20_000

/**
 * Limits the bytes of messages for each address, client and project, and in total: the waiting bytes, until
 * the messages are deleted or expire, and the bytes published per hour.
 *
 * A charge is a string that the store keeps with its message: the slot, the bytes and the keys of the accounts, which
 * name the payers by hashes.
 *
 * @param options.secret - for the hashes. Without a secret, anyone who can read the store could find the payers'
 * addresses by hashing all addresses.
 * @see docs/threats.md#relay-flood
 */
export function createStorageBudgets(options: {
  limits: Record<'address' | 'client' | 'project' | 'all', Limit>
  ledger: Ledger
  secret: string
  now: () => number
}) {
  const { limits, ledger, secret, now } = options
  const kinds = { a: limits.address, c: limits.client, p: limits.project }
  const all: Account = { key: 'all', limit: limits.all }
  let restored: Promise<void> | undefined
  /** The keys of a payer's accounts, as a charge contains them. */
  const payerKeys = new WeakMap<Payer, string>()
  /** Accounts by their keys. */
  const accounts = new LRUCache<string, readonly Account[]>({ max: maxPayers })
  /** Charges in flight, by client id. */
  const inFlight = new Map<string, Promise<boolean>>()

  function keysOf(payer: Payer): string {
    let keys = payerKeys.get(payer)
    if (keys === undefined) {
      const { address, clientId, projectId } = payer
      const names = { a: address, c: clientId, p: projectId }
      keys = Object.entries(names)
        .map(([kind, name]) => accountKey(secret, kind, name))
        .join(' ')
      payerKeys.set(payer, keys)
    }
    return keys
  }

  function accountsOf(keys: string): readonly Account[] {
    let known = accounts.get(keys)
    if (!known) {
      const payers = keys.split(' ').filter((key) => key !== '')
      known = [...payers.map((key) => ({ key, limit: kinds[key[0] as keyof typeof kinds] })), all]
      accounts.set(keys, known)
    }
    return known
  }

  function add(charges: Iterable<string>, sign: 1 | -1) {
    for (const charge of charges) {
      const slotEnd = charge.indexOf(' ')
      const bytesEnd = charge.indexOf(' ', slotEnd + 1)
      const slot = Number(charge.slice(0, slotEnd))
      const bytes = Number(charge.slice(slotEnd + 1, bytesEnd))
      ledger.add(accountsOf(charge.slice(bytesEnd + 1)), new Map([[slot, sign * bytes]]))
    }
  }

  /** Charges the accounts of a client. Keeps the order of its messages if some charges take longer than others. */
  function chargeInOrder(clientId: string, keys: string, slots: Slots) {
    const before = inFlight.get(clientId)
    const isGranted = before
      ? before.then(() => ledger.charge(accountsOf(keys), slots))
      : ledger.charge(accountsOf(keys), slots)
    if (typeof isGranted === 'boolean') return isGranted
    inFlight.set(clientId, isGranted)
    const end = () => {
      if (inFlight.get(clientId) === isGranted) inFlight.delete(clientId)
    }
    isGranted.then(end, end)
    return isGranted
  }

  /** Charges a payer for all messages or for none. Returns a promise only if the charge has to wait. */
  function charge(payer: Payer, items: readonly Item[]): Charges | Promise<Charges> {
    if (restored) return restored.then(() => charge(payer, items))
    const keys = keysOf(payer)
    const slots = new Map<number, number>()
    const charges = items.map((item) => {
      const slot = slotOf(item.expiresAt, now())
      const bytes = Math.max(leastBytes, item.bytes)
      slots.set(slot, (slots.get(slot) ?? 0) + bytes)
      return `${slot} ${bytes} ${keys}`
    })
    const isGranted = chargeInOrder(payer.clientId, keys, slots)
    if (typeof isGranted === 'boolean') return isGranted ? charges : undefined
    return isGranted.then((isGranted) => (isGranted ? charges : undefined))
  }

  return {
    charge,

    /** Releases the charges of messages that were not stored or no longer wait. */
    release: (charges: Iterable<string>) => add(charges, -1),

    /** Counts the messages that waited when the relay started. Charges wait until they are counted. */
    restore(pages: AsyncIterable<readonly string[]>, onError: (error: unknown) => void) {
      const count = async () => {
        for await (const charges of pages) add(charges, 1)
      }
      restored = count()
        .catch(onError)
        .finally(() => (restored = undefined))
    },
  }
}
