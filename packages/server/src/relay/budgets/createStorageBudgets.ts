import { accountKey } from '../../accounts/createSharedAccounts.ts'
import { slotOf, type Account, type Ledger, type Limit } from './Ledger.ts'

/** The address, project and client that are charged for a message. */
export type Payer = { address: string; projectId: string; clientId: string }

/** A message to store: its size in bytes, and its expiry as Unix time in ms. */
export type Item = { bytes: number; expiresAt: number }

export type StorageBudgets = ReturnType<typeof createStorageBudgets>

/** A message counts as at least this many bytes, which also limits the number of messages. */
const leastBytes = 1024

/**
 * Limits the bytes of messages for each address, client and project, and in total: the waiting bytes, until
 * the messages are deleted or expire, and the bytes published per hour.
 *
 * A charge is a string that the store keeps with its message. It names the payers by hashes.
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
  const accountKeys = new WeakMap<Payer, readonly string[]>()
  /** Charges in flight, by client. */
  const inFlight = new Map<string, Promise<boolean>>()

  function keysOf(payer: Payer): readonly string[] {
    let keys = accountKeys.get(payer)
    if (!keys) {
      const { address, clientId, projectId } = payer
      const names = { a: address, c: clientId, p: projectId }
      keys = Object.entries(names).map(([kind, name]) => accountKey(secret, kind, name))
      accountKeys.set(payer, keys)
    }
    return keys
  }

  function accountsOf(keys: readonly string[]): Account[] {
    return [...keys.map((key) => ({ key, limit: kinds[key[0] as keyof typeof kinds] })), all]
  }

  function add(charges: Iterable<string>, sign: 1 | -1) {
    for (const charge of charges) {
      const [slot, bytes, ...keys] = charge.split(' ')
      ledger.add(accountsOf(keys), new Map([[Number(slot), sign * Number(bytes)]]))
    }
  }

  /** Keeps the order of a client's messages if some charges take longer than others. */
  function inTurn(client: string, charge: () => boolean | Promise<boolean>) {
    const before = inFlight.get(client)
    const granted = before ? before.then(charge) : charge()
    if (typeof granted === 'boolean') return granted
    inFlight.set(client, granted)
    const end = () => {
      if (inFlight.get(client) === granted) inFlight.delete(client)
    }
    granted.then(end, end)
    return granted
  }

  return {
    /**
     * Charges a payer for all messages or for none.
     *
     * @returns the charge of each message; `undefined` if a budget would be exceeded.
     */
    async charge(payer: Payer, items: readonly Item[]): Promise<string[] | undefined> {
      await restored
      const keys = keysOf(payer)
      const slots = new Map<number, number>()
      const charges = items.map((item) => {
        const slot = slotOf(item.expiresAt, now())
        const bytes = Math.max(leastBytes, item.bytes)
        slots.set(slot, (slots.get(slot) ?? 0) + bytes)
        return [slot, bytes, ...keys].join(' ')
      })
      const isGranted = await inTurn(keys[1]!, () => ledger.charge(accountsOf(keys), slots))
      return isGranted ? charges : undefined
    },

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
