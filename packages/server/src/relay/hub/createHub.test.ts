import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { limits } from '@gatefold/protocol'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createMemoryBudgets } from '../../http/createMemoryBudgets.ts'
import { openStorage, type Storage } from '../../storage/openStorage.ts'
import type { Pushed } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import type { Client } from './Client.ts'
import { createHub, type Hub } from './createHub.ts'
import type { RelayDriver } from '../drivers/RelayDriver.ts'
import { createEmbeddedDriver } from '../drivers/embedded/createEmbeddedDriver.ts'
import { createRelayMetrics } from '../metrics.ts'

/** The real driver; tests can block its calls with `gates`. */
let driver: RelayDriver
let gates: Partial<Record<keyof RelayDriver, Promise<void>>>
let hub: Hub
let storage: Storage
let server: WebSocketServer
let pushes: Pushed[]
/** If true, the driver's messages do not reach the hub. */
let isDisconnected: boolean
/** Whether pushes fit into the memory budget. */
let hasRoom: boolean
/** How far the clock is ahead, in ms. */
let aheadMs: number

beforeEach(async () => {
  storage = await openStorage({ dataDir: ':memory:' })
  gates = {}
  pushes = []
  isDisconnected = false
  aheadMs = 0
  hasRoom = true
  const now = () => Date.now() + aheadMs
  const real = await createEmbeddedDriver({
    storage,
    now,
    onMessages: (messages) => {
      if (!isDisconnected) hub.onMessages(messages)
    },
    onGap: () => {},
  })
  driver = {
    ...real,
    async read(options) {
      const page = await real.read(options)
      await gates.read
      return page
    },
    async acknowledge(...args) {
      await gates.acknowledge
      return real.acknowledge(...args)
    },
  }
  hub = createHub({
    driver,
    metrics: createRelayMetrics(new Registry(), {
      connections: () => 0,
      mailboxes: async () => undefined,
    }),
    now,
    deliveryDelayMs: 1,
    timing: { pingMs: 25_000, tickMs: 20 },
    hasRoom: () => hasRoom,
    memory: createMemoryBudgets(),
    nextTurn: async () => {},
    onError: (error) => {
      throw error
    },
  })
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
  hub.close()
  await driver.close()
  await storage.close()
})

/** Attaches a client with a real socket. The client sends no acknowledgements. */
async function attach(clientId: string, topics: readonly string[] = []): Promise<Client> {
  const remote = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  remote.on('message', (data) => pushes.push(JSON.parse((data as Buffer).toString()) as Pushed))
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  await once(remote, 'open')
  return hub.attach({ clientId, socket, address: '', topics, isDelayed: true })
}

async function subscribe(client: Client, topic: string) {
  await driver.subscribe(client.id, [topic])
  hub.subscribed(client.id, [topic])()
}

async function publish(topic: string, text: string) {
  const outcomes = await driver.publish([
    {
      topic,
      id: text,
      message: text,
      attestation: undefined,
      tag: 0,
      publisher: 'app',
      ttlSeconds: 60,
    },
  ])
  expect(outcomes).toEqual(['stored'])
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

const texts = () => pushes.map(({ params }) => params.data.message)

test('pushes a message that is stored during a read exactly once, after the read', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await publish(topic, 'one')
  const { promise, open } = gate()
  gates.read = promise
  await subscribe(client, topic)
  await expect.poll(() => client.topics.get(topic)?.state).toBe('reading')
  // The running read started before this publish, so it misses the message.
  await publish(topic, 'two')
  await expect.poll(() => client.topics.get(topic)?.state).toBe('readAgain')
  expect(texts()).toEqual([])
  open()
  await expect.poll(() => client.topics.get(topic)?.state).toBe('live')
  await publish(topic, 'three')
  await expect.poll(texts).toEqual(['one', 'two', 'three'])
})

test('attack: a message that does not fit into the budget stays in its mailbox until it fits', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await subscribe(client, topic)
  await expect.poll(() => client.topics.get(topic)?.state).toBe('live')
  hasRoom = false
  await publish(topic, 'one')
  await expect.poll(() => client.topics.get(topic)?.state).toBe('idle')
  expect(texts()).toEqual([])
  hasRoom = true
  await expect.poll(texts).toEqual(['one'])
})

test('does not redeliver while an acknowledgement is being stored', async () => {
  const [topic, other] = [randomTopic(), randomTopic()]
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  const { promise, open } = gate()
  gates.acknowledge = promise
  hub.acknowledged(client, pushes[0]!.id)
  // The client reconnects meanwhile. It must not get the acknowledged message again.
  expect(await attach('wallet')).toBe(client)
  await subscribe(client, topic)
  await subscribe(client, other)
  await publish(other, 'two')
  await expect.poll(() => texts().at(-1)).toBe('two')
  expect(texts().filter((text) => text === 'one')).toEqual(['one'])
  open()
  await expect.poll(() => client.inFlight.size).toBe(1)
})

test('passes the sender’s address to the driver, which stores acknowledgements in turns by address', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  const acknowledge = vi.spyOn(driver, 'acknowledge')
  const seq = pushes[0]!.id
  hub.acknowledged(client, seq, '192.0.2.1')
  const receipt = expect.objectContaining({ topic, seq }) as unknown
  expect(acknowledge.mock.calls).toEqual([['wallet', [receipt], '192.0.2.1']])
})

test('does not redeliver a message acknowledged during a read', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  const { promise, open } = gate()
  gates.read = promise
  // The read finds the message; the acknowledgement takes effect before the read returns.
  const read = vi.spyOn(driver, 'read')
  hub.unsubscribed(client.id, [topic])
  await subscribe(client, topic)
  await expect.poll(() => read.mock.calls.length).toBe(1)
  hub.acknowledged(client, pushes[0]!.id)
  await expect.poll(async () => (await driver.stats()).messages).toBe(0)
  open()
  await expect.poll(() => client.topics.get(topic)?.state).toBe('live')
  expect(texts()).toEqual(['one'])
  expect(client.inFlight.size).toBe(0)
})

test('forgets an unacknowledged push once its message has expired', async () => {
  const [topic, other] = [randomTopic(), randomTopic()]
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  const read = vi.spyOn(driver, 'read')
  aheadMs = 61_000
  await expect.poll(() => client.inFlight.size).toBe(0)
  // The hub checks all clients in one pass: a redelivery to another client shows that the pass has run.
  await subscribe(await attach('another'), other)
  await publish(other, 'two')
  await expect.poll(texts).toEqual(['one', 'two'])
  aheadMs += limits.relayRepeatMs
  await expect.poll(texts).toEqual(['one', 'two', 'two'])
  expect(read.mock.calls.map(([{ clientId }]) => clientId)).not.toContain('wallet')
})

test('after a gap, pushes every waiting message, and none twice', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  // Simulates a message that another process stores while this one is disconnected from the store.
  isDisconnected = true
  await publish(topic, 'missed')
  hub.readEverything()
  await expect.poll(texts).toEqual(['one', 'missed'])
})

test('after a gap, delivers messages whose `seq` is lower than before', async () => {
  const client = await attach('wallet')
  const topic = randomTopic()
  await subscribe(client, topic)
  await publish(topic, 'first')
  await expect.poll(() => pushes.length).toBe(1)
  const [{ params }] = pushes as [Pushed]
  hub.onMessages([
    {
      topic,
      id: 'lost in a failover',
      message: 'lost in a failover',
      attestation: undefined,
      tag: 0,
      publisher: 'app',
      seq: Number.MAX_SAFE_INTEGER,
      publishedAt: params.data.publishedAt,
      expiresAt: params.data.publishedAt + 60_000,
    },
  ])
  await expect.poll(() => pushes.length).toBe(2)
  hub.readEverything()
  await publish(topic, 'later')
  await expect.poll(() => pushes.at(-1)!.params.data.message).toBe('later')
})
