/** Who pays for a message that waits. */
export type Payer = { address: string; projectId: string; clientId: string }

/** A message to store: topic and id in one text, bytes, expiry as Unix time in ms. */
export type Item = { name: string; bytes: number; expiresAt: number }

export type StorageBudgets = ReturnType<typeof createStorageBudgets>

/** A message counts as at least this much, which also bounds the number of messages. */
const leastBytes = 1024
const slotMs = 60_000

/**
 * Bounds the bytes of waiting messages for each address, client and project and for the process. A
 * message counts until it is delivered or expires. Counts only messages published in this process since
 * it started.
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
     * Charges a payer for messages, all or none. A message that is charged already costs nothing.
     *
     * @returns the names of the charged messages; `undefined` when a budget is exceeded.
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

    /** Releases messages that were not stored or no longer wait. */
    release,
  }
}
