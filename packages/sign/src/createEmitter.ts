/** Listeners of one kind. One that throws does not keep the others from hearing. */
export function createEmitter<heard = void>() {
  const listeners = new Set<(heard: heard) => void>()
  return {
    add(listener: (heard: heard) => void): () => void {
      // Two equal functions are two listeners.
      const own = (heard: heard) => listener(heard)
      listeners.add(own)
      return () => listeners.delete(own)
    },
    tell(heard: heard) {
      for (const listener of Array.from(listeners)) {
        try {
          listener(heard)
        } catch (error) {
          // As with a listener of the platform: told as uncaught, and nobody else's matter.
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
