import type { PendingRequest } from '../../Session.ts'
import type { Clock } from '../../SignClient.ts'
import type { Collection } from '../../storage/createCollection.ts'

/** Delay between a wallet's response and the next request, in ms. */
const pauseMs = 500

/**
 * Emits requests to a wallet one at a time.
 *
 * @see spec §4.18.5
 */
export type RequestQueue = ReturnType<typeof createRequestQueue>

/** @param options.all - whether to emit each request as it is received, instead of one at a time */
export function createRequestQueue(options: {
  requests: Collection<number, PendingRequest>
  clock: Clock
  all: boolean
  emit: (request: PendingRequest) => void
}) {
  const { requests, clock, all, emit } = options
  const emitted = new Set<number>()
  /** The id of the request that the wallet must respond to first. */
  let active: number | undefined
  let stopPause: (() => void) | undefined

  function next() {
    if (stopPause || active !== undefined) return
    const request = requests.values().find(({ id }) => !emitted.has(id))
    if (!request) return
    if (!all) active = request.id
    emitted.add(request.id)
    emit(request)
    if (all) next()
  }

  return {
    /** Must be called after a request was added. */
    next,
    /** Must be called when a request was responded to, expired, or was deleted with its session. */
    done(id: number) {
      emitted.delete(id)
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
