/** Calls a listener. Reports its error as uncaught, like errors of DOM listeners, so that others are called. */
export function callListener(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
