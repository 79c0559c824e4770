import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { limits } from '@gatefold/protocol'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openStorage, type Storage } from '../../storage/openStorage.ts'
import type { Pushed } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import type { Client } from './Client.ts'
import { createHub, type Hub } from './createHub.ts'
import type { RelayDriver } from '../drivers/RelayDriver.ts'
import { createEmbeddedDriver } from '../drivers/embedded/createEmbeddedDriver.ts'
import { createRelayMetrics } from '../metrics.ts'

/** The real driver, whose calls a test can hold up. */
let driver: RelayDriver
let gates: Partial<Record<keyof RelayDriver, Promise<void>>>
let hub: Hub
let storage: Storage
let server: WebSocketServer
let pushes: Pushed[]
/** Whether the hub receives no message. */
let isDeaf: boolean
/** How far the clock is ahead, in ms. */
let aheadMs: number

beforeEach(async () => {
  storage = await openStorage({ dataDir: ':memory:' })
  gates = {}
  pushes = []
  isDeaf = false
  aheadMs = 0
  const now = () => Date.now() + aheadMs
  const real = await createEmbeddedDriver({
    storage,
    now,
    onMessages: (messages) => {
      if (!isDeaf) hub.onMessages(messages)
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

/** A client on a real socket whose acknowledgements a test gives. */
async function attach(clientId: string): Promise<Client> {
  const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  far.on('message', (data) => pushes.push(JSON.parse((data as Buffer).toString()) as Pushed))
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  await once(far, 'open')
  return hub.attach({ clientId, socket, topics: [], isDelayed: true })
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

test('pushes messages that arrive during a read after it, once', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await publish(topic, 'one')
  const { promise, open } = gate()
  gates.read = promise
  await subscribe(client, topic)
  await expect.poll(() => client.topics.get(topic)?.state).toBe('reading')
  // Read already, so that this reading does not know it.
  await publish(topic, 'two')
  await expect.poll(() => client.topics.get(topic)?.state).toBe('readAgain')
  expect(texts()).toEqual([])
  open()
  await expect.poll(() => client.topics.get(topic)?.state).toBe('live')
  await publish(topic, 'three')
  await expect.poll(texts).toEqual(['one', 'two', 'three'])
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
  // The client comes back meanwhile; what it has acknowledged it does not want again.
  expect(await attach('wallet')).toBe(client)
  await subscribe(client, topic)
  await subscribe(client, other)
  await publish(other, 'two')
  await expect.poll(() => texts().at(-1)).toBe('two')
  expect(texts().filter((text) => text === 'one')).toEqual(['one'])
  open()
  await expect.poll(() => client.inFlight.size).toBe(1)
})

test('does not redeliver a message acknowledged during a read', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  const { promise, open } = gate()
  gates.read = promise
  // It finds the message, and its answer is on its way while the acknowledgement takes effect.
  const read = vi.spyOn(driver, 'read')
  await subscribe(client, topic)
  await expect.poll(() => read.mock.calls.length).toBe(1)
  hub.acknowledged(client, pushes[0]!.id)
  await expect.poll(async () => (await driver.stats()).messages).toBe(0)
  open()
  await expect.poll(() => client.topics.get(topic)?.state).toBe('live')
  expect(texts()).toEqual(['one'])
  expect(client.inFlight.size).toBe(0)
})

test('forgets an expired push without acknowledgement', async () => {
  const [topic, other] = [randomTopic(), randomTopic()]
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  const read = vi.spyOn(driver, 'read')
  aheadMs = 61_000
  await expect.poll(() => client.inFlight.size).toBe(0)
  // The hub looks after its clients in one go: another one's message pushed again tells that it did.
  await subscribe(await attach('another'), other)
  await publish(other, 'two')
  await expect.poll(texts).toEqual(['one', 'two'])
  aheadMs += limits.relayRepeatMs
  await expect.poll(texts).toEqual(['one', 'two', 'two'])
  expect(read.mock.calls.map(([{ clientId }]) => clientId)).not.toContain('wallet')
})

test('after a gap everything that waits is pushed, and nothing twice', async () => {
  const topic = randomTopic()
  const client = await attach('wallet')
  await subscribe(client, topic)
  await publish(topic, 'one')
  await expect.poll(texts).toEqual(['one'])
  // Stored by another process, which could not tell this one.
  isDeaf = true
  await publish(topic, 'missed')
  hub.readEverything()
  await expect.poll(texts).toEqual(['one', 'missed'])
})
