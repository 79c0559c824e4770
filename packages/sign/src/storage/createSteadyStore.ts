import type { KeyValueStore } from '../KeyValueStore.ts'

/**
 * A store that never rejects: what the real one does not take (quota, private window) is kept in
 * memory, and tried again with the next write of its key.
 *
 * @param onFailure - told the key and what the real store said, whenever that starts to fail
 */
export function createSteadyStore(
  store: KeyValueStore,
  onFailure: (key: string, cause: unknown) => void,
): KeyValueStore {
  /** What the real store does not have as it should; undefined stands for a removed one. */
  const kept = new Map<string, string | undefined>()
  let failing = false

  async function attempt<result>(key: string, act: () => Promise<result>, otherwise: () => result) {
    try {
      const result = await act()
      failing = false
      return result
    } catch (cause) {
      if (!failing) onFailure(key, cause)
      failing = true
      return otherwise()
    }
  }

  function change(key: string, value: string | undefined) {
    kept.set(key, value)
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
            () => store.getItem(key),
            () => undefined,
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
