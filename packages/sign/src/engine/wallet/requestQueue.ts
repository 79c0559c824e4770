import type { PendingRequest } from '../../Session.ts'
import type { Clock } from '../../SignClient.ts'
import type { Collection } from '../../storage/createCollection.ts'

/** Time a wallet has to put one request away before it sees the next, in ms. */
const pauseMs = 500

/**
 * Shows a wallet one request at a time: idle, or active with one it has not answered.
 *
 * @see spec §4.18.5
 */
export type RequestQueue = ReturnType<typeof createRequestQueue>

/** @param options.all - Show them as they come, each once. */
export function createRequestQueue(options: {
  requests: Collection<number, PendingRequest>
  clock: Clock
  all: boolean
  show: (request: PendingRequest) => void
}) {
  const { requests, clock, all, show } = options
  const shown = new Set<number>()
  let active: number | undefined
  let stopPause: (() => void) | undefined

  function next() {
    if (stopPause || active !== undefined) return
    const request = requests.values().find(({ id }) => !shown.has(id))
    if (!request) return
    if (!all) active = request.id
    shown.add(request.id)
    show(request)
    if (all) next()
  }

  return {
    /** Something may have come. */
    next,
    /** A request is answered, expired or gone with its session. */
    done(id: number) {
      shown.delete(id)
      if (active !== id) return
      active = undefined
      stopPause = clock.later(() => {
        stopPause = undefined
        next()
      }, pauseMs)
    },
    close() {
      stopPause?.()
      active = -1
    },
  }
}
