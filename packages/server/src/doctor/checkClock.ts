import type { ClockSample, Finding } from './Finding.ts'

/**
 * Largest accepted difference between clocks, in ms. After `gatefold verify rotate`, a process with a clock
 * that is further ahead signs with a key that the others have not loaded. See docs/verify.md#operating-it.
 */
const maxSkewMs = 10_000

/** Compares this machine's clock with the clocks of the services that it uses. */
export function checkClock(samples: readonly ClockSample[]): Finding[] {
  if (samples.length === 0)
    return [
      {
        check: 'clock',
        status: 'skipped',
        message: 'No other machine to compare the clock with: none of the above responded.',
      },
    ]
  const wrong = samples.filter(({ aheadMs }) => Math.abs(aheadMs) > maxSkewMs)
  if (wrong.length === 0)
    return [
      {
        check: 'clock',
        status: 'ok',
        message: `This machine's clock agrees with ${samples.map(({ source }) => source).join(', ')}.`,
      },
    ]
  // If all others disagree with this clock, this clock is the one that is wrong.
  const isOurs = wrong.length === samples.length
  return wrong.map(({ source, aheadMs }) => ({
    check: 'clock',
    status: 'error',
    message: `This machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of ${source}.`,
    fix: `Turn on time synchronization (timedatectl set-ntp true) ${isOurs ? 'on this machine' : `on the machine of ${source}`}. Clients and relay refuse tokens from another time.`,
  }))
}
