import { limits } from '@gatefold/protocol'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  addressMemoryBytes,
  createMemoryBudgets,
  type MemoryBudgets,
} from '../../http/createMemoryBudgets.ts'
import type { WebSocket } from 'ws'
import type { RelayDriver, StoredMessage } from '../drivers/RelayDriver.ts'
import { createRelayMetrics } from '../metrics.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'
import type { Client } from './Client.ts'
import { createHub, type Hub } from './createHub.ts'

/** Delay of pushes to official clients in these tests, in ms. */
const delayMs = 20

let hub: Hub
let registry: Registry
let errors: unknown[]
let store: ReturnType<typeof createStore>
/** Whether the sockets' buffers have room for a push of this size. */
let hasRoom: (socket: WebSocket, size: number) => boolean
/** The memory budgets of addresses. */
let memory: MemoryBudgets
let nextTurn: (address: string) => Promise<void>

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  registry = new Registry()
  errors = []
  store = createStore()
  hasRoom = () => true
  memory = createMemoryBudgets()
  nextTurn = async () => {}
  hub = createHub({
    driver: store.driver,
    metrics: createRelayMetrics(registry, {
      connections: () => 0,
      mailboxes: async () => undefined,
    }),
    now: Date.now,
    deliveryDelayMs: delayMs,
    timing: { pingMs: 25_000, tickMs: 1_000 },
    hasRoom: (socket, size) => hasRoom(socket, size),
    memory,
    nextTurn: (address) => nextTurn(address),
    onError: (error) => errors.push(error),
  })
})
afterEach(() => {
  hub.close()
  vi.useRealTimers()
})

/** A message store in memory, whose calls can fail or wait. */
function createStore() {
  const messages: StoredMessage[] = []
  const receipts = new Set<string>()
  const watched = new Set<string>()
  const store = {
    watched,
    messages,
    /** The topics of each read. */
    reads: [] as (readonly string[])[],
    /** Whether a read waits for a turn, as one of many messages. */
    isLongRead: false,
    /** If set, calls reject. */
    failure: undefined as Error | undefined,
    /** Calls do not end before these resolve. */
    gates: {} as { read?: Promise<void>; acknowledge?: Promise<void> },
    driver: {
      async read({ clientId, topics, afterSeq, limit, nextTurn }) {
        store.reads.push(topics)
        if (store.isLongRead) await nextTurn?.()
        const waiting = messages.filter(
          ({ topic, seq, publisher, expiresAt }) =>
            topics.includes(topic) &&
            seq > afterSeq &&
            publisher !== clientId &&
            expiresAt > Date.now() &&
            !receipts.has(`${clientId} ${seq}`),
        )
        await store.gates.read
        if (store.failure) throw store.failure
        return { messages: waiting.slice(0, limit), hasMore: waiting.length > limit }
      },
      async acknowledge(clientId, entries) {
        await store.gates.acknowledge
        if (store.failure) throw store.failure
        for (const { seq } of entries) receipts.add(`${clientId} ${seq}`)
      },
      watch: (topics) => topics.forEach((topic) => watched.add(topic)),
      unwatch: (topics) => topics.forEach((topic) => watched.delete(topic)),
    } as RelayDriver,
  }
  return store
}

/** Stores a message and passes it to the hub, if the hub watches the topic. */
function publish(topic: string, text: string, more: Partial<StoredMessage> = {}) {
  const publishedAt = Date.now()
  const message: StoredMessage = {
    topic,
    id: text,
    message: text,
    attestation: undefined,
    tag: 1108,
    publisher: 'app',
    seq: store.messages.length + 1,
    publishedAt,
    expiresAt: publishedAt + 86_400_000,
    ...more,
  }
  store.messages.push(message)
  if (store.watched.has(topic)) hub.onMessages([message])
  return message
}

type Push = { id: number; params: { data: { message: string } } }

function createSocket() {
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    pushes: [] as Push[],
    /** How the relay has closed the socket. */
    end: undefined as [number, string] | 'terminated' | undefined,
    /** The texts of the messages pushed so far. */
    get texts() {
      return socket.pushes.map(({ params }) => params.data.message)
    },
    send: (text: string) => void socket.pushes.push(JSON.parse(text) as Push),
    close: (code: number, reason: string) => {
      socket.readyState = 2
      socket.end = [code, reason]
    },
    terminate: () => {
      socket.readyState = 3
      socket.end = 'terminated'
    },
  }
  return socket as typeof socket & WebSocket
}

type Options = { id?: string; address?: string; topics?: string[]; isDelayed?: boolean }

/** Attaches a client that has the stored subscriptions `topics`. */
function attach(options: Options = {}) {
  const { id = 'wallet', address = '192.0.2.1', topics = [], isDelayed = false } = options
  const socket = createSocket()
  return { socket, client: hub.attach({ clientId: id, socket, address, topics, isDelayed }) }
}

/** Attaches a client that has just subscribed to topics. */
async function connect(topics: string[], options: Options = {}) {
  const attached = attach(options)
  await subscribe(attached.client, topics)
  return attached
}

async function subscribe(client: Client, topics: string[]) {
  hub.subscribed(client.id, topics)()
  await pass(client.isDelayed ? delayMs : 0)
}

/** Makes calls wait until the returned function is called. */
function block(call: 'read' | 'acknowledge') {
  const { promise, resolve } = Promise.withResolvers<void>()
  store.gates[call] = promise
  return resolve
}

/** Advances the clock and runs what is due. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

async function metric(name: string, labels: Record<string, string> = {}) {
  const { values } = await registry.getSingleMetric(`gatefold_relay_${name}`)!.get()
  const wanted = JSON.stringify(labels)
  return values.find((one) => JSON.stringify(one.labels) === wanted)?.value ?? 0
}

/** The number of delivery times, and their sum in seconds. */
async function deliverySeconds() {
  const text = await registry.getSingleMetricAsString('gatefold_relay_delivery_seconds')
  return ['count', 'sum'].map((name) => Number(new RegExp(`_${name} (.+)`).exec(text)?.[1]))
}

describe('a push', () => {
  test('is a request whose id is the `seq` of the message', async () => {
    const { socket } = await connect(['t'])
    const { publishedAt } = publish('t', 'one', { attestation: 'jwt' })
    publish('t', 'two')
    await pass()
    const request = (id: number, data: object) => ({
      id,
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: {
        id: toSubscriptionId({ topic: 't', clientId: 'wallet' }),
        data: { topic: 't', publishedAt, tag: 1108, ...data },
      },
    })
    expect(socket.pushes).toEqual([
      request(1, { message: 'one', attestation: 'jwt' }),
      request(2, { message: 'two' }),
    ])
    expect(await metric('pushed_total')).toBe(2)
  })

  test('is sent in the next turn of the event loop; to official clients, after a delay', async () => {
    const own = await connect(['t'])
    const official = await connect(['t'], { id: 'official', isDelayed: true })
    const app = await connect(['t'], { id: 'app' })
    publish('t', 'one')
    expect(own.socket.texts).toEqual([])
    await pass()
    expect([own.socket.texts, official.socket.texts]).toEqual([['one'], []])
    await pass(delayMs - 1)
    publish('t', 'two')
    expect(official.socket.texts).toEqual([])
    await pass(1)
    expect([own.socket.texts, official.socket.texts]).toEqual([['one', 'two'], ['one']])
    await pass(delayMs)
    expect([own.socket.texts, official.socket.texts, app.socket.texts]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
      [],
    ])
    expect(await deliverySeconds()).toEqual([4, 0.04])
  })

  test('is delayed on all sockets of a client as soon as one of them needs the delay', async () => {
    const { socket } = await connect(['t'])
    const official = await connect(['t'], { isDelayed: true })
    attach()
    await subscribe(official.client, ['t'])
    publish('t', 'one')
    await pass()
    expect(socket.texts).toEqual([])
    await pass(delayMs)
    expect(socket.texts).toEqual(['one'])
  })

  test('is copied to the other sockets that are open and have room', async () => {
    const closing = attach().socket
    const full = attach().socket
    const old = attach().socket
    const { socket } = await connect(['t'])
    closing.readyState = 2
    hasRoom = (one) => one !== full
    publish('t', 'one')
    await pass()
    expect([closing, full, old, socket].map(({ texts }) => texts)).toEqual([
      [],
      [],
      ['one'],
      ['one'],
    ])
    expect(await metric('pushed_total')).toBe(1)
  })

  test('waits in the mailbox while the newest socket is closing', async () => {
    const { socket, client } = await connect(['t'])
    socket.readyState = 2
    publish('t', 'one')
    await pass()
    expect(socket.texts).toEqual([])
    expect(await deliverySeconds()).toEqual([0, 0])
    hub.detach(client, socket)
    const again = await connect(['t'])
    expect(again.socket.texts).toEqual(['one'])
  })

  test('is sent although the subscriber of another topic disconnects during the delay', async () => {
    const leaving = await connect(['t'], { id: 'leaving', isDelayed: true })
    const { socket } = await connect(['u'], { isDelayed: true })
    const message = publish('t', 'one')
    publish('u', 'two')
    hub.detach(leaving.client, leaving.socket)
    hub.onMessages([message])
    await pass(delayMs)
    expect([leaving.socket.texts, socket.texts]).toEqual([[], ['two']])
  })

  test('has a delivery time of 0 s if the clock of the process that stored the message is ahead', async () => {
    await connect(['t'])
    publish('t', 'one', { publishedAt: Date.now() + 5_000 })
    await pass()
    expect(await deliverySeconds()).toEqual([1, 0])
  })
})

describe('waiting messages', () => {
  test('are pushed after the response to a subscribe; to official clients, after a delay', async () => {
    publish('t', 'one')
    const own = attach()
    const official = attach({ id: 'official', isDelayed: true })
    for (const { client } of [own, official]) hub.subscribed(client.id, ['t'])()
    await pass()
    expect([own.socket.texts, official.socket.texts]).toEqual([['one'], []])
    await pass(delayMs)
    expect([own.socket.texts, official.socket.texts]).toEqual([['one'], ['one']])
    expect(hub.subscribed('unknown', ['t'])()).toBeUndefined()
  })

  test('of stored subscriptions are pushed 1 s after the newest socket has opened', async () => {
    publish('t', 'one')
    const first = attach({ topics: ['t'] })
    publish('t', 'two')
    await pass(600)
    const second = attach({ topics: ['t'] })
    await pass(999)
    expect([first.socket.texts, second.socket.texts]).toEqual([[], []])
    await pass(1)
    expect([first.socket.texts, second.socket.texts]).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ])
  })

  test('are pushed in pages, and messages stored during the read follow in order', async () => {
    const texts = Array.from({ length: 250 }, (_, index) => `${index}`)
    for (const text of texts.slice(0, 249)) publish('t', text)
    const open = block('read')
    const { socket } = await connect(['t'])
    publish('t', '249')
    await pass()
    open()
    await pass()
    expect(socket.texts).toEqual(texts)
    publish('t', 'later')
    await pass()
    expect(socket.texts.slice(250)).toEqual(['later'])
  })

  test('that are stored during the read of the last page follow it', async () => {
    publish('t', 'one')
    const open = block('read')
    const { socket } = await connect(['t'])
    publish('t', 'two')
    await pass()
    open()
    await pass()
    expect(socket.texts).toEqual(['one', 'two'])
  })

  test('of many topics are read in batches', async () => {
    const topics = Array.from({ length: limits.relayBatchSize + 1 }, (_, index) => `${index}`)
    for (const topic of topics) publish(topic, topic)
    const { socket } = await connect(topics)
    expect(socket.texts).toEqual(topics)
    expect(Math.max(...store.reads.map(({ length }) => length))).toBe(limits.relayBatchSize)
  })

  test('error: are read again 1 s after a failed read', async () => {
    publish('t', 'one')
    store.failure = new Error('the store is unavailable')
    const { socket } = await connect(['t'])
    expect(errors).toEqual([store.failure])
    store.failure = undefined
    await pass(999)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
  })

  test('error: are not read again after a failed read once the client has disconnected', async () => {
    store.failure = new Error('the store is unavailable')
    const { socket, client } = attach()
    hub.subscribed('wallet', ['t'])()
    hub.detach(client, socket)
    await pass(5_000)
    expect([errors.length, store.reads.length]).toEqual([1, 1])
  })

  test.each(['succeeds', 'fails'])(
    'go to a new socket if the client reconnects during a read that %s',
    async (outcome) => {
      publish('t', 'one')
      const open = block('read')
      if (outcome === 'fails') store.failure = new Error('the store is unavailable')
      const { socket } = await connect(['t'])
      const again = attach({ topics: ['t'] })
      open()
      await pass()
      store.failure = undefined
      expect([socket.texts, again.socket.texts]).toEqual([[], []])
      // The new socket has not subscribed to the topic yet.
      publish('t', 'two')
      await pass(999)
      expect(again.socket.texts).toEqual([])
      await pass(1)
      expect(again.socket.texts).toEqual(['one', 'two'])
    },
  )

  test('are not pushed for a topic that was unsubscribed during the read', async () => {
    publish('t', 'one')
    publish('u', 'two')
    const open = block('read')
    const { socket } = await connect(['t', 'u'])
    hub.unsubscribed('wallet', ['t'])
    hub.unsubscribed('unknown', ['u'])
    open()
    await pass()
    publish('u', 'three')
    await pass()
    expect(socket.texts).toEqual(['two', 'three'])
    expect(errors).toEqual([])
  })

  test('are pushed in order for a topic that was unsubscribed and subscribed during the read', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `${index}`)
    for (const text of texts) publish('t', text)
    const openFirst = block('read')
    const { socket, client } = await connect(['t'])
    hub.unsubscribed('wallet', ['t'])
    const openSecond = block('read')
    openFirst()
    await pass()
    await subscribe(client, ['t'])
    openSecond()
    await pass()
    expect(socket.texts).toEqual(texts)
  })

  test('of a client are read by one read at a time, and only once if the client subscribes twice', async () => {
    const open = block('read')
    const { client } = await connect(['t'])
    await subscribe(client, ['t', 'u'])
    expect(store.reads).toEqual([['t']])
    open()
    await pass()
    expect(store.reads).toEqual([['t'], ['u']])
  })

  test('of stored subscriptions are not pushed earlier because an older socket closes', async () => {
    publish('t', 'one')
    const old = attach()
    const { socket, client } = attach({ topics: ['t'] })
    await pass(500)
    hub.detach(client, old.socket)
    await pass(499)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
  })
})

describe('an unacknowledged push', () => {
  test('is repeated every 30 s, three times', async () => {
    const { socket } = await connect(['t'])
    publish('t', 'one')
    await pass()
    for (let count = 1; count <= 4; count += 1) {
      await pass(29_000)
      expect(socket.texts).toHaveLength(count)
      await pass(1_000)
    }
    store.reads.length = 0
    await pass(120_000)
    expect(socket.texts).toHaveLength(4)
    expect(await metric('redelivered_total')).toBe(3)
    // The mailbox is no longer read.
    expect(store.reads).toEqual([])
    publish('t', 'two')
    await pass(30_000)
    expect(socket.texts.slice(4)).toEqual(['two', 'two'])
  })

  test('that is not overdue does not cause an early read of a newly subscribed topic', async () => {
    publish('u', 'two')
    const { socket, client } = await connect(['t'], { isDelayed: true })
    publish('t', 'one')
    await pass(1_000 - delayMs - 5)
    hub.subscribed(client.id, ['u'])()
    await pass(delayMs - 1)
    expect(socket.texts).toEqual(['one'])
    await pass(1)
    expect(socket.texts).toEqual(['one', 'two'])
  })

  test('is the only one that is repeated: acknowledged and recent pushes are not', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'lost')
    publish('t', 'received')
    await pass()
    hub.acknowledged(client, 2)
    hub.acknowledged(client, 2)
    await pass(20_000)
    publish('t', 'recent')
    await pass(10_000)
    expect(socket.texts).toEqual(['lost', 'received', 'recent', 'lost'])
    expect(await metric('acknowledged_total')).toBe(1)
  })

  test('is not repeated once the message has expired', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one', { expiresAt: Date.now() + 30_000 })
    await pass()
    store.reads.length = 0
    await pass(60_000)
    expect(socket.texts).toEqual(['one'])
    expect(store.reads).toEqual([])
    expect(client.inFlight.size).toBe(0)
  })

  test('is not repeated on a new socket until delivery on its topic resumes there', async () => {
    await connect(['t'])
    publish('t', 'one')
    await pass(30_000 - 1)
    const { socket } = attach({ topics: ['t'] })
    await pass(999)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
    // The number of repeats on the new socket starts at zero.
    await pass(29_000)
    expect(socket.texts).toHaveLength(1)
    await pass(90_000)
    expect(socket.texts).toHaveLength(4)
  })

  test('is not repeated for a topic that was unsubscribed', async () => {
    const { socket, client } = await connect(['t', 'u'])
    hub.unsubscribed('wallet', ['u'])
    publish('t', 'one')
    await pass()
    hub.unsubscribed('wallet', ['t', 'unknown'])
    await pass(40_000)
    expect(socket.texts).toEqual(['one'])
    expect(store.watched.size).toBe(0)
    publish('u', 'two')
    await subscribe(client, ['u'])
    publish('u', 'three')
    await pass()
    expect(socket.texts).toEqual(['one', 'two', 'three'])
  })

  test('that was repeated three times is pushed again after a new subscribe to its topic', async () => {
    const { socket, client } = await connect(['t', 'u'])
    publish('t', 'one')
    publish('u', 'two')
    await pass(150_000)
    expect(socket.texts).toHaveLength(8)
    await subscribe(client, ['t'])
    await subscribe(client, ['t'])
    expect(socket.texts.slice(8)).toEqual(['one'])
  })

  test('that was repeated three times is pushed again together with the others of its topic', async () => {
    const { socket, client } = await connect(['t'])
    for (const text of ['one', 'two', 'three']) publish('t', text)
    await pass(150_000)
    expect(socket.texts).toHaveLength(12)
    hub.acknowledged(client, 1)
    await pass()
    await subscribe(client, ['t'])
    expect(socket.texts.slice(12)).toEqual(['two', 'three'])
  })

  test('that was repeated three times and then acknowledged causes no read after a new subscribe', async () => {
    const { client } = await connect(['t'])
    publish('t', 'one')
    await pass(150_000)
    hub.acknowledged(client, 1)
    await pass()
    store.reads.length = 0
    await subscribe(client, ['t'])
    expect(store.reads).toEqual([])
  })

  test('that was repeated three times is pushed again after its topic was unsubscribed and subscribed', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass(91_000)
    expect(socket.texts).toEqual(Array(4).fill('one'))
    hub.unsubscribed(client.id, ['t'])
    await subscribe(client, ['t'])
    expect(socket.texts).toEqual(Array(5).fill('one'))
    await pass(29_000)
    await subscribe(client, ['t'])
    expect(socket.texts).toEqual(Array(5).fill('one'))
  })

  test('error: is repeated if the acknowledgement could not be stored', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    store.failure = new Error('the store is unavailable')
    hub.acknowledged(client, 1)
    await pass()
    expect(errors).toEqual([store.failure])
    store.failure = undefined
    await pass(30_000)
    expect(socket.texts).toEqual(['one', 'one'])
    hub.acknowledged(client, 1)
    await pass(60_000)
    expect(socket.texts).toHaveLength(2)
  })

  test('is repeated on the remaining socket when the newest one closes', async () => {
    const older = attach()
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    hub.detach(client, socket)
    await pass()
    expect([older.socket.texts, hub.isConnected('wallet')]).toEqual([['one', 'one'], true])
  })

  test('is not repeated while its acknowledgement is being stored', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    const open = block('acknowledge')
    hub.acknowledged(client, 1)
    const again = await connect(['t'])
    await pass(40_000)
    expect([socket.texts, again.socket.texts]).toEqual([['one'], []])
    open()
    await pass()
    expect(client.inFlight.size).toBe(0)
  })

  test('can be acknowledged just before its client disconnects', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    const open = block('acknowledge')
    hub.acknowledged(client, 1)
    hub.detach(client, socket)
    open()
    await pass()
    const again = await connect(['t'])
    await pass(40_000)
    expect([socket.texts, again.socket.texts]).toEqual([['one'], []])
  })

  test('is not repeated if it is acknowledged during a read that returns the message', async () => {
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    const open = block('read')
    hub.unsubscribed(client.id, ['t'])
    await subscribe(client, ['t'])
    expect(store.reads.at(-1)).toEqual(['t'])
    hub.acknowledged(client, 1)
    await pass()
    open()
    await pass()
    expect(socket.texts).toEqual(['one'])
    expect(client.inFlight.size).toBe(0)
  })

  test('is not repeated when an older socket closes', async () => {
    const older = attach()
    const { socket, client } = await connect(['t'])
    publish('t', 'one')
    await pass()
    hub.detach(client, older.socket)
    publish('t', 'two')
    await pass(10_000)
    expect([socket.texts, older.socket.texts]).toEqual([['one', 'two'], ['one']])
  })
})

describe('unacknowledged pushes', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

  test('attack: more than 16 of a client count towards the memory budget of its address', async () => {
    const free = 10 * 450
    memory.add('192.0.2.1', addressMemoryBytes - free)
    const { socket, client } = await connect(['t'])
    for (const text of texts(30)) publish('t', text)
    await pass(2_000)
    expect(socket.texts).toEqual(texts(26))
    expect(memory.hasRoom('192.0.2.1', 450)).toBe(false)
    const other = await connect(['u'], { id: 'other' })
    for (const text of texts(17)) publish('u', text)
    const elsewhere = await connect(['u'], { id: 'elsewhere', address: '192.0.2.2' })
    await pass()
    expect([other.socket.texts.length, elsewhere.socket.texts.length]).toEqual([16, 17])
    for (const { id } of socket.pushes.slice(0, 4)) hub.acknowledged(client, id)
    await pass(1_000)
    expect(socket.texts).toEqual(texts(30))
    hub.detach(client, socket)
    expect(memory.hasRoom('192.0.2.1', free)).toBe(true)
    expect(memory.hasRoom('192.0.2.1', free + 1)).toBe(false)
  })

  test('attack: are not searched, and their topic is not read, when the client subscribes again', async () => {
    const { socket, client } = await connect(['t', 'u'])
    for (const text of texts(16)) publish('t', text)
    await pass()
    const reads = store.reads.length
    const searches = [Symbol.iterator, 'keys', 'values', 'entries', 'forEach'].map((method) =>
      vi.spyOn(client.inFlight, method as 'entries'),
    )
    await subscribe(client, ['t', 'u'])
    expect(store.reads).toHaveLength(reads)
    for (const search of searches) expect(search).not.toHaveBeenCalled()
    expect(socket.texts).toEqual(texts(16))
  })
})

test('attack: the pages of a mailbox are read and pushed in turns of the address of the client', async () => {
  const turns: string[] = []
  const gates: (() => void)[] = []
  nextTurn = (address) => {
    turns.push(address)
    return new Promise((resolve) => gates.push(resolve))
  }
  const address = '192.0.2.7'
  store.isLongRead = true
  publish('t', 'one')
  const { socket } = await connect(['t'], { address })
  expect([turns, store.reads]).toEqual([[address], []])
  gates.shift()!()
  await pass()
  expect([turns, store.reads]).toEqual([[address, address], [['t']]])
  gates.shift()!()
  await pass()
  expect([turns, socket.texts]).toEqual([[address, address, address], []])
  gates.shift()!()
  await pass()
  expect(socket.texts).toEqual(['one'])
})

test('an empty page needs no turn to be pushed', async () => {
  const turns: string[] = []
  nextTurn = async (address) => void turns.push(address)
  await connect(['t'], { address: '192.0.2.7' })
  expect(turns).toEqual(['192.0.2.7'])
})

test('attack: a topic has at most 20 connected subscribers', async () => {
  const clients: Awaited<ReturnType<typeof connect>>[] = []
  for (let index = 0; index < 20; index += 1)
    clients.push(await connect(['t'], { id: `wallet ${index}` }))
  expect([hub.isFull('t'), hub.isFull('u')]).toEqual([true, false])
  // It subscribed while it was not connected.
  const late = attach({ id: 'late', topics: ['t', 'u'] })
  await pass(1_000)
  publish('t', 'one')
  publish('u', 'two')
  await pass()
  expect(clients.flatMap(({ socket }) => socket.texts)).toEqual(Array(20).fill('one'))
  expect(late.socket.texts).toEqual(['two'])
  hub.detach(clients[0]!.client, clients[0]!.socket)
  expect(hub.isFull('t')).toBe(false)
  await subscribe(late.client, ['t'])
  expect(late.socket.texts).toEqual(['two', 'one'])
})

describe('a slow socket', () => {
  test('gets the waiting messages once its buffer is half empty and has room', async () => {
    const { socket } = await connect(['t', 'u'])
    hasRoom = () => false
    publish('t', 'one')
    await pass()
    expect(await metric('dropped_total', { reason: 'slow_reader' })).toBe(1)
    hasRoom = () => true
    socket.bufferedAmount = limits.relayBufferBytes / 2 + 1
    publish('t', 'two')
    publish('u', 'other')
    await pass(1_000)
    expect(socket.texts).toEqual([])
    socket.bufferedAmount = limits.relayBufferBytes / 2
    hasRoom = () => false
    await pass(1_000)
    expect(socket.texts).toEqual([])
    hasRoom = () => true
    await pass(1_000)
    expect(socket.texts).toEqual(['one', 'two', 'other'])
    publish('t', 'three')
    await pass()
    expect(socket.texts).toEqual(['one', 'two', 'other', 'three'])
    expect((await deliverySeconds())[0]).toBe(1)
  })

  test('gets the messages of a read that stopped because there was no room', async () => {
    publish('t', 'one')
    publish('u', 'two')
    hasRoom = () => false
    const { socket } = await connect(['t', 'u'])
    hasRoom = () => true
    await pass(1_000)
    expect(socket.texts).toEqual(['one', 'two'])
    publish('u', 'three')
    await pass()
    expect(socket.texts).toEqual(['one', 'two', 'three'])
  })

  test('gets no pushes until it has room for the one that did not fit', async () => {
    const { socket } = await connect(['t'])
    let room = 600
    hasRoom = (_, size) => size <= room
    publish('t', 'x'.repeat(1_000))
    await pass(2_000)
    expect(socket.texts).toEqual([])
    room = 2_000
    await pass(1_000)
    expect(socket.texts).toHaveLength(1)
  })

  test('is closed after 30 s, once', async () => {
    const { socket } = await connect(['t'])
    hasRoom = () => false
    publish('t', 'one')
    await pass(30_000)
    expect(socket.end).toBeUndefined()
    await pass(5_000)
    expect(socket.end).toEqual([1013, 'reads too slowly'])
    expect(await metric('dropped_total', { reason: 'slow_socket' })).toBe(1)
  })

  test('that has closed is no longer checked', async () => {
    const { socket, client } = await connect(['t'])
    hasRoom = () => false
    publish('t', 'one')
    await pass()
    hub.detach(client, socket)
    await pass(60_000)
    expect(socket.end).toBeUndefined()
  })

  test('that has drained does not resume topics on a newer socket', async () => {
    const { socket: old } = await connect(['t'])
    hasRoom = (one) => one !== old
    publish('t', 'one')
    await pass(500)
    const { socket } = attach({ topics: ['t'] })
    hasRoom = () => true
    await pass(999)
    expect(socket.texts).toEqual([])
    await pass(1)
    expect(socket.texts).toEqual(['one'])
  })
})

describe('a client', () => {
  test('keeps its eight newest sockets', async () => {
    const sockets = Array.from({ length: limits.relayClientSockets }, () => attach().socket)
    sockets[1]!.bufferedAmount = 1
    expect(sockets.map(({ end }) => end)).toEqual(sockets.map(() => undefined))
    sockets.push(attach().socket, attach().socket)
    expect(sockets.map(({ end }) => end)).toEqual([
      [1013, 'too many sockets for this client'],
      'terminated',
      ...Array(limits.relayClientSockets).fill(undefined),
    ])
    expect(await metric('dropped_total', { reason: 'extra_socket' })).toBe(2)
  })

  test('stays connected when one of its earlier, replaced sockets closes late', async () => {
    const { socket: extra, client } = attach()
    const sockets = Array.from({ length: limits.relayClientSockets }, () => attach().socket)
    for (const socket of sockets) hub.detach(client, socket)
    expect(hub.isConnected('wallet')).toBe(false)
    const { socket, client: again } = await connect(['t'])
    hub.detach(client, extra)
    publish('t', 'one')
    await pass()
    expect([hub.isConnected('wallet'), socket.texts]).toEqual([true, ['one']])
    expect([...again.topics.keys()]).toEqual(['t'])
  })

  test('that disconnects gets nothing more, and its topics are watched only for other clients', async () => {
    const { socket, client } = await connect(['t', 'u'])
    await connect(['u'], { id: 'other' })
    expect([...store.watched]).toEqual(['t', 'u'])
    hub.detach(client, socket)
    expect([...store.watched]).toEqual(['u'])
    expect([hub.isConnected('wallet'), hub.topicsOf('wallet')]).toEqual([false, undefined])
    publish('u', 'one')
    await pass(60_000)
    expect(socket.texts).toEqual([])
  })
})

describe('after a gap', () => {
  test('every client gets the missed messages', async () => {
    const live = await connect(['t'])
    const open = block('read')
    const reading = await connect(['t'], { id: 'reading' })
    store.watched.clear()
    publish('t', 'missed')
    const resuming = attach({ id: 'resuming', topics: ['t'] })
    hub.readEverything()
    open()
    await pass()
    const all = [live, reading, resuming].map(({ socket }) => socket.texts)
    expect(all).toEqual([['missed'], ['missed'], ['missed']])
  })

  test('messages whose `seq` is lower than before are pushed', async () => {
    const { socket } = await connect(['t'])
    publish('t', 'before', { seq: 1_000 })
    await pass()
    publish('t', 'repeated', { seq: 1_000 })
    await pass()
    hub.readEverything()
    await pass()
    publish('t', 'after', { seq: 5 })
    await pass()
    expect(socket.texts).toEqual(['before', 'after'])
  })
})

test('a closed hub pushes and reads nothing', async () => {
  const { socket, client } = await connect(['t'])
  const official = await connect(['t'], { id: 'official', isDelayed: true })
  publish('t', 'before')
  await pass(delayMs)
  publish('s', 'waiting')
  store.failure = new Error('the store is unavailable')
  await subscribe(client, ['s'])
  store.failure = undefined
  attach({ id: 'resuming', topics: ['s'] })
  publish('t', 'after')
  hub.subscribed('official', ['s'])()
  hub.close()
  store.reads.length = 0
  await pass(60_000)
  expect([socket.texts, official.socket.texts]).toEqual([['before'], ['before']])
  expect(store.reads).toEqual([])
})
