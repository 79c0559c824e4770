/** Tracks the pending requests from apps. Opens each request only once, and can cancel it. */
export function createOpenRequests() {
  const open = new Map<number, { topic: string; controller: AbortController }>()
  return {
    /** @returns a signal that aborts when the request is canceled; undefined if it is already open. */
    start(id: number, topic: string): AbortSignal | undefined {
      if (open.has(id)) return undefined
      const controller = new AbortController()
      open.set(id, { topic, controller })
      return controller.signal
    },
    end: (id: number) => void open.delete(id),
    cancel(id: number) {
      open.get(id)?.controller.abort(new RequestCanceledError())
    },
    /** Cancels the requests of one topic, or all requests. */
    cancelAll(topic?: string) {
      for (const one of open.values()) {
        if (topic === undefined || one.topic === topic) {
          one.controller.abort(new RequestCanceledError())
        }
      }
    },
  }
}

/** The request expired or its session ended, so no response is sent. */
export class RequestCanceledError extends Error {
  override name = 'RequestCanceledError'
}
