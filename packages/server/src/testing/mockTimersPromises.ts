/**
 * Creates a mock of `node:timers/promises` whose `setTimeout` calls the global one. Fake timers replace only the global
 * function.
 *
 * @param original - loads the real module
 */
export async function mockTimersPromises(original: () => Promise<object>) {
  return { ...(await original()), setTimeout: waitWithGlobal }
}

function waitWithGlobal<Value>(
  ms: number,
  value?: Value,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) reject(new Error('aborted'))
    signal?.addEventListener('abort', () => reject(new Error('aborted')))
    setTimeout(resolve, ms, value)
  })
}
