import { createHash } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { relayCloseCodes, relayPushMethod, toSubscriptionId } from '@gatefold/protocol/relay'
import type { WebSocket } from 'ws'
import { socketOf, type Client, type Subscription } from './Client.ts'
import { createDelayQueue } from './createDelayQueue.ts'
import { createTopicIndex } from './createTopicIndex.ts'
import type { RelayDriver, StoredMessage } from '../drivers/RelayDriver.ts'
import { readMailboxes } from './readMailboxes.ts'
import type { RelayMetrics } from '../metrics.ts'
import type { RelayTiming } from '../timing.ts'

export type Hub = ReturnType<typeof createHub>

export type HubOptions = {
  driver: RelayDriver
  metrics: RelayMetrics
  /** Unix time in ms. */
  now: () => number
  /** Between an answer and a push that follows from it, to clients that need it. */
  deliveryDelayMs: number
  timing: RelayTiming
  onError: (error: unknown) => void
}

/**
 * After connecting, a client has this long to subscribe again, and is pushed what waits there after
 * that answer; official clients drop what comes on topics they have not subscribed to yet. Only then
 * its other subscriptions come alive by themselves.
 */
const resumeMs = 1_000
/** A mailbox that could not be read is tried again after this. */
const retryMs = 1_000

/**
 * Knows the connected clients, and gets messages to them: in order, the answer first, each once
 * while it is under way, again when no acknowledgement comes.
 *
 * @see docs/contracts/relay.md#json-rpc and #mailbox
 */
export function createHub(options: HubOptions) {
  const { driver, metrics, now, deliveryDelayMs, timing, onError } = options
  const clients = new Map<string, Client>()
  const index = createTopicIndex(driver)
  /** Clients with pushes under way. */
  const awaiting = new Set<Client>()
  const slow = new Set<Client>()

  /** Messages for clients that are pushed to at once, and for those with a delay. */
  let arrived: StoredMessage[] = []
  const delayed = createDelayQueue<StoredMessage>({
    ms: deliveryDelayMs,
    onDue: (messages) => deliver(messages, { isDelayed: true }),
  })
  const loads = createDelayQueue<Client>({ ms: deliveryDelayMs, onDue: loadAll })
  const retries = createDelayQueue<Client>({ ms: retryMs, onDue: loadAll })
  const resumes = createDelayQueue<{ client: Client; socket: WebSocket }>({
    ms: resumeMs,
    onDue: (due) => {
      for (const { client, socket } of due) if (socketOf(client) === socket) wake(client)
    },
  })
  const timer = setInterval(tick, timing.tickMs)

  function deliverAtOnce() {
    const messages = arrived
    arrived = []
    deliver(messages, { isDelayed: false })
  }

  /** Pushes messages to the subscribers with a delay, or to those without. */
  function deliver(messages: readonly StoredMessage[], { isDelayed }: Pick<Client, 'isDelayed'>) {
    for (const message of messages) {
      const interested = index.subscribersOf(message.topic)
      if (!interested) continue
      const data = toData(message)
      for (const client of interested) {
        if (client.id === message.publisher || client.isDelayed !== isDelayed) continue
        const subscription = client.topics.get(message.topic)
        if (subscription?.state === 'loading') subscription.state = 'again'
        if (subscription?.state !== 'live' || message.seq <= subscription.lastSeq) continue
        if (push(client, subscription, message, data))
          metrics.deliverySeconds.observe(Math.max(0, now() - message.publishedAt) / 1000)
      }
    }
  }

  /** @returns whether the socket took it; if not, the topic sleeps until the socket has drained. */
  function push(
    client: Client,
    subscription: Subscription,
    message: StoredMessage,
    data = toData(message),
  ): boolean {
    const socket = socketOf(client)
    if (!socket || socket.readyState !== socket.OPEN) {
      subscription.state = 'idle'
      return false
    }
    if (client.slowSince !== undefined || socket.bufferedAmount > limits.relayBufferBytes) {
      client.slowSince ??= now()
      slow.add(client)
      subscription.state = 'idle'
      metrics.dropped.inc({ reason: 'slow_reader' })
      return false
    }
    const { topic, id, seq, expiresAt } = message
    const before = client.inFlight.get(seq)
    const isRepeat = before?.socket === socket
    if (isRepeat) metrics.redelivered.inc()
    client.inFlight.set(seq, {
      topic,
      id,
      socket,
      pushedAt: now(),
      expiresAt,
      repeats: isRepeat ? before.repeats + 1 : 0,
      isAcknowledged: false,
    })
    awaiting.add(client)
    subscription.lastSeq = Math.max(subscription.lastSeq, seq)
    subscription.id ??= toSubscriptionId({ topic, clientId: client.id, sha256 })
    const text = `{"id":${seq},"jsonrpc":"2.0","method":"${relayPushMethod}","params":{"id":"${subscription.id}","data":${data}}}`
    socket.send(text)
    // A page that is open twice has one client id and a socket in each tab, and any of them may have
    // asked for this; clients drop what they have seen. What counts is that the newest was sent it.
    for (const other of client.sockets) if (other !== socket && canTake(other)) other.send(text)
    metrics.pushed.inc()
    return true
  }

  /** Whether a message found in a mailbox is to be pushed, or is under way already. */
  function isDue(client: Client, seq: number) {
    const delivery = client.inFlight.get(seq)
    if (!delivery) return true
    if (delivery.isAcknowledged) return false
    if (delivery.socket !== socketOf(client)) return true
    return delivery.repeats < limits.relayRepeats && isOverdue(delivery.pushedAt)
  }

  function isOverdue(pushedAt: number) {
    return now() - pushedAt >= limits.relayRepeatMs
  }

  function loadAll(due: Client[]) {
    for (const client of due)
      readMailboxes({
        client,
        driver,
        onMessage: (subscription, message) =>
          !isDue(client, message.seq) || push(client, subscription, message),
      })
        .catch((error: unknown) => {
          onError(error)
          if (client.sockets.length > 0) retries.push(client)
        })
        .finally(() => forgetSettled(client))
  }

  /** A reading under way may have found what was acknowledged since: until it is over that stays known. */
  function forgetSettled(client: Client) {
    if (client.isLoading) return
    for (const seq of client.settled.splice(0)) client.inFlight.delete(seq)
    if (client.inFlight.size === 0) awaiting.delete(client)
  }

  /** Has every sleeping topic of a client read. */
  function wake(client: Client) {
    for (const subscription of client.topics.values())
      if (subscription.state === 'idle') subscription.state = 'queued'
    loadAll([client])
  }

  function tick() {
    for (const client of awaiting) repeatOverdue(client)
    for (const client of slow) lookAfterSlow(client)
  }

  function repeatOverdue(client: Client) {
    let isNeeded = false
    for (const [seq, delivery] of client.inFlight) {
      const { topic, socket, repeats, pushedAt, expiresAt, isAcknowledged } = delivery
      if (isAcknowledged) continue
      // No mailbox has it any more: it would be looked for each time.
      if (expiresAt <= now()) {
        client.inFlight.delete(seq)
        continue
      }
      if (repeats >= limits.relayRepeats || socket !== socketOf(client)) continue
      const subscription = client.topics.get(topic)
      if (!isOverdue(pushedAt) || subscription?.state !== 'live') continue
      subscription.state = 'queued'
      isNeeded = true
    }
    if (isNeeded) loadAll([client])
    if (client.inFlight.size === 0) awaiting.delete(client)
  }

  function lookAfterSlow(client: Client) {
    const socket = socketOf(client)
    const slowMs = now() - (client.slowSince ?? now())
    if (socket && socket.bufferedAmount <= limits.relayBufferBytes / 2) {
      client.slowSince = undefined
      slow.delete(client)
      wake(client)
    } else if (slowMs > limits.relaySlowMs && socket?.readyState === socket?.OPEN) {
      // What it has not read stands before the close frame: the socket cuts itself soon.
      metrics.dropped.inc({ reason: 'slow_socket' })
      socket?.close(relayCloseCodes.tryAgain, 'reads too slowly')
    }
  }

  /** Starts over with another socket: what is under way on an older one may never arrive. */
  function startOver(client: Client) {
    client.slowSince = undefined
    slow.delete(client)
    for (const subscription of client.topics.values()) subscription.state = 'idle'
  }

  return {
    /** The topics a connected client is subscribed to; `undefined` when it is not connected. */
    topicsOf: (clientId: string): ReadonlyMap<string, Subscription> | undefined =>
      clients.get(clientId)?.topics,

    isConnected: (clientId: string) => clients.has(clientId),

    /** A socket has opened. `topics` are the client's stored subscriptions. */
    attach(options: {
      clientId: string
      socket: WebSocket
      topics: readonly string[]
      /** Whether this client needs a pause between an answer and a push that follows from it. */
      isDelayed: boolean
    }): Client {
      const { clientId, socket, topics, isDelayed } = options
      let client = clients.get(clientId)
      if (client) startOver(client)
      else {
        client = {
          id: clientId,
          sockets: [],
          topics: new Map(),
          inFlight: new Map(),
          settled: [],
          isLoading: false,
          isDelayed,
          slowSince: undefined,
        }
        clients.set(clientId, client)
      }
      client.isDelayed ||= isDelayed
      client.sockets.push(socket)
      index.add(client, topics, 'idle')
      if (client.topics.size > 0) resumes.push({ client, socket })
      return client
    },

    /** A socket has closed. */
    detach(client: Client, socket: WebSocket) {
      const wasNewest = socketOf(client) === socket
      client.sockets = client.sockets.filter((other) => other !== socket)
      if (client.sockets.length > 0) {
        if (!wasNewest) return
        startOver(client)
        wake(client)
        return
      }
      clients.delete(client.id)
      awaiting.delete(client)
      slow.delete(client)
      index.remove(client, [...client.topics.keys()])
    },

    /** Messages of topics that this process watches, in order. */
    arrived(messages: readonly StoredMessage[]) {
      for (const message of messages) {
        const interested = [...(index.subscribersOf(message.topic) ?? [])]
        if (interested.some((client) => client.isDelayed)) delayed.push(message)
        // The answer to the publisher leaves first, in this turn.
        if (interested.some((client) => !client.isDelayed) && arrived.push(message) === 1)
          setImmediate(deliverAtOnce)
      }
    },

    /**
     * Subscriptions are stored; what waits there is pushed after `answered` is called.
     *
     * @returns `answered`.
     */
    subscribed(clientId: string, topics: readonly string[]): () => void {
      const client = clients.get(clientId)
      if (!client) return () => {}
      index.add(client, topics, 'queued')
      // A client that asks again gets again what it was pushed often enough.
      const asked = new Set(topics)
      for (const [seq, { topic, repeats }] of client.inFlight)
        if (repeats >= limits.relayRepeats && asked.has(topic)) client.inFlight.delete(seq)
      return () => (client.isDelayed ? loads.push(client) : loadAll([client]))
    },

    unsubscribed(clientId: string, topics: readonly string[]) {
      const client = clients.get(clientId)
      if (client) index.remove(client, topics)
    },

    /** A client has answered a push. */
    acknowledged(client: Client, seq: number) {
      const delivery = client.inFlight.get(seq)
      if (!delivery || delivery.isAcknowledged) return
      delivery.isAcknowledged = true
      metrics.acknowledged.inc()
      const { topic, id } = delivery
      driver.acknowledge(client.id, [{ topic, id, seq }]).then(
        () => {
          client.settled.push(seq)
          forgetSettled(client)
        },
        (error: unknown) => {
          // Not durable: it is pushed again, and acknowledged again.
          delivery.isAcknowledged = false
          onError(error)
        },
      )
    },

    /** Reads again for everybody, after messages may have been missed. */
    reload() {
      for (const client of clients.values()) {
        for (const subscription of client.topics.values())
          if (subscription.state === 'live') subscription.state = 'idle'
          else if (subscription.state === 'loading') subscription.state = 'again'
        wake(client)
      }
    },

    close() {
      clearInterval(timer)
      arrived = []
      for (const delay of [delayed, loads, retries, resumes]) delay.clear()
    },
  }
}

function canTake({ readyState, OPEN, bufferedAmount }: WebSocket): boolean {
  return readyState === OPEN && bufferedAmount <= limits.relayBufferBytes
}

function toData({ topic, message, publishedAt, tag, attestation }: StoredMessage): string {
  return JSON.stringify({ topic, message, publishedAt, tag, attestation })
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}
