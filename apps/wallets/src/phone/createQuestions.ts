/**
 * What apps have asked and the wallet has not answered yet, so that nothing is asked twice and what
 * is over is taken back.
 */
export function createQuestions() {
  const open = new Map<number, { topic: string; controller: AbortController }>()
  return {
    /** @returns the signal that takes the question back; undefined when it is open already. */
    start(id: number, topic: string): AbortSignal | undefined {
      if (open.has(id)) return undefined
      const controller = new AbortController()
      open.set(id, { topic, controller })
      return controller.signal
    },
    end: (id: number) => void open.delete(id),
    /** Expired, or answered elsewhere. */
    takeBack(id: number) {
      open.get(id)?.controller.abort(new TakenBackError())
    },
    /** Whoever asked has left. */
    takeBackAll(topic?: string) {
      for (const one of open.values()) {
        if (topic === undefined || one.topic === topic) one.controller.abort(new TakenBackError())
      }
    },
  }
}

/** Nobody waits for the answer any more. Never told to anyone. */
export class TakenBackError extends Error {
  override name = 'TakenBackError'
}
