import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import type { Env } from '../http/access.ts'
import { createMemoryBudgets } from '../http/createMemoryBudgets.ts'
import { createTurns } from '../http/createTurns.ts'
import { openStorage } from '../storage/openStorage.ts'
import { createRelayIdentity, makeRelayToken, openRelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { createRelay } from './createRelay.ts'
import type { ServerContext } from './RelayContext.ts'

const url = 'wss://relay.example'
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const openMemory = async () => {
  const storage = await openStorage({ databaseUrl: undefined, dataDir: ':memory:' })
  closers.push(() => storage.close())
  return storage
}

/** Creates a relay whose database is in memory. */
async function start(
  config: Partial<ServerContext['config']> = {},
  services: Partial<ServerContext> = {},
) {
  const storage = services.storage ?? (await openMemory())
  const logged: unknown[][] = []
  const log = (level: string) => (fields: object, text: string) =>
    logged.push([level, fields, text])
  const registry = new Registry()
  const relay = await createRelay({
    config: {
      relayAddressHourlyMib: 100,
      relayAddressMib: 100,
      relayAddressSockets: 100,
      relayCapacityMib: 1_000,
      relayDeliveryDelayMs: 0,
      relayHourlyMib: 1_000,
      relayUrls: [url],
      trustedProxies: 1,
      ...config,
    },
    limits: {
      address: { take: () => 0 },
      clients: { take: () => 0 },
      topics: { burst: 100, take: () => 0 },
    },
    log: { error: log('error'), warn: log('warn') },
    memory: createMemoryBudgets(),
    metrics: { registry, limited: { inc() {} } },
    now: Date.now,
    projects: { get: () => ({ active: true, allowedOrigins: ['*'] }) },
    redis: undefined,
    relayTiming: { pingMs: 25_000, tickMs: 1_000, overBudgetMs: 1 },
    sharedAccounts: undefined,
    storage,
    turns: createTurns(),
    ...services,
  } as unknown as ServerContext)
  closers.push(() => relay.close(0))
  const app = new Hono<Env>().post('/rpc', relay.routes['/rpc'].POST)
  let lastIdentity = createRelayIdentity()

  async function call(
    method: string,
    params: object,
    { address = '192.0.2.1', projectId = 'p' } = {},
  ) {
    const token = makeRelayToken(lastIdentity, url)
    const response = await app.request(`/rpc?auth=${token}&projectId=${projectId}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: JSON.stringify({ id: 1, jsonrpc: '2.0', method, params }),
    })
    const { result, error } = (await response.json()) as {
      result?: unknown
      error?: { data: string }
    }
    return error?.data ?? result
  }
  /** Publishes KiB of text on a new topic, as a new client. */
  async function publish(kib: number, from?: Parameters<typeof call>[2], topic = randomTopic()) {
    lastIdentity = createRelayIdentity()
    const message = 'x'.repeat(kib * 1024)
    return call('irn_publish', { topic, message, ttl: 300, tag: 1 }, from)
  }
  /** Acknowledges a message that `publish` has sent, as another client. */
  async function acknowledge(kib: number, topic: string) {
    lastIdentity = createRelayIdentity()
    const messageId = hash('sha256', 'x'.repeat(kib * 1024))
    return call('irn_batchReceive', { receipts: [{ topic, messageId }] })
  }
  /** Lets clients connect. @returns a function that connects one */
  async function listen() {
    const server = createServer().on('upgrade', relay.upgrade)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(async () => server.close())
    return async () => {
      const client = await openRelayClient(
        `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      )
      closers.push(() => client.drop())
      return client
    }
  }
  const metric = async (name: string) =>
    new RegExp(`^gatefold_relay_${name} (.*)$`, 'm').exec(await registry.metrics())?.[1]
  return { relay, storage, logged, call, publish, acknowledge, listen, metric }
}

test('a relay stores messages, and reports its state', async () => {
  const { relay, publish, metric } = await start()
  expect(await publish(1)).toBe(true)
  expect([await metric('mailbox_messages'), await metric('connections')]).toEqual(['1', '0'])
  expect(relay.health()).toEqual({ isUp: true, body: { relay: { status: 'up', connections: 0 } } })
})

test('a relay delivers messages over sockets, and closes them when it is closed', async () => {
  const { relay, listen, metric } = await start({ relayUrls: undefined })
  const connect = await listen()
  const [app, wallet] = [await connect(), await connect()]
  const topic = randomTopic()
  await wallet.call('irn_subscribe', { topic })
  await app.publish(topic, 'hello')
  await expect.poll(() => wallet.messages).toEqual(['hello'])
  expect(await metric('connections')).toBe('2')
  expect(relay.health().body).toEqual({ relay: { status: 'up', connections: 2 } })
  await relay.close(0)
  expect(await wallet.closed).toEqual({ code: 1012, reason: 'restart' })
})

test('bytes that wait are counted until they are acknowledged, even after a restart', async () => {
  const storage = await openMemory()
  const first = await start({ relayAddressMib: 1 }, { storage })
  const topic = randomTopic()
  expect(await first.publish(1_000, undefined, topic)).toBe(true)
  expect(await first.publish(100)).toBe('StorageBudgetExceeded')
  expect(await first.acknowledge(1_000, topic)).toBe(true)
  await expect.poll(() => first.publish(990)).toBe(true)
  await first.relay.close(0)
  const { publish } = await start({ relayAddressMib: 1 }, { storage })
  await expect.poll(() => publish(20)).toBe('StorageBudgetExceeded')
})

test('a publish that the shared accounts do not grant is refused', async () => {
  const update = async () => ({ isGranted: false, waiting: 0, debtMs: 0 })
  const { publish } = await start({ relayAddressMib: 1 }, { sharedAccounts: { update } })
  expect(await publish(1_000)).toBe('StorageBudgetExceeded')
})

test.each([
  ['bytes that wait', { relayAddressMib: 1 }],
  ['bytes per hour', { relayAddressHourlyMib: 1 }],
])('attack: one address, and one project, has a limit of %s', async (_, config) => {
  const one = await start(config)
  expect(await one.publish(1_000)).toBe(true)
  expect(await one.publish(100)).not.toBe(true)
  expect(await one.publish(100, { address: '192.0.2.2' })).toBe(true)
})

test.each([
  ['bytes that wait', { relayCapacityMib: 15 }],
  ['bytes per hour', { relayHourlyMib: 15 }],
])('attack: one project uses at most a tenth of the %s', async (_, config) => {
  const { publish } = await start(config)
  expect(await publish(1_000)).toBe(true)
  expect(await publish(900)).not.toBe(true)
  expect(await publish(500)).toBe(true)
  expect(await publish(900, { projectId: 'q' })).toBe(true)
})

test('error: while the store fails, the relay is down, and the log contains no details', async () => {
  const { relay, storage, logged, call, publish } = await start()
  await storage.db.schema.dropTable('relay_messages').execute()
  void publish(1).catch(() => {})
  await expect
    .poll(() => relay.health())
    .toEqual({
      isUp: false,
      body: { relay: { status: 'down', connections: 0, error: 'the database is unavailable' } },
    })
  expect(await call('irn_fetchMessages', { topic: randomTopic() })).toBe('StorageError')
  const line = logged.find(([, , text]) => text === 'the message store is unavailable')
  const error = { reason: expect.stringMatching(/^no such table/), code: expect.anything() }
  expect(line).toEqual(['error', error, line![2]])
})

test('error: mailboxes that cannot be read or counted are logged', async () => {
  const storage = await openMemory()
  await sql`alter table relay_messages drop column charge`.execute(storage.db)
  const { logged, listen } = await start({ relayUrls: undefined }, { storage })
  const fields = { reason: expect.stringMatching(/^no such column/), code: expect.anything() }
  await expect
    .poll(() => logged)
    .toContainEqual(['warn', fields, 'counting waiting messages failed'])
  const client = await (await listen())()
  await sql`drop table relay_acks`.execute(storage.db)
  await client.call('irn_subscribe', { topic: randomTopic() })
  const missing = { ...fields, reason: expect.stringMatching(/^no such table/) }
  await expect
    .poll(() => logged)
    .toContainEqual(['warn', missing, 'reading or writing a mailbox failed'])
})
