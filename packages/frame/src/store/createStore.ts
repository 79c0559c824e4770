import { createStore as createIdbStore, del, get, set } from 'idb-keyval'

/**
 * The frame's storage in its own origin. Browsers partition it by the embedding
 * site.
 */
export type Store = {
  get<Value>(key: StoreKey): Promise<Value | undefined>
  set(key: StoreKey, value: unknown): Promise<void>
  remove(key: StoreKey): Promise<void>
}

export type StoreKey =
  | 'device'
  | 'session'
  | 'set'
  | 'staged'
  | 'others'
  | 'locked'
  | 'settings'
  | 'smartAccounts'
  | 'socials'
  | 'offers'

/**
 * Opens the frame's IndexedDB. Only IndexedDB can store non-extractable keys.
 * If the browser denies access, values are kept in memory until the document is
 * closed.
 *
 * @see docs/custody.md
 */
export function createStore(indexedDb: IDBFactory | undefined): Store {
  const memory = new Map<StoreKey, unknown>()
  let isDurable = indexedDb !== undefined

  async function attempt<Result>(
    use: (database: ReturnType<typeof createIdbStore>) => Promise<Result>,
    fallback: () => Result,
  ): Promise<Result> {
    if (isDurable) {
      try {
        return await use(createIdbStore('gatefold', 'frame'))
      } catch {
        // Denied, for example in third-party frames.
        isDurable = false
      }
    }
    return fallback()
  }

  return {
    get: <Value>(key: StoreKey) =>
      attempt<Value | undefined>(
        (database) => get<Value>(key, database),
        () => memory.get(key) as Value | undefined,
      ),
    set: (key, value) => {
      memory.set(key, value)
      return attempt(
        (database) => set(key, value, database),
        () => undefined,
      )
    },
    remove: (key) => {
      memory.delete(key)
      return attempt(
        (database) => del(key, database),
        () => undefined,
      )
    },
  }
}
