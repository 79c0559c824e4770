import { publicAnswers } from '../http/answers.ts'
import { createPreflight } from '../http/cors.ts'
import type { Role } from '../http/Role.ts'
import { runEvery } from '../runEvery.ts'
import { deleteWatchesBefore } from '../storage/relayWatches.ts'
import { createRelay } from './createRelay.ts'
import type { ServerContext } from './RelayContext.ts'

const dayMs = 24 * 60 * 60_000

/** WebSockets are opened at `/`. */
export const relayPaths = ['/', '/rpc'] as const

/** Creates the relay as a role of the server. */
export async function createRelayRole(context: ServerContext): Promise<Role> {
  const { log, now, storage } = context
  const relay = await createRelay(context)
  let stop: (() => void) | undefined
  return {
    routes: relay.routes,
    answers: publicAnswers,
    preflight: createPreflight({
      headers: publicAnswers.headers,
      methods: 'POST, OPTIONS',
      allowHeaders: 'content-type, authorization',
      anyHeader: true,
    }),
    health: () => relay.health(),
    upgrade: relay.upgrade,
    onListening() {
      stop = runEvery(dayMs, () =>
        deleteWatchesBefore(storage.db, now()).catch((error: unknown) =>
          log.warn({ err: error }, 'deleting expired watches failed'),
        ),
      )
    },
    async close(graceMs) {
      stop?.()
      await relay.close(graceMs)
    },
  }
}
