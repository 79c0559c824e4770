import { createTransport } from 'viem'
import type { Transport } from 'viem'

/**
 * Asks one transport after the other until one answers. viem's `fallback` does more (ranking,
 * methods) and costs 3 KB of every page's first load.
 *
 * @see spec §7.12.1
 */
export function inTurn(transports: readonly Transport[]): Transport {
  return ({ chain, timeout, ...rest }) =>
    createTransport({
      key: 'inTurn',
      name: 'In turn',
      type: 'inTurn',
      // The round is repeated, not each endpoint by itself.
      retryCount: rest.retryCount,
      async request(request, options) {
        let failure: unknown = new Error('The network has no RPC URL.')
        for (const transport of transports) {
          try {
            return await transport({ ...rest, chain, timeout, retryCount: 0 }).request(
              request,
              options,
            )
          } catch (error) {
            failure = error
            if (isFinal(error) || options?.signal?.aborted) break
          }
        }
        throw failure
      },
    } as Parameters<typeof createTransport>[0])
}

/** Whether every node would answer so: the call reverts, or the visitor declined. */
function isFinal(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 3 || code === 4001 || /revert/i.test(String(message))
}
