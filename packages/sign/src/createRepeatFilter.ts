import type { Snapshot } from './engine/Engine.ts'

/**
 * Recognizes requests that were emitted before: a new leader tab emits pending requests again. An id is forgotten as
 * soon as its request is no longer pending, because a peer could use the id again: the engine would then wait for a
 * response to a request that the wallet does not show.
 *
 * @param tabs.onChange - must be called before the event of the same change
 */
export function createRepeatFilter(tabs: {
  onChange(listener: (snapshot: Pick<Snapshot, 'pendingRequests'>) => void): unknown
}) {
  const emitted = new Set<number>()
  tabs.onChange(({ pendingRequests }) => {
    const pending = new Set(pendingRequests.map(({ id }) => id))
    for (const id of emitted) if (!pending.has(id)) emitted.delete(id)
  })
  return {
    /** @returns true if the pending request with this id was passed before */
    isRepeat: (id: number): boolean => {
      const isRepeat = emitted.has(id)
      emitted.add(id)
      return isRepeat
    },
  }
}
