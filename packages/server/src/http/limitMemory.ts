import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings, Http2Bindings } from '@hono/node-server'
import type { Context } from '../context.ts'
import { publicAnswers } from './answers.ts'
import { requestAddress } from './clientAddress.ts'
import { uncountedBytes } from './createMemoryBudgets.ts'

export type Fetch = (
  request: Request,
  bindings: HttpBindings | Http2Bindings,
) => Response | Promise<Response>

/** The size that a body of unknown length counts as: the largest that a route accepts. */
const unstatedBytes = 4 * 1024 * 1024

/**
 * Limits the memory for bodies and unread responses of each address.
 *
 * @see docs/threats.md#memory-of-connections
 */
export function limitMemory(
  {
    config,
    memory,
  }: Pick<Context, 'memory'> & { config: Pick<Context['config'], 'trustedProxies'> },
  fetch: Fetch,
): Fetch {
  /** Reserves bytes until the response is closed and a promise settles. @returns false if there is no room */
  function hold(
    address: string,
    bytes: number,
    outgoing: ServerResponse,
    settled?: Promise<void>,
  ): boolean {
    // A response that is already destroyed emits no `close`.
    if (outgoing.destroyed || !memory.reserve(address, bytes)) return false
    const closed = new Promise<void>((resolve) => outgoing.once('close', resolve))
    void Promise.all([closed, settled]).then(() => memory.add(address, -bytes))
    return true
  }

  return (request, bindings) => {
    // The server supports only HTTP/1.
    const { incoming, outgoing } = bindings as HttpBindings
    // The response is written after this: later in this turn, or once the promise of `fetch` resolves.
    outgoing.once('prefinish', () => {
      const bytes = outgoing.writableLength
      if (bytes > uncountedBytes && !hold(requestAddress(config, incoming), bytes, outgoing))
        outgoing.destroy()
    })
    const bytes = bodyBytes(incoming)
    if (bytes <= uncountedBytes) return fetch(request, bindings)
    // A handler keeps a body that it has read, even if the client disconnects.
    const handled = Promise.withResolvers<void>()
    if (!hold(requestAddress(config, incoming), bytes, outgoing, handled.promise))
      return publicAnswers.refuse(
        429,
        { field: 'body', description: 'too many bodies from this address at the same time' },
        { 'retry-after': '1' },
      )
    const response = Promise.resolve(fetch(request, bindings))
    return response.finally(() => handled.resolve())
  }
}

function bodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return unstatedBytes
  return Number(headers['content-length'] ?? 0)
}
