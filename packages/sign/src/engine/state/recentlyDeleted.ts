import { recentlyDeleted as recentlyDeletedError } from '../../validation/texts.ts'

/** What is remembered of it. At the limit the older half goes. @see spec §4.18.7 */
const limit = 200

/** Ids and topics that were there a moment ago: what still refers to them is told so. */
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
    assertNot(id: string | number) {
      const kind = kinds.get(id)
      if (kind) throw recentlyDeletedError(kind, id)
    },
  }
}
