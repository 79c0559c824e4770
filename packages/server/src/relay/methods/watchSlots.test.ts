import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage, type Storage } from '../../storage/openStorage.ts'
import { createDatabase, type TestDatabase } from '../../testing/databases.ts'
import {
  createRelayIdentity,
  makeRelayToken,
  type RelayClient,
} from '../../testing/openRelayClient.ts'
import { randomTopic, startRelay, type TestRelay } from '../../testing/startRelay.ts'

let database: TestDatabase
let storage: Storage
let relay: TestRelay
beforeEach(async () => {
  database = await createDatabase('postgres')
  storage = await openStorage(database.config)
  relay = await startRelay({ ...database.config, trustedProxies: 1 })
})
afterEach(async () => {
  await relay.stop()
  await storage.close()
  await database.remove()
})

async function connect(address: string) {
  const identity = createRelayIdentity()
  const client = await relay.connect({ identity, headers: { 'x-forwarded-for': address } })
  return Object.assign(client, { identity })
}

function register({ identity, request }: RelayClient & Awaited<ReturnType<typeof connect>>) {
  return request('irn_watchRegister', {
    registerAuth: makeRelayToken(identity, relay.url, {
      act: 'irn_watch_register',
      typ: 'subscriber',
      whu: 'https://push.example/relay',
      tag: [1100],
      sts: ['queued'],
    }),
  })
}

/** Keeps the writes of watches waiting, of all clients or of one, until the returned function is called. */
async function block(clientId?: string): Promise<() => Promise<void>> {
  const [blocked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = storage.db.transaction().execute(async (transaction) => {
    if (clientId === undefined)
      await sql`lock table relay_watches in exclusive mode`.execute(transaction)
    else
      await sql`insert into relay_watches (client_id, kind, webhook, tags, statuses, expires_at)
        values (${clientId}, 'subscriber', 'https://push.example/relay', '', '', 0)`.execute(
        transaction,
      )
    blocked.resolve()
    await release.promise
  })
  await Promise.race([blocked.promise, done])
  return async () => {
    release.resolve()
    await done
  }
}

/** Resolves once this many transactions wait for a lock. */
async function untilWaiting(count: number) {
  await expect
    .poll(async () => {
      const waiting = sql<{ count: number }>`select count(*) from pg_locks where not granted`
      return (await waiting.execute(storage.db)).rows[0]!.count
    })
    .toBe(count)
}

test('attack: registrations of watches leave connections to the database for new clients', async () => {
  const clients = await Promise.all(
    Array.from({ length: 12 }, (_, index) => connect(`192.0.2.${index + 1}`)),
  )
  const release = await block()
  const answers = clients.map(register)
  await untilWaiting(2)
  const client = await connect('192.0.2.100')
  expect(await client.publish(randomTopic(), 'x')).toBe(true)
  await release()
  for (const answer of answers) expect((await answer).error).toBeUndefined()
})

test('attack: registrations from one address do not delay those from another', async () => {
  const attackers = await Promise.all(Array.from({ length: 4 }, () => connect('192.0.2.1')))
  const releases = await Promise.all(attackers.map(({ clientId }) => block(clientId)))
  const answers = attackers.map(register)
  await untilWaiting(1)
  expect((await register(await connect('192.0.2.2'))).error).toBeUndefined()
  for (const release of releases) await release()
  for (const answer of answers) expect((await answer).error).toBeUndefined()
})

test('attack: registrations of an address beyond 100 that wait are refused', async () => {
  const attackers = await Promise.all(Array.from({ length: 3 }, () => connect('192.0.2.1')))
  const release = await block()
  const answers = attackers.flatMap((client) => Array.from({ length: 35 }, () => register(client)))
  const refused = { code: expect.any(Number), data: 'TooManyRequests' }
  await expect(Promise.race(answers)).resolves.toMatchObject({ error: refused })
  await release()
  const errors = (await Promise.all(answers)).filter(({ error }) => error)
  expect(errors).toHaveLength(4)
})
