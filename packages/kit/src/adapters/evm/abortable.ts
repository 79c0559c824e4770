import { createClient, custom } from 'viem'
import type { Client } from 'viem'
import { watchBlockNumber } from 'viem/actions'
import type { WatchBlockNumberParameters } from 'viem/actions'

/**
 * A client for viem actions that poll but accept no signal. Once `signal` aborts, pending requests are
 * aborted and new ones fail, so an action that waits for a block fails with its next read.
 */
export function abortableClient(client: Client, signal: AbortSignal): Client {
  const { chain, pollingInterval, cacheTime } = client
  const request = (args: never) => client.request(args, { signal })
  const own = createClient({
    chain,
    pollingInterval,
    cacheTime,
    // Retries are left to the wrapped client.
    transport: custom({ request }, { retryCount: 0 }),
  })
  return own.extend(() => ({
    watchBlockNumber(parameters: WatchBlockNumberParameters) {
      const readAgain = () => parameters.onBlockNumber(0n, undefined)
      if (signal.aborted) readAgain()
      signal.addEventListener('abort', readAgain, { once: true })
      const stop = watchBlockNumber(own, parameters)
      return () => {
        signal.removeEventListener('abort', readAgain)
        stop()
      }
    },
  })) as Client
}

/** Settles like `promise`, or rejects with the signal's reason as soon as it aborts. */
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
