import { relayCloseCodes } from '@gatefold/protocol/relay'
import type { Clock, SignEvents } from '../SignClient.ts'

export type Status = SignEvents['relay']

/** A socket to a relay that reconnects until it is closed or the relay refuses the client. */
export type Connection = {
  /** Opens a socket if there is none; after a refusal, at most every 10 s. */
  open(): void
  /** Skips the backoff before the next attempt. */
  retryNow(): void
  /** Replaces an open socket that is presumed dead. */
  reconnect(): void
  /** Closes the socket until the next `open`. */
  disconnect(): void
  /** Sends a text; does nothing if no socket is open. */
  send(text: string): void
  status(): Status
  close(): void
}

export type ConnectionOptions = {
  /** Called for each attempt, because the URL carries a fresh token. */
  url: () => Promise<string>
  WebSocket: typeof WebSocket
  clock: Clock
  onOpen: () => void
  onText: (text: string) => void
  /** Called when an open socket was closed or lost. */
  onClose: () => void
  onStatus: (status: Status) => void
}

const attemptTimeoutMs = 10_000
const firstBackoffMs = 100
/** With jitter, a client waits at most 10 s before it reconnects. @see docs/threats.md#overload */
const maxBackoffMs = 8_000
/** @see docs/contracts/relay.md#refusals-and-close-codes */
const refusedPauseMs = 10_000
/** The relay pings at least every 30 s; only `ws` exposes pings. @see docs/contracts/relay.md#keep-alive */
const pingTimeoutMs = 35_000

export function createConnection(options: ConnectionOptions): Connection {
  const { clock } = options
  let status: Status = { status: 'idle' }
  let socket: WebSocket | undefined
  let isOpen = false
  let failures = 0
  let refusedAt = 0
  /** Cancels the current timer: that of the attempt, the backoff or the ping timeout. */
  let cancelTimer = () => {}
  /** Number of the current attempt. Events from older sockets are ignored. */
  let current = 0

  function setStatus(next: Status) {
    if (next.status === status.status && next.reason === status.reason) return
    status = next
    options.onStatus(next)
  }

  async function attempt() {
    const mine = ++current
    const isMine = () => mine === current
    cancelTimer()
    cancelTimer = clock.later(() => isMine() && fail(), attemptTimeoutMs)
    if (status.status !== 'offline') setStatus({ status: 'connecting' })
    try {
      const url = await options.url()
      if (!isMine()) return
      const opened = new options.WebSocket(url)
      socket = opened
      opened.addEventListener('open', () => isMine() && opens(opened, isMine))
      opened.addEventListener('message', (event) => {
        if (!isMine()) return
        failures = 0
        if (typeof event.data === 'string') options.onText(event.data)
      })
      opened.addEventListener('close', (event) => {
        if (!isMine()) return
        if (event.code === relayCloseCodes.refused) refuse(event.reason)
        else fail()
      })
      // `close` follows each error. Without an error listener, `ws` would throw.
      opened.addEventListener('error', () => {})
    } catch (cause) {
      // For example an invalid URL: a retry would fail as well.
      if (isMine()) refuse(cause instanceof Error ? cause.message : String(cause))
    }
  }

  function opens(opened: WebSocket, isMine: () => boolean) {
    cancelTimer()
    isOpen = true
    setStatus({ status: 'connected' })
    watchPings(opened, isMine)
    options.onOpen()
  }

  function watchPings(opened: WebSocket & { on?: unknown }, isMine: () => boolean) {
    if (typeof opened.on !== 'function') return
    const restart = () => {
      if (!isMine()) return
      cancelTimer()
      cancelTimer = clock.later(() => isMine() && fail(), pingTimeoutMs)
    }
    const on = opened.on.bind(opened) as (name: string, listener: () => void) => void
    for (const name of ['ping', 'message']) on(name, restart)
    restart()
  }

  function fail() {
    drop()
    setStatus({ status: 'offline' })
    const backoff = Math.min(maxBackoffMs, firstBackoffMs * 3 ** failures++)
    cancelTimer = clock.later(() => void attempt(), backoff * (0.75 + Math.random() / 2))
  }

  function refuse(reason: string) {
    refusedAt = clock.now()
    drop()
    setStatus({ status: 'refused', reason })
  }

  function drop() {
    cancelTimer()
    current += 1
    const wasOpen = isOpen
    isOpen = false
    socket?.close()
    socket = undefined
    if (wasOpen) options.onClose()
  }

  return {
    open() {
      if (status.status === 'idle') void attempt()
      if (status.status === 'refused' && clock.now() - refusedAt >= refusedPauseMs) void attempt()
    },
    retryNow() {
      if (status.status !== 'offline') return
      drop()
      failures = 0
      void attempt()
    },
    reconnect() {
      if (!isOpen) return
      fail()
    },
    disconnect() {
      drop()
      setStatus({ status: 'idle' })
    },
    send(text) {
      if (isOpen) socket?.send(text)
    },
    status: () => status,
    close() {
      drop()
    },
  }
}
