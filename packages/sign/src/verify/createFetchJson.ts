import { limits } from '@gatefold/protocol'
import type { Clock } from '../SignClient.ts'
import { createTimeoutSignal } from './createTimeoutSignal.ts'

/** @returns the JSON of a 2xx answer; `undefined` where there is none. Never rejects. */
export type FetchJson = (url: string) => Promise<unknown>

/**
 * Asks the verify service with a limit on time. When it does not answer at all it is left alone for a
 * while, so that not every message waits for it.
 *
 * @param options.closed - aborts what is under way
 */
export function createFetchJson(options: { clock: Clock; closed: AbortSignal }): FetchJson {
  const { clock, closed } = options
  let restsUntil = 0
  return async (url) => {
    if (closed.aborted || clock.now() < restsUntil) return undefined
    const rest = () => (restsUntil = clock.now() + limits.attestPauseMs)
    const ms = limits.verifyLookupTimeoutMs
    const { signal, stop } = createTimeoutSignal({ clock, closed, ms, onLate: rest })
    try {
      const answer = await fetch(url, {
        signal,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
      return answer.ok ? ((await answer.json()) as unknown) : undefined
    } catch {
      // Not there, too late, or not JSON: nothing is known, and the caller says so.
      rest()
      return undefined
    } finally {
      stop()
    }
  }
}
