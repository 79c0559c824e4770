import { WebSocket } from 'ws'
import {
  createRelayIdentity,
  relayUrl,
  type Answered,
  type Pushed,
} from '../../packages/server/src/testing/openRelayClient.ts'

/**
 * Pauses between connection attempts of official clients, in ms.
 *
 * @see docs/threats.md#fault-targets
 */
const pausesMs = [100, 1_000, 3_000, 6_000, 10_000]
/** Official clients repeat a publish that was not answered within this time. */
const publishAgainMs = 19_500
/** Timeout of a connection attempt. */
const attemptMs = 10_000

export type SteadyClient = ReturnType<typeof createSteadyClient>

export type SteadyClientOptions = {
  url: string
  /** Network address that a server with a trusted proxy sees; that of the process by default. */
  address?: string | undefined
  /** Topics to subscribe to on every socket. */
  topics?: readonly string[]
  /** Called with every push, before the push is acknowledged. */
  onPush?: (push: Pushed, socketNumber: number) => void
  /** Called when a new socket has subscribed to all topics, or, without topics, when it is open. */
  onReady?: () => void
  /** Called when a ready socket has closed. */
  onClose?: (code: number) => void
}

/**
 * A client without encryption that reconnects like official clients: it subscribes again, then
 * republishes unanswered messages in their original order.
 */
export function createSteadyClient(options: SteadyClientOptions) {
  const { url, address, topics = [], onPush, onReady, onClose } = options
  const identity = createRelayIdentity()
  /** Unanswered publishes, oldest first. */
  const pending = new Map<
    string,
    {
      text: string
      publishedAt: number
      sentAt: number
      resolve: () => void
      reject: (error: Error) => void
    }
  >()
  let socket: WebSocket | undefined
  let socketNumber = 0
  let failures = 0
  let isReady = false
  let isClosed = false
  let lastId = 0
  let timer: NodeJS.Timeout | undefined

  function attempt() {
    const opened = new WebSocket(relayUrl(url, { identity }), {
      perMessageDeflate: false,
      ...(address && { headers: { 'x-forwarded-for': address } }),
      handshakeTimeout: attemptMs,
    })
    socket = opened
    socketNumber += 1
    opened.on('error', () => {})
    opened.on('open', () => {
      if (topics.length === 0) onSubscribed()
      else opened.send(request('subscribe', 'irn_batchSubscribe', { topics }))
    })
    opened.on('message', (data) => read(opened, (data as Buffer).toString()))
    opened.on('close', (code) => {
      if (isReady) onClose?.(code)
      isReady = false
      if (isClosed) return
      timer = setTimeout(attempt, pausesMs[Math.min(failures, pausesMs.length - 1)])
      failures += 1
    })
  }

  function read(from: WebSocket, text: string) {
    const message = JSON.parse(text) as Pushed | Answered
    if ('params' in message) {
      onPush?.(message, socketNumber)
      from.send(`{"id":${message.id},"jsonrpc":"2.0","result":true}`)
      return
    }
    if (message.id === 'subscribe') {
      // The store may be unavailable. Reconnects and subscribes again, as official clients do.
      if (message.error) from.close()
      else onSubscribed()
      return
    }
    const entry = pending.get(String(message.id))
    if (!entry) return
    pending.delete(String(message.id))
    if (message.error) entry.reject(new Error(JSON.stringify(message.error)))
    else entry.resolve()
  }

  function onSubscribed() {
    isReady = true
    failures = 0
    onReady?.()
    for (const entry of pending.values()) send(entry)
  }

  function send(entry: { text: string; sentAt: number }) {
    entry.sentAt = performance.now()
    if (isReady) socket?.send(entry.text)
  }

  const repeatTimer = setInterval(() => {
    const now = performance.now()
    for (const entry of pending.values()) if (now - entry.sentAt > publishAgainMs) send(entry)
  }, 1_000)
  attempt()

  return {
    clientId: identity.clientId,
    get isReady() {
      return isReady
    },
    /** The number of unanswered publishes. */
    get pendingCount() {
      return pending.size
    },
    /** How long the oldest unanswered publish has waited, in ms; 0 if there is none. */
    get oldestPendingMs() {
      const [oldest] = pending.values()
      return oldest ? performance.now() - oldest.publishedAt : 0
    },
    get socket() {
      return socket
    },
    /** Resolves once the relay has answered; rejects with the relay's error. */
    publish(topic: string, message: string, more: object = {}): Promise<void> {
      const id = `p${(lastId += 1)}`
      const text = request(id, 'irn_publish', { topic, message, ttl: 3_600, tag: 1108, ...more })
      return new Promise((resolve, reject) => {
        const entry = { text, publishedAt: performance.now(), sentAt: 0, resolve, reject }
        pending.set(id, entry)
        send(entry)
      })
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(repeatTimer)
      socket?.terminate()
    },
  }
}

function request(id: string, method: string, params: unknown) {
  return JSON.stringify({ id, jsonrpc: '2.0', method, params })
}
