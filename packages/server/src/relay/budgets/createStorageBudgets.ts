/** The sender whose budgets are charged for a stored message. */
export type Payer = { address: string; projectId: string; clientId: string }

/** A message to store. `name` is its topic and id, concatenated; `expiresAt` is Unix time in ms. */
export type Item = { name: string; bytes: number; expiresAt: number }

export type StorageBudgets = ReturnType<typeof createStorageBudgets>

/** Minimum charge for a message. It also limits the number of messages. */
const leastBytes = 1024
const slotMs = 60_000

/**
 * Limits the bytes of waiting messages for each address, client and project, and for the process. A
 * message counts until it is delivered or expires. Only messages published through this process since it
 * started are counted.
 *
 * @see docs/threats.md#relay-flood
 */
export function createStorageBudgets(options: {
  bytes: { address: number; client: number; project: number; process: number }
  now: () => number
}) {
  const { bytes: most, now } = options
  const charges = new Map<string, { keys: string[]; bytes: number }>()
  const totals = new Map<string, number>()
  /** Names of messages by the time slot in which they expire. */
  const expiring = new Map<number, string[]>()
  let nextSlot = Math.floor(now() / slotMs)

  function add(keys: readonly string[], bytes: number) {
    for (const key of keys) {
      const total = (totals.get(key) ?? 0) + bytes
      if (total > 0) totals.set(key, total)
      else totals.delete(key)
    }
  }

  function release(names: Iterable<string>) {
    for (const name of names) {
      const charge = charges.get(name)
      if (!charge) continue
      charges.delete(name)
      add(charge.keys, -charge.bytes)
    }
  }

  function releaseExpired() {
    for (const slot = Math.floor(now() / slotMs); nextSlot < slot; nextSlot += 1) {
      release(expiring.get(nextSlot) ?? [])
      expiring.delete(nextSlot)
    }
  }

  return {
    /**
     * Charges a payer for all messages or for none. A message that was charged before costs nothing.
     *
     * @returns the names of the newly charged messages; `undefined` if a budget would be exceeded.
     */
    charge({ address, clientId, projectId }: Payer, items: readonly Item[]): string[] | undefined {
      releaseExpired()
      const fresh = new Map(items.map((item) => [item.name, item]))
      for (const name of fresh.keys()) if (charges.has(name)) fresh.delete(name)
      const keys = [`address ${address}`, `client ${clientId}`, `project ${projectId}`, 'process']
      const allowed = [most.address, most.client, most.project, most.process]
      const costOf = ({ bytes }: Item) => Math.max(leastBytes, bytes)
      let sum = 0
      for (const item of fresh.values()) sum += costOf(item)
      if (keys.some((key, index) => sum > 0 && (totals.get(key) ?? 0) + sum > allowed[index]!))
        return undefined
      add(keys, sum)
      for (const item of fresh.values()) {
        charges.set(item.name, { keys, bytes: costOf(item) })
        const slot = Math.max(nextSlot, Math.floor(item.expiresAt / slotMs))
        const names = expiring.get(slot)
        if (names) names.push(item.name)
        else expiring.set(slot, [item.name])
      }
      return [...fresh.keys()]
    },

    /** Cancels the charge for messages that were not stored or are no longer waiting. */
    release,
  }
}
