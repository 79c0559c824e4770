import { relayCloseCodes } from '@gatefold/protocol/relay'
import type { Clock, SignEvents } from '../SignClient.ts'

export type Status = SignEvents['relay']

/** One socket to a relay that comes back by itself until the relay refuses it or it is closed. */
export type Connection = {
  /** Wants a socket. After a refusal it is tried again once that is some time ago. */
  open(): void
  /** Does not wait any longer for the next attempt. */
  retryNow(): void
  /** The socket is taken for dead: another one is opened. */
  replace(): void
  /** No socket is needed for now. */
  rest(): void
  /** Does nothing without an open socket. */
  send(text: string): void
  status(): Status
  close(): void
}

export type ConnectionOptions = {
  /** Asked for each attempt, so that its token is fresh. */
  url: () => Promise<string>
  WebSocket: typeof WebSocket
  clock: Clock
  onOpen: () => void
  onText: (text: string) => void
  /** The socket that was open is gone. */
  onDown: () => void
  onStatus: (status: Status) => void
}

const attemptTimeoutMs = 10_000
const firstPauseMs = 100
/** With the jitter, and the time an attempt takes, clients are back within 10 s. @see threat model, 6 */
const longestPauseMs = 8_000
/** A refused client asks again at most this often. @see contracts/relay.md 1.2 */
const refusedPauseMs = 10_000
/** `ws` shows the relay's pings, at least one in 30 s. @see contracts/relay.md 1.3 */
const pingSilenceMs = 35_000

export function createConnection(options: ConnectionOptions): Connection {
  const { clock } = options
  let status: Status = { status: 'idle' }
  let socket: WebSocket | undefined
  let isOpen = false
  let failures = 0
  let refusedAt = 0
  /** Ends the attempt, the pause or the watch that is going on. */
  let cancelTimer = () => {}
  /** Counts attempts: what an older one still brings is not heard. */
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
      // A close follows each error; without a listener `ws` would throw.
      opened.addEventListener('error', () => {})
    } catch (cause) {
      // No socket can be made of this URL: another attempt will not help.
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
      cancelTimer = clock.later(() => isMine() && fail(), pingSilenceMs)
    }
    const on = opened.on.bind(opened) as (name: string, listener: () => void) => void
    for (const name of ['ping', 'message']) on(name, restart)
    restart()
  }

  function fail() {
    drop()
    setStatus({ status: 'offline' })
    const pause = Math.min(longestPauseMs, firstPauseMs * 3 ** failures++)
    cancelTimer = clock.later(() => void attempt(), pause * (0.75 + Math.random() / 2))
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
    if (wasOpen) options.onDown()
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
    replace() {
      if (!isOpen) return
      fail()
    },
    rest() {
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
