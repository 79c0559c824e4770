import { afterEach } from 'vitest'
import { createDatabase, type engines } from './databases.ts'
import { startRelay } from './startRelay.ts'

/** Starts relays and databases for the tests of a file, and removes them after each test. */
export function useRelays() {
  const cleanups: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })

  async function start(...args: Parameters<typeof startRelay>) {
    const relay = await startRelay(...args)
    cleanups.push(() => relay.stop())
    return relay
  }

  async function database(engine: (typeof engines)[number]) {
    const created = await createDatabase(engine)
    cleanups.push(() => created.remove())
    return created.config
  }

  /** Starts a relay with a clock that the test can move. */
  async function startWithClock(config: Parameters<typeof startRelay>[0] = {}) {
    const clock = { aheadMs: 0 }
    const relay = await start(config, {
      now: () => Date.now() + clock.aheadMs,
      relayTiming: { pingMs: 25_000, tickMs: 50 },
    })
    return { relay, clock }
  }

  return {
    /** Adds a function that runs after the test; the last one added runs first. */
    addCleanup: (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup),
    start,
    database,
    startWithClock,
  }
}
