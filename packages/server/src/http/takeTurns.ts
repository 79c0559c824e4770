import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { requestAddress } from './clientAddress.ts'
import type { Fetch } from './limitMemory.ts'

/**
 * Maximum number of unanswered requests of a connection. Browsers and proxies send a request once they have the response
 * to the one before. Node limits them only by the size of the responses that wait, which a client can keep at 0.
 */
export const maxPipelinedRequests = 16

/**
 * Handles each request in a turn of its address, and its body in later turns. Does not handle requests whose client
 * disconnects before their turn. Ends a connection with too many unanswered requests.
 *
 * @see docs/threats.md#event-loop
 */
export function takeTurns(
  { config, turns }: Pick<Context, 'turns'> & { config: Pick<Config, 'trustedProxies'> },
  fetch: Fetch,
): Fetch {
  const unanswered = new WeakMap<Socket, number>()

  /** Counts a request of a connection until its response is closed. @returns false if the connection is ended */
  function admit(socket: Socket, outgoing: ServerResponse): boolean {
    const count = (unanswered.get(socket) ?? 0) + 1
    // Node has parsed some more requests of a connection when it is ended.
    if (count > maxPipelinedRequests) socket.destroy()
    if (socket.destroyed) return false
    unanswered.set(socket, count)
    outgoing.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1))
    return true
  }

  return (request, bindings) => {
    const { incoming, outgoing } = bindings as HttpBindings
    if (!admit(incoming.socket, outgoing)) return unsent()
    const address = requestAddress(config, incoming)
    const enterTurn = (bytes: number) => turns.enter(address, bytes)
    const nextTurn = (bytes: number) => turns.next(address, bytes)
    outgoing.once('prefinish', () => discardBody(incoming, nextTurn))
    const turn = Promise.withResolvers<void>()
    let response: ReturnType<Fetch> | undefined
    const respond = () => {
      response = outgoing.destroyed
        ? unsent()
        : fetch(request, Object.assign(bindings, { enterTurn, nextTurn }))
      turn.resolve()
    }
    return turns.run(address, respond, 0) ? response! : turn.promise.then(() => response!)
  }
}

/** A response for a client that has disconnected. */
function unsent(): Response {
  return new Response(null, { status: 499 })
}

/**
 * Discards the rest of a body that the response did not need, in turns. Node would read up to 2 MiB of it in each
 * iteration of the event loop. Call this before the response has finished: Node reads the rest then.
 */
function discardBody(incoming: IncomingMessage, nextTurn: (bytes: number) => Promise<void>) {
  if (incoming.complete) return
  incoming.on('data', ({ length }: Buffer) => {
    incoming.pause()
    void nextTurn(length).then(() => incoming.resume())
  })
  // Shows Node that the body has a reader.
  incoming.read(0)
}
