import type { KeyValueStore } from './KeyValueStore.ts'
import { createIndexedDbStore } from './createIndexedDbStore.ts'
import { createMemoryStore } from './createMemoryStore.ts'
import { createFallbackStore } from './createFallbackStore.ts'
import { migrateLocalStorage } from './migrateLocalStorage.ts'

/**
 * The store of a client: what the caller gave, else IndexedDB with what older clients left in
 * localStorage, else memory. It never rejects.
 *
 * @param options.onFailure - told when something can be kept in memory only
 * @see spec §7.15.1
 */
export async function openStore(options: {
  storage?: KeyValueStore | undefined
  onFailure: (key: string, cause: unknown) => void
}): Promise<KeyValueStore> {
  const { storage, onFailure } = options
  if (storage) return createFallbackStore(storage, onFailure)
  if (typeof document === 'undefined' || typeof indexedDB === 'undefined')
    return createMemoryStore()
  const database = createIndexedDbStore(indexedDB)
  try {
    await migrateLocalStorage(localStorage, database)
  } catch (cause) {
    // Nothing was removed: it is tried again at the next start.
    onFailure('localStorage', cause)
  }
  return createFallbackStore(database, onFailure)
}
