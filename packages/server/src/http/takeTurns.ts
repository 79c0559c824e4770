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
    const address = requestAddress(config, (bindings as HttpBindings).incoming)
    const enterTurn = (bytes: number) => turns.enter(address, bytes)
    const nextTurn = (bytes: number) => turns.next(address, bytes)
    const turn = Promise.withResolvers<void>()
    let response: ReturnType<Fetch> | undefined
    const respond = () => {
      response = fetch(request, Object.assign(bindings, { enterTurn, nextTurn }))
      turn.resolve()
    }
    return turns.run(address, respond, 0) ? response! : turn.promise.then(() => response!)
  }
}
