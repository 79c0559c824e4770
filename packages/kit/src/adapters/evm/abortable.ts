import { createClient, custom } from 'viem'
import type { Client } from 'viem'
import { watchBlockNumber } from 'viem/actions'
import type { WatchBlockNumberParameters } from 'viem/actions'

/**
 * The same client for viem's actions that poll and take no signal: once it has aborted, nothing is
 * asked any more, requests under way are given up, and what waits for a block fails with the next read.
 */
export function abortableClient(client: Client, signal: AbortSignal): Client {
  const { chain, pollingInterval, cacheTime } = client
  const request = (args: never) => client.request(args, { signal })
  const own = createClient({
    chain,
    pollingInterval,
    cacheTime,
    // The client behind it tries again by itself.
    transport: custom({ request }, { retryCount: 0 }),
  })
  return own.extend(() => ({
    watchBlockNumber(parameters: WatchBlockNumberParameters) {
      const lookAgain = () => parameters.onBlockNumber(0n, undefined)
      if (signal.aborted) lookAgain()
      signal.addEventListener('abort', lookAgain, { once: true })
      const stop = watchBlockNumber(own, parameters)
      return () => {
        signal.removeEventListener('abort', lookAgain)
        stop()
      }
    },
  })) as Client
}

/** What a promise resolves with, or the signal's reason as soon as there is one. */
export async function unlessAborted<value>(
  promise: Promise<value>,
  signal: AbortSignal,
): Promise<value> {
  let end = () => {}
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as Error)
  })
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
