import { Registry } from 'prom-client'
import { afterEach, beforeEach, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { createMemoryBudgets, type MemoryBudgets } from '../http/createMemoryBudgets.ts'
import type { RelayDriver, StoredMessage } from '../relay/drivers/RelayDriver.ts'
import type { Client } from '../relay/hub/Client.ts'
import { createHub, type Hub } from '../relay/hub/createHub.ts'
import { createRelayMetrics } from '../relay/metrics.ts'

/** Delay of pushes to official clients, in ms. */
export const delayMs = 20

/** The hub of the current test, and what it uses. */
type Current = {
  hub: Hub
  registry: Registry
  errors: unknown[]
  store: ReturnType<typeof createStore>
  /** The memory budgets of addresses. */
  memory: MemoryBudgets
  /** Whether the sockets' buffers have room for a push of this size. */
  hasRoom: (socket: WebSocket, size: number) => boolean
  nextTurn: (address: string) => Promise<void>
}

/** Creates a hub before each test of a file, with a clock that the test moves, and a store in memory. */
export function useHub() {
  const current = {} as Current
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_800_000_000_000 })
    const registry = new Registry()
    Object.assign(current, {
      registry,
      errors: [],
      store: createStore(),
      memory: createMemoryBudgets(),
      hasRoom: () => true,
      nextTurn: async () => {},
    } satisfies Omit<Current, 'hub'>)
    current.hub = createHub({
      driver: current.store.driver,
      metrics: createRelayMetrics(registry, {
        connections: () => 0,
        mailboxes: async () => undefined,
      }),
      now: Date.now,
      deliveryDelayMs: delayMs,
      timing: { pingMs: 25_000, tickMs: 1_000 },
      hasRoom: (socket, size) => current.hasRoom(socket, size),
      memory: current.memory,
      nextTurn: (address) => current.nextTurn(address),
      onError: (error) => current.errors.push(error),
    })
  })
  afterEach(() => {
    current.hub.close()
    vi.useRealTimers()
  })

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
      seq: current.store.messages.length + 1,
      publishedAt,
      expiresAt: publishedAt + 86_400_000,
      ...more,
    }
    current.store.messages.push(message)
    if (current.store.watched.has(topic)) current.hub.onMessages([message])
    return message
  }

  /** Attaches a client that has the stored subscriptions `topics`. */
  function attach(options: Options = {}) {
    const { id = 'wallet', address = '192.0.2.1', topics = [], isDelayed = false } = options
    const socket = createSocket()
    return {
      socket,
      client: current.hub.attach({ clientId: id, socket, address, topics, isDelayed }),
    }
  }

  /** Attaches a client that has just subscribed to topics. */
  async function connect(topics: string[], options: Options = {}) {
    const attached = attach(options)
    await subscribe(attached.client, topics)
    return attached
  }

  async function subscribe(client: Client, topics: string[]) {
    current.hub.subscribed(client.id, topics)()
    await pass(client.isDelayed ? delayMs : 0)
  }

  /** Makes calls wait until the returned function is called. */
  function block(call: 'read' | 'acknowledge') {
    const { promise, resolve } = Promise.withResolvers<void>()
    current.store.gates[call] = promise
    return resolve
  }

  async function metric(name: string, labels: Record<string, string> = {}) {
    const { values } = await current.registry.getSingleMetric(`gatefold_relay_${name}`)!.get()
    const wanted = JSON.stringify(labels)
    return values.find((one) => JSON.stringify(one.labels) === wanted)?.value ?? 0
  }

  /** The number of delivery times, and their sum in seconds. */
  async function deliverySeconds() {
    const text = await current.registry.getSingleMetricAsString('gatefold_relay_delivery_seconds')
    return ['count', 'sum'].map((name) => Number(new RegExp(`_${name} (.+)`).exec(text)?.[1]))
  }

  return { current, publish, attach, connect, subscribe, block, metric, deliverySeconds }
}

/** Advances the clock and runs what is due. */
export const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

type Options = { id?: string; address?: string; topics?: string[]; isDelayed?: boolean }

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

type Push = { id: number; params: { data: { message: string } } }

/** A socket that records its pushes. */
export function createSocket() {
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
