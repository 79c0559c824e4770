import { recentlyDeleted as recentlyDeletedError } from '../../validation/messages.ts'

/** Maximum number of entries, at which the older half is evicted. @see spec §4.18.7 */
const limit = 200

/** Ids and topics that were recently deleted, for a more precise error. */
export type RecentlyDeleted = ReturnType<typeof createRecentlyDeleted>

export function createRecentlyDeleted() {
  const kinds = new Map<string | number, 'session' | 'pairing' | 'proposal' | 'request'>()
  return {
    add(id: string | number, kind: 'session' | 'pairing' | 'proposal' | 'request') {
      kinds.delete(id)
      kinds.set(id, kind)
      if (kinds.size < limit) return
      for (const old of [...kinds.keys()].slice(0, limit / 2)) kinds.delete(old)
    },
    has: (id: string | number) => kinds.has(id),
    /** @throws {ValidationError} “Record was recently deleted”. */
    assertNotDeleted(id: string | number) {
      const kind = kinds.get(id)
      if (kind) throw recentlyDeletedError(kind, id)
    },
  }
}
