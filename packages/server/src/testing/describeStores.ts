import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { createDatabase, engines, type TestDatabase } from './databases.ts'
import type { RelayClient, RelayClientOptions } from './openRelayClient.ts'
import { randomTopic, startRelay, type TestRelay } from './startRelay.ts'

const stores = [...engines, ...((await whyNoRedis()) ? [] : (['redis'] as const))]

/**
 * Declares tests of the relay for each store: SQLite, PostgreSQL, and Redis if it is installed. Each test
 * uses a new relay.
 */
export function describeStores(title: string, declareTests: (fixture: StoreFixture) => void) {
  describe.each(stores)(`${title} on %s`, (store) => {
    let redis: Redis | undefined
    let database: TestDatabase
    let relay: TestRelay
    const start = (...[config, options]: Parameters<typeof startRelay>) =>
      startRelay({ ...database.config, redisUrls: redis && [redis.url], ...config }, options)
    beforeAll(async () => {
      if (store === 'redis') redis = await startRedis()
    })
    afterAll(() => redis?.stop())
    beforeEach(async () => {
      database = await createDatabase(store === 'redis' ? 'sqlite' : store)
      await redis?.clear()
      relay = await start()
    })
    afterEach(async () => {
      await relay.stop()
      await database.remove()
    })

    declareTests({
      connect: (options) => relay.connect(options),
      metric: (name) => relay.metric(name),
      async restart(...args) {
        await relay.stop()
        relay = await start(...args)
      },
      async settle(...clients) {
        const probe = await relay.connect()
        const topic = randomTopic()
        for (const client of clients) await client.call('irn_subscribe', { topic })
        const before = clients.map((client) => client.pushes.length)
        await probe.publish(topic, `probe ${randomTopic()}`)
        await expect
          .poll(() => clients.every((client, index) => client.pushes.length > before[index]!))
          .toBe(true)
        for (const client of clients) {
          const at = client.pushes.findIndex(({ params }) => params.data.topic === topic)
          client.acknowledge(client.pushes[at]!)
          client.pushes.splice(at, 1)
        }
      },
    })
  })
}

export type StoreFixture = {
  connect: (options?: RelayClientOptions) => Promise<RelayClient>
  metric: (name: string) => Promise<number | undefined>
  /** Stops the relay and starts another on the same store. */
  restart: (...args: Parameters<typeof startRelay>) => Promise<void>
  /** Waits until every message published so far has been pushed to these clients. */
  settle: (...clients: RelayClient[]) => Promise<void>
}
