import type { KeyValueStore } from './KeyValueStore.ts'

/** Stores values in memory. */
export function createMemoryStore(
  entries: Iterable<readonly [string, string]> = [],
): KeyValueStore {
  const map = new Map(entries)
  return {
    getItem: async (key) => map.get(key),
    async setItem(key, value) {
      map.set(key, value)
    },
    async removeItem(key) {
      map.delete(key)
    },
    getKeys: async () => Array.from(map.keys()),
  }
}
