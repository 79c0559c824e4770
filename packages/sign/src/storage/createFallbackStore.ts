import type { KeyValueStore } from './KeyValueStore.ts'

/**
 * Creates a store that never rejects and falls back to memory. A value that cannot be written (quota, private
 * window) stays in memory until its key is written again. After a read has failed twice, the store stops
 * writing, so that it does not overwrite existing keys and sessions.
 *
 * @param onFailure - called with the key and the error when the store starts to fail
 */
export function createFallbackStore(
  store: KeyValueStore,
  onFailure: (key: string, cause: unknown) => void,
): KeyValueStore {
  /** Values that are not stored yet; undefined for a removed value. */
  const unsaved = new Map<string, string | undefined>()
  const failing = new Set<string>()
  let isReadable = true

  async function attempt<result>(key: string, act: () => Promise<result>, otherwise: () => result) {
    try {
      const result = await act()
      failing.delete(key)
      return result
    } catch (cause) {
      if (failing.size === 0) onFailure(key, cause)
      failing.add(key)
      return otherwise()
    }
  }

  function change(key: string, value: string | undefined) {
    unsaved.set(key, value)
    if (!isReadable) return Promise.resolve()
    return attempt(
      key,
      async () => {
        await (value === undefined ? store.removeItem(key) : store.setItem(key, value))
        // Unless the same key was changed again in the meantime.
        if (unsaved.get(key) === value) unsaved.delete(key)
      },
      () => undefined,
    )
  }

  return {
    getItem: async (key) =>
      unsaved.has(key)
        ? unsaved.get(key)
        : attempt(
            key,
            // Retries once: if the browser has closed the database, the second attempt opens it again.
            () => store.getItem(key).catch(() => store.getItem(key)),
            () => {
              isReadable = false
              return undefined
            },
          ),
    setItem: (key, value) => change(key, value),
    removeItem: (key) => change(key, undefined),
    async getKeys() {
      const stored = await attempt(
        '',
        () => store.getKeys(),
        () => [],
      )
      const all = new Set([...stored, ...unsaved.keys()])
      return Array.from(all).filter((key) => !unsaved.has(key) || unsaved.get(key) !== undefined)
    },
  }
}
