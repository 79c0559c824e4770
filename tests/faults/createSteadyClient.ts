import { WebSocket } from 'ws'
import {
  createRelayIdentity,
  relayUrl,
  type Answered,
  type Pushed,
} from '../../packages/server/src/testing/openRelayClient.ts'

/**
 * Pauses between attempts, in ms, as official clients make them.
 *
 * @see docs/threats.md#fault-targets
 */
const pausesMs = [100, 1_000, 3_000, 6_000, 10_000]
/** An official client sends a publish again that was not answered for this long. */
const publishAgainMs = 19_500
/** Timeout of a connection attempt. */
const attemptMs = 10_000

export type SteadyClient = ReturnType<typeof createSteadyClient>

export type SteadyClientOptions = {
  url: string
  /** Subscribed to on every socket. */
  topics?: readonly string[]
  /** Receives every push before it is acknowledged. */
  onPush?: (push: Pushed, socketNumber: number) => void
  /** Its topics are subscribed on a new socket (or it is open, without topics). */
  onBack?: () => void
  /** Its socket closed. */
  onGone?: (code: number) => void
}

/**
 * A raw client that comes back when its line breaks, like official ones do: subscribes again, then
 * republishes unanswered messages in their original order.
 */
export function createSteadyClient(options: SteadyClientOptions) {
  const { url, topics = [], onPush, onBack, onGone } = options
  const identity = createRelayIdentity()
  /** Requests that are not answered, oldest first. */
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
  let isBack = false
  let isClosed = false
  let lastId = 0
  let timer: NodeJS.Timeout | undefined

  function attempt() {
    const opened = new WebSocket(relayUrl(url, { identity }), {
      perMessageDeflate: false,
      handshakeTimeout: attemptMs,
    })
    socket = opened
    socketNumber += 1
    opened.on('error', () => {})
    opened.on('open', () => {
      if (topics.length === 0) back()
      else opened.send(request('subscribe', 'irn_batchSubscribe', { topics }))
    })
    opened.on('message', (data) => read(opened, (data as Buffer).toString()))
    opened.on('close', (code) => {
      if (isBack) onGone?.(code)
      isBack = false
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
      // The store may be away; an official client subscribes again too.
      if (message.error) from.close()
      else back()
      return
    }
    const entry = pending.get(String(message.id))
    if (!entry) return
    pending.delete(String(message.id))
    if (message.error) entry.reject(new Error(JSON.stringify(message.error)))
    else entry.resolve()
  }

  function back() {
    isBack = true
    failures = 0
    onBack?.()
    for (const entry of pending.values()) send(entry)
  }

  function send(entry: { text: string; sentAt: number }) {
    entry.sentAt = performance.now()
    if (isBack) socket?.send(entry.text)
  }

  const again = setInterval(() => {
    const now = performance.now()
    for (const entry of pending.values()) if (now - entry.sentAt > publishAgainMs) send(entry)
  }, 1_000)
  attempt()

  return {
    clientId: identity.clientId,
    get isBack() {
      return isBack
    },
    /** Publishes that are not answered. */
    get pendingCount() {
      return pending.size
    },
    /** How long the oldest of them has waited, in ms; 0 without any. */
    get oldestPendingMs() {
      const [oldest] = pending.values()
      return oldest ? performance.now() - oldest.publishedAt : 0
    },
    get socket() {
      return socket
    },
    /** Resolves once the relay has acknowledged it. @throws Error with the relay's error */
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
      clearInterval(again)
      socket?.terminate()
    },
  }
}

function request(id: string, method: string, params: unknown) {
  return JSON.stringify({ id, jsonrpc: '2.0', method, params })
}
