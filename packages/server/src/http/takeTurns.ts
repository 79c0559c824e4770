import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { requestAddress } from './clientAddress.ts'
import type { Fetch } from './limitMemory.ts'

/**
 * Handles each request in a turn of its address, and its body in later turns.
 *
 * @see docs/threats.md#event-loop
 */
export function takeTurns(
  { config, turns }: Pick<Context, 'turns'> & { config: Pick<Config, 'trustedProxies'> },
  fetch: Fetch,
): Fetch {
  return (request, bindings) => {
    const { incoming, outgoing } = bindings as HttpBindings
    const address = requestAddress(config, incoming)
    const enterTurn = (bytes: number) => turns.enter(address, bytes)
    const nextTurn = (bytes: number) => turns.next(address, bytes)
    outgoing.once('prefinish', () => discardBody(incoming, nextTurn))
    const turn = Promise.withResolvers<void>()
    let response: ReturnType<Fetch> | undefined
    const respond = () => {
      response = fetch(request, Object.assign(bindings, { enterTurn, nextTurn }))
      turn.resolve()
    }
    return turns.run(address, respond, 0) ? response! : turn.promise.then(() => response!)
  }
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
