export type Emitter<event = void> = ReturnType<typeof createEmitter<event>>

/** Calls a list of listeners. A listener that throws does not affect the others. */
export function createEmitter<event = void>() {
  const listeners = new Set<(event: event) => void>()
  return {
    /** @returns a function that removes the listener */
    on(listener: (event: event) => void): () => void {
      // Wrapped, so that a function that was added twice is called twice.
      const added = (event: event) => listener(event)
      listeners.add(added)
      return () => listeners.delete(added)
    },
    emit(event: event) {
      for (const listener of Array.from(listeners)) {
        try {
          listener(event)
        } catch (error) {
          // Reported as an uncaught error, like errors of DOM listeners.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    clear: () => listeners.clear(),
    size: () => listeners.size,
  }
}
