import { limits } from '@gatefold/protocol'
import type { Clock } from '../SignClient.ts'
import { createTimeoutSignal } from './createTimeoutSignal.ts'

/** Fetches JSON and never rejects. @returns undefined unless the response is JSON with a 2xx status */
export type FetchJson = (url: string) => Promise<unknown>

/**
 * Creates a function that fetches from the verify service with a timeout. After a timeout, a network error or
 * invalid JSON, it sends no requests for a minute, so that later messages do not wait for the timeout.
 *
 * @param options.closed - aborts requests in flight
 */
export function createFetchJson(options: { clock: Clock; closed: AbortSignal }): FetchJson {
  const { clock, closed } = options
  let pausedUntil = 0
  return async (url) => {
    if (closed.aborted || clock.now() < pausedUntil) return undefined
    const pause = () => (pausedUntil = clock.now() + limits.attestPauseMs)
    const ms = limits.verifyLookupTimeoutMs
    const { signal, clear } = createTimeoutSignal({ clock, closed, ms, onTimeout: pause })
    try {
      const response = await fetch(url, {
        signal,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
      return response.ok ? ((await response.json()) as unknown) : undefined
    } catch {
      // Unreachable, timed out, or not JSON.
      pause()
      return undefined
    } finally {
      clear()
    }
  }
}
