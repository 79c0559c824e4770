import { limits } from '@gatefold/protocol'
import { relayCloseCodes, relayPushMethod } from '@gatefold/protocol/relay'
import type { WebSocket } from 'ws'
import { currentSocket, type Client, type Subscription } from './Client.ts'
import { createDelayQueue } from './createDelayQueue.ts'
import { createTopicIndex } from './createTopicIndex.ts'
import type { MemoryBudgets } from '../../http/createMemoryBudgets.ts'
import type { RelayDriver, StoredMessage } from '../drivers/RelayDriver.ts'
import { readMailboxes } from './readMailboxes.ts'
import type { RelayMetrics } from '../metrics.ts'
import type { RelayTiming } from '../timing.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'

export type Hub = ReturnType<typeof createHub>

export type HubOptions = {
  driver: RelayDriver
  metrics: RelayMetrics
  /** Unix time in ms. */
  now: () => number
  /** Delay of pushes to clients with `isDelayed`. */
  deliveryDelayMs: number
  timing: RelayTiming
  /** Whether a socket's buffer and its memory budget have room for a push of this many characters. */
  hasRoom: (socket: WebSocket, size: number) => boolean
  memory: Pick<MemoryBudgets, 'add' | 'hasRoom'>
  /** Waits for the turn of an address to use the event loop for a page of messages. */
  nextTurn: (address: string) => Promise<void>
  onError: (error: unknown) => void
}

/**
 * Time for a client to resubscribe after it connects. Official clients drop messages on topics to which they
 * have not subscribed on the current socket, so delivery on those topics resumes only after this time.
 */
const resumeMs = 1_000
/** Pause before a failed read of a mailbox is retried. */
const retryMs = 1_000
/** Estimated memory of a push in flight. */
const deliveryBytes = 450
/** Up to this number per client, pushes in flight are not counted, because the connection itself needs more memory. */
const uncountedDeliveries = 16
/** Subscriptions that are added or removed in one turn of an address. */
const topicsAtOnce = 250

/**
 * Delivers messages to the clients connected to this process. On each topic, it pushes messages in order.
 * It pushes them after the response to the publish or subscribe that causes the push, and again if the
 * client does not acknowledge them.
 *
 * @see docs/relay.md#the-path-of-a-message
 * @see docs/contracts/relay.md#mailbox
 */
export function createHub(options: HubOptions) {
  const { driver, metrics, now, deliveryDelayMs, timing, onError } = options
  const clients = new Map<string, Client>()
  const index = createTopicIndex(driver)
  /** Clients with pushes in flight. */
  const awaiting = new Set<Client>()
  /**
   * Sockets that had no room for a push of `size` characters at `since` (Unix time in ms). Removed once
   * the buffer has drained to half of the limit and has room.
   */
  const slow = new Map<WebSocket, { client: Client; size: number; since: number }>()

  /** Messages to push to the clients without `isDelayed`, in the next turn of the event loop. */
  let immediate: StoredMessage[] = []
  const delayed = createDelayQueue<StoredMessage>({
    ms: deliveryDelayMs,
    onDue: (messages) => deliver(messages, { isDelayed: true }),
  })
  const reads = createDelayQueue<Client>({ ms: deliveryDelayMs, onDue: readAll })
  const retries = createDelayQueue<Client>({ ms: retryMs, onDue: readAll })
  const resumes = createDelayQueue<{ client: Client; socket: WebSocket }>({
    ms: resumeMs,
    onDue: (due) => {
      for (const { client, socket } of due) if (currentSocket(client) === socket) resumeIdle(client)
    },
  })
  const timer = setInterval(tick, timing.tickMs)

  function deliverImmediate() {
    const messages = immediate
    immediate = []
    deliver(messages, { isDelayed: false })
  }

  /** Pushes messages to the subscribers with this value of `isDelayed`. */
  function deliver(messages: readonly StoredMessage[], { isDelayed }: Pick<Client, 'isDelayed'>) {
    for (const message of messages) {
      const subscribers = index.subscribersOf(message.topic)
      if (!subscribers) continue
      const data = toData(message)
      for (const client of subscribers) {
        if (client.id === message.publisher || client.isDelayed !== isDelayed) continue
        const subscription = client.topics.get(message.topic)
        if (subscription?.state === 'reading') subscription.state = 'readAgain'
        if (subscription?.state !== 'live' || message.seq <= subscription.lastSeq) continue
        if (push(client, subscription, message, data))
          metrics.deliverySeconds.observe(Math.max(0, now() - message.publishedAt) / 1000)
      }
    }
  }

  /** Pushes a message. @returns false if the socket cannot send it now; the topic is then idle. */
  function push(
    client: Client,
    subscription: Subscription,
    message: StoredMessage,
    encoded?: string,
  ): boolean {
    const socket = currentSocket(client)
    if (!socket || socket.readyState !== socket.OPEN) {
      subscription.state = 'idle'
      return false
    }
    if (!hasRoom(client, socket, encoded?.length ?? message.message.length)) {
      subscription.state = 'idle'
      metrics.dropped.inc({ reason: 'slow_reader' })
      return false
    }
    const data = encoded ?? toData(message)
    const { topic, id, seq, expiresAt } = message
    const before = client.inFlight.get(seq)
    const isRepeat = before?.socket === socket
    if (isRepeat) metrics.redelivered.inc()
    const repeats = isRepeat ? before.repeats + 1 : 0
    client.inFlight.set(seq, {
      topic,
      id,
      socket,
      pushedAt: now(),
      expiresAt,
      repeats,
      isAcknowledged: false,
    })
    setExhausted(client, topic, seq, repeats >= limits.relayRepeats)
    countMemory(client)
    awaiting.add(client)
    subscription.lastSeq = Math.max(subscription.lastSeq, seq)
    subscription.id ??= toSubscriptionId({ topic, clientId: client.id })
    const text = `{"id":${seq},"jsonrpc":"2.0","method":"${relayPushMethod}","params":{"id":"${subscription.id}","data":${data}}}`
    socket.send(text)
    // Two tabs of a page share a client id but have separate sockets, and either may have subscribed.
    // Clients drop duplicates.
    for (const other of client.sockets)
      if (
        other !== socket &&
        other.readyState === other.OPEN &&
        hasRoom(client, other, text.length)
      )
        other.send(text)
    metrics.pushed.inc()
    return true
  }

  /** Whether a socket has room for a push. If not, it gets no pushes until `tick` finds that it has drained. */
  function hasRoom(client: Client, socket: WebSocket, size: number): boolean {
    if (slow.has(socket)) return false
    if (options.hasRoom(socket, size) && hasMemory(client)) return true
    slow.set(socket, { client, size, since: now() })
    return false
  }

  /** Whether the memory budget of a client's address has room for one more push in flight. */
  function hasMemory({ inFlight, address }: Client): boolean {
    return inFlight.size < uncountedDeliveries || options.memory.hasRoom(address, deliveryBytes)
  }

  /** Updates the memory budget of a client's address. */
  function countMemory(client: Client) {
    const bytes = Math.max(0, client.inFlight.size - uncountedDeliveries) * deliveryBytes
    if (bytes === client.countedBytes) return
    options.memory.add(client.address, bytes - client.countedBytes)
    client.countedBytes = bytes
  }

  /** Marks a push as one that is not repeated again, or removes the mark. */
  function setExhausted({ exhausted }: Client, topic: string, seq: number, isExhausted: boolean) {
    const marked = exhausted.get(topic)
    if (isExhausted && marked) marked.add(seq)
    else if (isExhausted) exhausted.set(topic, new Set([seq]))
    else if (marked?.delete(seq) && marked.size === 0) exhausted.delete(topic)
  }

  /** Forgets a push, which may then be pushed again. */
  function forget(client: Client, seq: number) {
    const delivery = client.inFlight.get(seq)
    if (!delivery) return
    client.inFlight.delete(seq)
    setExhausted(client, delivery.topic, seq, false)
    countMemory(client)
  }

  /**
   * Whether to push a message that was read from a mailbox. False if an earlier push was acknowledged. Also false
   * if it was made on the current socket, unless a repeat is due.
   */
  function isDue(client: Client, seq: number) {
    const delivery = client.inFlight.get(seq)
    if (!delivery) return true
    if (delivery.isAcknowledged) return false
    if (delivery.socket !== currentSocket(client)) return true
    return delivery.repeats < limits.relayRepeats && isOverdue(delivery.pushedAt)
  }

  function isOverdue(pushedAt: number) {
    return now() - pushedAt >= limits.relayRepeatMs
  }

  function readAll(due: Client[]) {
    for (const client of due)
      readMailboxes({
        client,
        driver,
        onMessage: (subscription, message) =>
          !isDue(client, message.seq) || push(client, subscription, message),
        nextTurn: options.nextTurn,
      })
        .catch((error: unknown) => {
          onError(error)
          if (client.sockets.length > 0) retries.push(client)
        })
        .finally(() => removeSettled(client))
  }

  /**
   * Removes settled deliveries. Keeps them during a read, because it may still return messages that the
   * client has acknowledged meanwhile.
   */
  function removeSettled(client: Client) {
    if (client.isReading) return
    for (const seq of client.settled.splice(0)) forget(client, seq)
    if (client.inFlight.size === 0) awaiting.delete(client)
  }

  /** Reads the mailboxes of a client's idle topics. */
  function resumeIdle(client: Client) {
    for (const subscription of client.topics.values())
      if (subscription.state === 'idle') subscription.state = 'queued'
    readAll([client])
  }

  function tick() {
    for (const client of awaiting) repeatOverdue(client)
    for (const [socket, entry] of slow) checkSlow(socket, entry)
  }

  /** Reads the topics of pushes that were not acknowledged in time, which pushes these messages again. */
  function repeatOverdue(client: Client) {
    let isNeeded = false
    for (const [seq, delivery] of client.inFlight) {
      const { topic, socket, repeats, pushedAt, expiresAt, isAcknowledged } = delivery
      if (isAcknowledged) continue
      // An expired message is no longer in the mailbox.
      if (expiresAt <= now()) {
        forget(client, seq)
        continue
      }
      if (repeats >= limits.relayRepeats || socket !== currentSocket(client)) continue
      const subscription = client.topics.get(topic)
      if (!isOverdue(pushedAt) || subscription?.state !== 'live') continue
      subscription.state = 'queued'
      isNeeded = true
    }
    if (isNeeded) readAll([client])
    if (client.inFlight.size === 0) awaiting.delete(client)
  }

  function checkSlow(
    socket: WebSocket,
    { client, size, since }: { client: Client; size: number; since: number },
  ) {
    const hasDrained = socket.bufferedAmount <= limits.relayBufferBytes / 2
    if (hasDrained && options.hasRoom(socket, size) && hasMemory(client)) {
      slow.delete(socket)
      if (currentSocket(client) === socket) resumeIdle(client)
    } else if (now() - since > limits.relaySlowMs && socket.readyState === socket.OPEN) {
      // The close frame is queued behind the unread bytes, so `closeTimeout` ends the socket.
      metrics.dropped.inc({ reason: 'slow_socket' })
      socket.close(relayCloseCodes.tryAgain, 'reads too slowly')
    }
  }

  /** Closes the oldest sockets of a client that has too many. */
  function closeExtra(client: Client) {
    while (client.sockets.length > limits.relayClientSockets) {
      const socket = client.sockets.shift()!
      slow.delete(socket)
      metrics.dropped.inc({ reason: 'extra_socket' })
      // A close frame would be queued behind the unread bytes.
      if (socket.bufferedAmount > 0) socket.terminate()
      else socket.close(relayCloseCodes.tryAgain, 'too many sockets for this client')
    }
  }

  /** Makes all topics idle for delivery on another socket. Pushes in flight on the old one may be lost. */
  function resetDelivery(client: Client) {
    for (const subscription of client.topics.values()) subscription.state = 'idle'
  }

  /** Adds stored subscriptions in turns of an address, then resumes their delivery on the newest socket. */
  async function addStored(client: Client, topics: readonly string[], address: string) {
    for (const topic of topics) if (!client.topics.has(topic)) client.adding.add(topic)
    for (let start = 0; start < topics.length; start += topicsAtOnce) {
      if (start > 0) await options.nextTurn(address)
      if (clients.get(client.id) !== client) return
      const some = topics.slice(start, start + topicsAtOnce)
      index.add(
        client,
        some.filter((topic) => client.adding.delete(topic)),
        'idle',
      )
    }
    if (client.topics.size > 0) resumes.push({ client, socket: currentSocket(client)! })
  }

  /** Removes the subscriptions of a client that has disconnected, in turns of its address. */
  async function removeAll(client: Client) {
    const topics = [...client.topics.keys()]
    for (let start = 0; start < topics.length; start += topicsAtOnce) {
      if (start > 0) await options.nextTurn(client.address)
      index.remove(client, topics.slice(start, start + topicsAtOnce))
    }
  }

  return {
    /**
     * The topics of a connected client, including those that are still being added; `undefined` if the client is not
     * connected.
     */
    topicsOf(clientId: string): Pick<ReadonlySet<string>, 'has' | 'size'> | undefined {
      const client = clients.get(clientId)
      if (!client) return undefined
      const { topics, adding } = client
      return {
        has: (topic) => topics.has(topic) || adding.has(topic),
        size: topics.size + adding.size,
      }
    },

    isConnected: (clientId: string) => clients.has(clientId),

    /** Whether a topic has the maximum number of connected subscribers. */
    isFull: index.isFull,

    /** Adds an open socket. `topics` are the client's stored subscriptions; if they are many, they are added later. */
    attach(added: {
      clientId: string
      socket: WebSocket
      /** The network address of the socket. */
      address: string
      topics: readonly string[]
      /** Whether this client needs a delay between a response and a push. */
      isDelayed: boolean
    }): Client {
      const { clientId, socket, address, topics, isDelayed } = added
      let client = clients.get(clientId)
      if (client) resetDelivery(client)
      else {
        client = {
          id: clientId,
          address,
          countedBytes: 0,
          sockets: [],
          topics: new Map(),
          adding: new Set(),
          inFlight: new Map(),
          exhausted: new Map(),
          settled: [],
          isReading: false,
          isDelayed,
        }
        clients.set(clientId, client)
      }
      client.isDelayed ||= isDelayed
      client.sockets.push(socket)
      closeExtra(client)
      void addStored(client, topics, address)
      return client
    },

    /** Removes a closed socket. */
    detach(client: Client, socket: WebSocket) {
      slow.delete(socket)
      if (!client.sockets.includes(socket)) return
      const wasNewest = currentSocket(client) === socket
      client.sockets = client.sockets.filter((other) => other !== socket)
      if (client.sockets.length > 0) {
        if (!wasNewest) return
        resetDelivery(client)
        resumeIdle(client)
        return
      }
      clients.delete(client.id)
      awaiting.delete(client)
      client.inFlight.clear()
      countMemory(client)
      void removeAll(client)
    },

    /** Delivers newly stored messages, in order. Some may be on topics without connected subscribers. */
    onMessages(messages: readonly StoredMessage[]) {
      for (const message of messages) {
        const subscribers = [...(index.subscribersOf(message.topic) ?? [])]
        if (subscribers.some((client) => client.isDelayed)) delayed.push(message)
        // The response to the publisher is written in this turn, so it is sent before the push.
        if (subscribers.some((client) => !client.isDelayed) && immediate.push(message) === 1)
          setImmediate(deliverImmediate)
      }
    },

    /**
     * Adds a client's stored subscriptions.
     *
     * @returns a function that delivers the waiting messages. Call it once the response is written.
     */
    subscribed(clientId: string, topics: readonly string[]): () => void {
      const client = clients.get(clientId)
      if (!client) return () => {}
      // Everything on a live topic has been pushed. A new subscribe pushes only those messages again that have reached the
      // maximum number of redeliveries.
      const unread = topics.filter(
        (topic) => client.exhausted.has(topic) || client.topics.get(topic)?.state !== 'live',
      )
      for (const topic of unread) client.adding.delete(topic)
      index.add(client, unread, 'queued')
      for (const topic of unread)
        for (const seq of client.exhausted.get(topic) ?? []) forget(client, seq)
      return () => (client.isDelayed ? reads.push(client) : readAll([client]))
    },

    unsubscribed(clientId: string, topics: readonly string[]) {
      const client = clients.get(clientId)
      if (!client) return
      for (const topic of topics) client.adding.delete(topic)
      index.remove(client, topics)
    },

    /** Stores a client's acknowledgement of a push, which came from a network address. */
    acknowledged(client: Client, seq: number, address?: string) {
      const delivery = client.inFlight.get(seq)
      if (!delivery || delivery.isAcknowledged) return
      delivery.isAcknowledged = true
      metrics.acknowledged.inc()
      const { topic, id } = delivery
      driver.acknowledge(client.id, [{ topic, id, seq }], address).then(
        () => {
          client.settled.push(seq)
          removeSettled(client)
        },
        (error: unknown) => {
          // Not stored, so the message will be pushed and acknowledged again.
          delivery.isAcknowledged = false
          onError(error)
        },
      )
    },

    /** Reads the mailboxes of all connected clients, because the driver may have missed messages. */
    readEverything() {
      for (const client of clients.values()) {
        for (const subscription of client.topics.values()) {
          // After a failover, a new primary whose clock is behind may assign lower `seq`.
          subscription.lastSeq = 0
          if (subscription.state === 'live') subscription.state = 'idle'
          else if (subscription.state === 'reading') subscription.state = 'readAgain'
        }
        resumeIdle(client)
      }
    },

    close() {
      clearInterval(timer)
      immediate = []
      for (const delay of [delayed, reads, retries, resumes]) delay.clear()
    },
  }
}

function toData({ topic, message, publishedAt, tag, attestation }: StoredMessage): string {
  return JSON.stringify({ topic, message, publishedAt, tag, attestation })
}
