import { setTimeout as wait } from 'node:timers/promises'

/**
 * Polls a condition until it is true.
 *
 * @returns ms until the condition was true; `undefined` if it was not true in time
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number | undefined> {
  const began = performance.now()
  for (;;) {
    if (await condition()) return performance.now() - began
    if (performance.now() - began > limitMs) return undefined
    await wait(20)
  }
}
