import type { KeyValueStore } from './KeyValueStore.ts'

/**
 * A store that never rejects: what the real one does not take (quota, private window) is kept in
 * memory, and tried again with the next write of its key. After one that cannot be read, twice, nothing
 * more is written: keys and sessions that may well be there are not replaced by none.
 *
 * @param onFailure - told the key and what the real store said, when it starts to fail after all went well
 */
export function createFallbackStore(
  store: KeyValueStore,
  onFailure: (key: string, cause: unknown) => void,
): KeyValueStore {
  /** What the real store does not have as it should; undefined stands for a removed one. */
  const kept = new Map<string, string | undefined>()
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
    kept.set(key, value)
    if (!isReadable) return Promise.resolve()
    return attempt(
      key,
      async () => {
        await (value === undefined ? store.removeItem(key) : store.setItem(key, value))
        // A later change of the same key may be under way.
        if (kept.get(key) === value) kept.delete(key)
      },
      () => undefined,
    )
  }

  return {
    getItem: async (key) =>
      kept.has(key)
        ? kept.get(key)
        : attempt(
            key,
            // Browsers lose their database now and then, and open it again.
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
      const all = new Set([...stored, ...kept.keys()])
      return Array.from(all).filter((key) => !kept.has(key) || kept.get(key) !== undefined)
    },
  }
}
