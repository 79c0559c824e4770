import { createTransport } from 'viem'
import type { Transport } from 'viem'

import type { AlertEvent } from '../../core/notifications/alerts.ts'

/**
 * A transport that tries several transports in order until one succeeds. viem's `fallback` also ranks
 * them, and adds 3 KB to every page load. With `emit`, the first request is preceded by a test ping, transports that
 * fail it are tried last from then on, and alerts name the cause.
 *
 * @see spec §7.12.1
 */
export function inTurn(
  transports: readonly Transport[],
  emit?: (event: AlertEvent) => void,
): Transport {
  return ({ chain, timeout, ...rest }) => {
    const create = (transport: Transport) => transport({ ...rest, chain, timeout, retryCount: 0 })
    let opened: Promise<readonly Transport[]> | undefined
    const open = async () =>
      emit && chain
        ? import('./pingInTurn.ts').then(
            (module) => module.pingInTurn(transports, { create, chain, emit }),
            () => transports,
          )
        : transports
    return createTransport({
      key: 'inTurn',
      name: 'In turn',
      type: 'inTurn',
      // Retries repeat the whole sequence, not each endpoint.
      retryCount: rest.retryCount,
      async request(request, options) {
        let failure: unknown = new Error('The network has no RPC URL.')
        for (const transport of await (opened ??= open())) {
          try {
            return await create(transport).request(request, options)
          } catch (error) {
            failure = error
            if (isFinal(error) || options?.signal?.aborted) break
          }
        }
        throw failure
      },
    } as Parameters<typeof createTransport>[0])
  }
}

/** Whether any other node would fail in the same way: a revert, or a rejection by the visitor. */
function isFinal(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 3 || code === 4001 || /revert/i.test(String(message))
}
