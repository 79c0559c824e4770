import type { KeyValueStore } from './KeyValueStore.ts'
import { createIndexedDbStore } from './createIndexedDbStore.ts'
import { createMemoryStore } from './createMemoryStore.ts'
import { createFallbackStore } from './createFallbackStore.ts'
import { migrateLocalStorage } from './migrateLocalStorage.ts'

/**
 * Opens a client's store: the given store if there is one, otherwise IndexedDB with entries migrated from
 * localStorage, otherwise memory. The store never rejects.
 *
 * @param options.onFailure - called when storage starts to fail, or the migration fails
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
    // Nothing was removed from localStorage, so the next start retries.
    onFailure('localStorage', cause)
  }
  return createFallbackStore(database, onFailure)
}
