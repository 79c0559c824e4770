import { limits } from '@gatefold/protocol'

/**
 * Limits error reports to five in any 60 seconds.
 *
 * @param now - returns the current time in ms
 * @returns a function that returns whether another report may be sent, and counts that report
 * @see spec §8.6.2, §9.4.1
 */
export function createReportLimiter(now: () => number): () => boolean {
  let times: number[] = []
  return () => {
    const time = now()
    times = times.filter((sent) => time - sent < limits.errorReportWindowMs)
    if (times.length >= limits.errorReportCap) return false
    times.push(time)
    return true
  }
}
