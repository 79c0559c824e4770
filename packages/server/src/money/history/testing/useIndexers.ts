import { chainData } from '@gatefold/chain'
import { Registry } from 'prom-client'
import type { Address, Hex } from 'viem'
import { afterEach, beforeEach } from 'vitest'
import { readConfig } from '../../../config.ts'
import { createContext, type Context } from '../../../context.ts'
import { listEntries, watchAddress } from '../../../storage/history.ts'
import { createDatabase, type engines, type TestDatabase } from '../../../testing/databases.ts'
import { createHistoryMetrics } from '../createHistoryMetrics.ts'
import { createIndexer, type Indexer } from '../createIndexer.ts'

const id = 'eip155:31337'

type Settings = Parameters<typeof createIndexer>[0]['settings']

/**
 * Creates an empty database for each test, and indexers that use it.
 *
 * @param url - of the upstream; called before each test.
 */
export function useIndexers(engine: (typeof engines)[number], url: () => string) {
  let database: TestDatabase
  let context: Context
  const indexers: Indexer[] = []
  const fixture = {
    now: 0,
    get db() {
      return context.storage.db
    },
    /** Creates an indexer that reads blocks only when the test calls `step`. */
    create: (settings: Partial<Settings> = {}) => {
      const indexer = createIndexer({
        chain: context.chains.byId.get(id)!,
        data: chainData[id],
        db: context.storage.db,
        log: context.log,
        metrics: createHistoryMetrics(new Registry()),
        now: () => fixture.now,
        settings: {
          backfillBlocks: 10_000,
          maxAddresses: 100,
          callsPerSecond: 100_000,
          ...settings,
        },
      })
      indexers.push(indexer)
      return indexer
    },
    watch: async (address: Address) =>
      watchAddress(context.storage.db, {
        chain: id,
        address: address.toLowerCase(),
        now: fixture.now,
        maxWatches: 100,
      }),
    /** The hashes of the stored transactions of an account, newest first. */
    stored: async (account: Address) => {
      const address = account.toLowerCase()
      const rows = await listEntries(context.storage.db, { chain: id, address, limit: 10_000 })
      return rows.map(({ facts }) => (JSON.parse(facts) as { hash: Hex }).hash)
    },
  }
  beforeEach(async () => {
    database = await createDatabase(engine)
    fixture.now = Date.now()
    context = await createContext(
      { ...readConfig(), ...database.config, logLevel: 'silent', rpcUrls: { [id]: [url()] } },
      { now: () => fixture.now },
    )
  })
  afterEach(async () => {
    for (const indexer of indexers.splice(0)) await indexer.stop()
    await context.storage.close()
    await database.remove()
  })
  return fixture
}

/** Calls `step` until there is nothing to read. */
export async function drain(indexer: Indexer) {
  while (await indexer.step());
}
