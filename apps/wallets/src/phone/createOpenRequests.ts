/**
 * Tracks the pending requests from apps. Opens each request only once, and can cancel it. An id alone does
 * not identify a request, because every app chooses its own ids.
 */
export function createOpenRequests() {
  const open = new Map<string, { topic: string; id: number; controller: AbortController }>()
  const keyOf = (topic: string, id: number) => `${topic} ${id}`

  /** Cancels the requests that match. */
  function cancel(matches: (request: { topic: string; id: number }) => boolean) {
    for (const one of open.values()) {
      if (matches(one)) one.controller.abort(new RequestCanceledError())
    }
  }

  return {
    /** @returns a signal that aborts when the request is canceled; undefined if it is already open. */
    start(topic: string, id: number): AbortSignal | undefined {
      const key = keyOf(topic, id)
      if (open.has(key)) return undefined
      const controller = new AbortController()
      open.set(key, { topic, id, controller })
      return controller.signal
    },
    end: (topic: string, id: number) => void open.delete(keyOf(topic, id)),
    cancel,
  }
}

/** The request expired or its session ended, so no response is sent. */
export class RequestCanceledError extends Error {
  override name = 'RequestCanceledError'
}
