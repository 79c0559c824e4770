import { setTimeout as wait } from 'node:timers/promises'

/**
 * Looks again and again until something holds.
 *
 * @returns ms until it held; `undefined` when it did not in time.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number | undefined> {
  const began = performance.now()
  for (;;) {
    if (await holds()) return performance.now() - began
    if (performance.now() - began > limitMs) return undefined
    await wait(20)
  }
}
