import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import { isOwnUserAgent, relayCloseCodes } from '@gatefold/protocol/relay'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { requestAddress } from '../../http/clientAddress.ts'
import { uncountedBytes } from '../../http/createMemoryBudgets.ts'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import { checkUrl } from '../../http/limitUrls.ts'
import { authorize, type Admission, type Credentials, type Refusal } from './authorize.ts'
import type { Client } from '../hub/Client.ts'
import { createWriteCoalescer, type WriteCoalescer } from './createWriteCoalescer.ts'
import { dispatch, type Reply, type Sender } from '../requests/dispatch.ts'
import type { RelayContext } from '../RelayContext.ts'
import type { RelayTiming } from '../timing.ts'
import { readCredentials, refuseUpgrade } from './upgrade.ts'

/** Maximum size of a frame or HTTP body. Fits several typical messages, or one of maximum size with some JSON escapes. */
export const maxFrameBytes = 4 * limits.relayMessageBytes
/** Pings are spread over this many ticks, so that 10,000 pings are not sent at once. */
const pingSlots = 25
/** At a rate-limit debt of this size or more, the relay also pauses reading from the client. */
const pauseMs = 3_000
/** Estimated memory of a waiting frame in addition to its bytes. */
const frameOverheadBytes = 1024
/** Maximum number of frames of a message. Chromium sends a message of {@link maxFrameBytes} in about 40 frames. */
const maxFragments = 256
/** Maximum number of chunks in which a frame is received: one of {@link maxFrameBytes} in TCP segments of 512 bytes. */
const maxChunks = 8_192
/** Estimated memory of a chunk or fragment of an unfinished message in addition to its bytes. */
const partOverheadBytes = 512
/** Time limit for a client to answer a close frame. */
const closeMs = 5_000
/** Maximum bytes that a client may send on a socket that was opened only to be closed; many topics fit. */
const maxClosingBytes = 64 * 1024
/** Size of a topic. */
const topicBytes = 64
/** Why a client is refused whose address exceeds its limit for subscriptions of clients that connect. */
const tooManyConnects = 'clients with too many subscriptions have connected from this address'
/** Maximum number of pings and pongs that a client may send between two pings of the relay. */
const maxControls = 100
/** How many attempts of a refused client are checked: a burst of ten, then one every five seconds. */
const refusedAttempts = { burst: 10, perSecond: 0.2 }

/**
 * A client's socket. Avoids closures, because each of many sockets would use memory for them. `accept` sets the
 * fields of an admitted client's socket; other sockets are only closed.
 */
class RelaySocket extends WebSocket implements Sender {
  client: Client | undefined
  relay: RelayContext | undefined
  host: string | undefined
  address = ''
  projectId = ''
  isAlive = true
  lastDelayed: Promise<void> | undefined
  lastFetch: Promise<void> | undefined
  /** Bytes of frames that wait for a turn of the socket's address. */
  waitingBytes = 0
  /** Number of reasons for which reading is paused. */
  pauses = 0
  /** Index of the tick in which the socket is pinged, from 0 to {@link pingSlots} - 1. */
  slot = 0
  readonly isSilentOnStorage = true
  /** The underlying TCP stream. */
  stream: Socket | undefined
  /** The parser of `ws`, which holds the message that is being received. */
  declare readonly _receiver: { _buffers: unknown[]; _fragments: unknown[] }
  /** Bytes received since the chunk in which the last message ended, or 0 if no message is being received. */
  receivedBytes = 0
  /** Number of pings and pongs that were received since the relay's last ping. */
  controls = 0
  /** Payload of the client's last ping, until it is answered. */
  lastPing: Uint8Array | undefined
  /** Whether the last ping found an unfinished message. */
  isUnfinished = false
  /** Bytes that are counted in the memory budgets: an unfinished message, and unread responses and pushes. */
  countedBytes = 0
  coalescer: WriteCoalescer | undefined

  get clientId() {
    return this.client?.id ?? ''
  }

  override send(...parameters: unknown[]) {
    this.coalescer!.cork(this.stream!)
    super.send(...(parameters as Parameters<WebSocket['send']>))
    this.countBytes()
  }

  /** Number of chunks and fragments of the message that is being received. */
  get parts() {
    return this._receiver._buffers.length + this._receiver._fragments.length
  }

  /**
   * Memory of the message that is being received. Control frames between its fragments are counted, because a
   * fragment is a view of the chunk in which it was received.
   */
  get unfinishedBytes() {
    const { parts } = this
    return parts === 0 ? 0 : this.receivedBytes + parts * partOverheadBytes
  }

  /** Updates the memory budget of the client's address. */
  countBytes() {
    const isClosed = this.readyState === this.CLOSED
    const unread = this.bufferedAmount > uncountedBytes ? this.bufferedAmount : 0
    const bytes = isClosed ? 0 : this.unfinishedBytes + unread
    if (bytes === this.countedBytes) return
    this.relay!.context.memory.add(this.address, bytes - this.countedBytes)
    this.countedBytes = bytes
  }

  /** Counts bytes of frames that wait for a turn, or removes them if negative. */
  addWaiting(bytes: number) {
    if (bytes === 0) return
    this.waitingBytes += bytes
    this.relay!.context.memory.add(this.address, bytes)
  }

  /** Whether the socket's buffer and its address's memory budget have room for a text. */
  hasRoom(size: number): boolean {
    const { bufferedAmount, relay } = this
    if (bufferedAmount + size <= uncountedBytes) return true
    if (bufferedAmount > limits.relayBufferBytes) return false
    return relay!.context.memory.hasRoom(this.address, size)
  }

  onReceipt(seq: number) {
    if (this.client) this.relay!.hub.acknowledged(this.client, seq, this.address)
  }

  onDelay(ms: number) {
    if (ms >= pauseMs) void this.pauseUntil(wait(ms - pauseMs / 2, undefined, { ref: false }))
  }

  /**
   * Answers the client's last ping. The next pong is sent once this one has been written, so that pongs do not
   * accumulate for a client that does not read.
   */
  answerPing() {
    const { lastPing } = this
    this.pong(lastPing, false, (error) => {
      if (error) return
      if (this.lastPing !== lastPing) return this.answerPing()
      this.lastPing = undefined
    })
  }

  /** Stops reading from a client that does not drain its responses (backpressure). */
  onAnswered() {
    if (this.bufferedAmount > limits.relayBufferBytes) void this.pauseUntil(this.whenDrained())
  }

  async whenDrained() {
    const isFull = this.bufferedAmount > limits.relayBufferBytes
    if (isFull && this.stream && this.readyState === this.OPEN) await drained(this.stream)
  }

  /** Whether two checks in a row have found the same message unfinished. Ignores paused sockets. */
  sendsSlowly() {
    const wasUnfinished = this.isUnfinished
    this.isUnfinished = !this.isPaused && this.parts > 0
    return this.isUnfinished && wasUnfinished
  }

  /** Pauses reading until `end` resolves. Frames that were already received are still emitted. */
  async pauseUntil(end: Promise<void>) {
    this.pauses += 1
    this.pause()
    await end
    this.pauses -= 1
    if (this.pauses === 0) this.resume()
  }
}

export type SocketServer = ReturnType<typeof createSocketServer>

/**
 * Accepts or refuses WebSocket upgrades, dispatches incoming frames, pings and closes sockets.
 *
 * @see docs/contracts/relay.md#connection
 */
export function createSocketServer(relay: RelayContext, { pingMs }: RelayTiming) {
  const { context, hub, driver, metrics } = relay
  const { log, config } = context
  const server = new WebSocketServer({
    noServer: true,
    WebSocket: RelaySocket,
    clientTracking: false,
    maxPayload: maxFrameBytes,
    maxFragments,
    maxBufferedChunks: maxChunks,
    // Encrypted messages do not compress, and a compressor would use many KB per socket.
    perMessageDeflate: false,
    closeTimeout: closeMs,
    autoPong: false,
  } as ConstructorParameters<typeof WebSocketServer<typeof RelaySocket>>[0])
  const coalescer = createWriteCoalescer()
  const slots = Array.from({ length: pingSlots }, () => new Set<RelaySocket>())
  const refusedBuckets = createTokenBuckets({
    ...refusedAttempts,
    now: context.now,
    maxKeys: 10_000,
  })
  /** Keys of clients that were refused recently; only their attempts are counted. */
  let refused = new Set<string>()
  let isStopping = false
  let nextSlot = 0
  let pingSlot = 0

  const pinger = setInterval(() => {
    pingSlot = (pingSlot + 1) % pingSlots
    for (const socket of slots[pingSlot]!) {
      // No complete message and no pong was received since the last ping, or a message does not end.
      if (!socket.isAlive || socket.sendsSlowly()) {
        socket.terminate()
        continue
      }
      socket.isAlive = false
      socket.controls = 0
      socket.ping()
    }
  }, pingMs / pingSlots)

  function open(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    onOpen: (socket: RelaySocket) => void,
  ) {
    server.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', onError)
      onOpen(socket)
    })
  }

  /** Opens a socket only to close it, so that the client can read why. */
  function openToClose(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    reason: Parameters<WebSocket['close']>,
  ) {
    open(request, stream, head, (socket) => {
      socket.close(...reason)
      // A plain HTTP server passes a `Socket`. Until the client closes it too, what it sends is read without turns.
      const { bytesRead } = stream as Socket
      stream.on('data', () => {
        if ((stream as Socket).bytesRead - bytesRead > maxClosingBytes) socket.terminate()
      })
    })
  }

  function accept(
    socket: RelaySocket,
    stream: Socket,
    host: string | undefined,
    attach: (socket: RelaySocket) => Client,
  ) {
    socket.relay = relay
    socket.stream = stream
    socket.coalescer = coalescer
    socket.host = host
    stream.on('data', (data: Buffer) => onData(socket, data.length))
    stream.on('drain', () => socket.countBytes())
    socket.on('message', onMessage)
    socket.on('ping', onPing)
    socket.on('pong', onPong)
    socket.on('close', onClose)
    socket.slot = nextSlot
    slots[nextSlot]!.add(socket)
    nextSlot = (nextSlot + 1) % pingSlots
    relay.addressLimits.opened(socket.address)
    socket.client = attach(socket)
  }

  function onClose(this: WebSocket) {
    const socket = this as RelaySocket
    slots[socket.slot]!.delete(socket)
    relay.addressLimits.closed(socket.address)
    socket.countBytes()
    if (socket.client) hub.detach(socket.client, socket)
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
    const problem = checkUrl(request.url)
    if (problem) return refuseUpgrade(stream, problem.status, problem.description)
    const credentials = readCredentials(request)
    if (!credentials) return refuseUpgrade(stream, 404, 'no WebSocket at this path')
    if (isStopping) return refuseUpgrade(stream, 503, 'the relay is restarting')
    const { host, usesCloseFrame, userAgent } = credentials
    // Refused clients keep reconnecting. Beyond the limit, their token is not checked.
    const key = refusalKeyOf(request, credentials)
    if (refused.has(key) && refusedBuckets.take(key) > 0)
      return refuseUpgrade(stream, 429, 'refused too often', 5)
    const address = requestAddress(config, request)
    const refuseAddress = (what: string) => {
      metrics.refused.inc({ reason: 'addressLimit' })
      if (!usesCloseFrame) return refuseUpgrade(stream, 429, what, 60)
      return openToClose(request, stream, head, [relayCloseCodes.tryAgain, what])
    }
    let admission: Admission | Refusal
    let topics: string[] = []
    try {
      admission = await authorize(context, credentials)
      if ('clientId' in admission) {
        const { clientId } = admission
        if (!relay.addressLimits.mayConnect(address)) return refuseAddress(tooManyConnects)
        topics = await driver.topicsOf(clientId, () => context.turns.next(address, 0))
        if (!relay.addressLimits.admitConnect(address, topics.length))
          return refuseAddress(tooManyConnects)
        const turn = context.turns.enter(address, topics.length * topicBytes)
        if (turn) await turn
      }
    } catch (error) {
      log.warn({ err: error }, 'admitting a client failed')
      if (!usesCloseFrame)
        return refuseUpgrade(stream, 503, 'the relay cannot check this client now', 5)
      return openToClose(request, stream, head, [
        relayCloseCodes.tryAgain,
        'the relay cannot check this client now',
      ])
    }
    if (stream.destroyed) return
    // `close` has already closed the other sockets, and would wait for this one.
    if (isStopping) return refuseUpgrade(stream, 503, 'the relay is restarting')
    if ('clientId' in admission) {
      const { clientId, projectId } = admission
      refused.delete(key)
      if (!relay.addressLimits.admitSocket(address, clientId))
        return refuseAddress('too many sockets or new clients from this address')
      return open(request, stream, head, (socket) => {
        socket.address = address
        socket.projectId = projectId
        // A plain HTTP server passes a `Socket`.
        accept(socket, stream as Socket, host, (socket) =>
          hub.attach({ clientId, socket, address, topics, isDelayed: !isOwnUserAgent(userAgent) }),
        )
      })
    }
    const { refusal, reason } = admission
    metrics.refused.inc({ reason: refusal })
    if (refused.size >= 10_000) refused = new Set()
    refused.add(key)
    if (!usesCloseFrame)
      return refuseUpgrade(stream, refusal === 'originNotAllowed' ? 403 : 401, reason)
    openToClose(request, stream, head, [relayCloseCodes.refused, reason])
  }

  /** Identifies a refused client by its address, project, origin and claimed client id. */
  function refusalKeyOf(request: IncomingMessage, { projectId, origin, token }: Credentials) {
    // The payload starts with the client id; the times at its end differ in each token.
    const claimed = token?.split('.')[1]?.slice(0, 80)
    // A hash, because a request may contain 100 KB of them.
    return hash('sha256', [requestAddress(config, request), projectId, origin, claimed].join())
  }

  return {
    get count() {
      return slots.reduce((sum, slot) => sum + slot.size, 0)
    },

    /** Handles the HTTP server's `upgrade` event. */
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
      stream.on('error', destroyStream)
      const open = () => {
        if (stream.destroyed) return
        upgrade(request, stream, head).catch((error: unknown) => {
          log.error({ err: error }, 'opening a socket failed')
          stream.destroy()
        })
      }
      context.turns.run(requestAddress(config, request), open, head.length)
    },

    /**
     * Closes all sockets, then terminates those that remain. The sockets are closed in waves over most of
     * the grace period, so that clients do not all reconnect at once.
     */
    async close(graceMs: number) {
      isStopping = true
      const open = slots.flatMap((slot) => [...slot])
      const waves = Math.max(1, Math.min(maxWaves, Math.ceil(open.length / waveSize)))
      const size = Math.ceil(open.length / waves)
      const deadline = performance.now() + Math.max(graceMs, 250)
      for (let wave = 0; wave < waves; wave += 1) {
        if (wave > 0) await pause((graceMs * 0.8) / waves)
        for (const socket of open.slice(wave * size, (wave + 1) * size))
          socket.close(relayCloseCodes.restart, 'restart')
      }
      while (slots.some((slot) => slot.size > 0) && performance.now() < deadline) await pause(20)
      clearInterval(pinger)
      for (const slot of slots) for (const socket of slot) socket.terminate()
    },
  }
}

/** Sockets in one wave. Waves are larger if there would be more than {@link maxWaves} of them. */
const waveSize = 50
const maxWaves = 40

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function onMessage(this: WebSocket, data: RawData) {
  const socket = this as RelaySocket
  socket.isAlive = true
  socket.receivedBytes = 0
  socket.isUnfinished = false
  const { length } = data as Buffer
  const { memory, turns } = socket.relay!.context
  if (!memory.hasRoom(socket.address, length)) return end(socket, 'memory')
  let waitingBytes = 0
  const job = () => {
    socket.addWaiting(-waitingBytes)
    handle(socket, data as Buffer)
  }
  if (turns.run(socket.address, job, length)) return
  waitingBytes = length + frameOverheadBytes
  socket.addWaiting(waitingBytes)
  if (socket.waitingBytes > uncountedBytes) void socket.pauseUntil(turns.next(socket.address, 0))
}

function handle(socket: RelaySocket, data: Buffer) {
  const relay = socket.relay!
  const { lastFetch } = socket
  const pending = dispatch(relay, socket, data.toString())
  if (lastFetch) void socket.pauseUntil(lastFetch)
  if (!pending) return
  const { length } = data
  relay.context.memory.add(socket.address, length)
  void pending.then((reply) => sendReply(socket, reply, length))
}

/** Sends the response to a frame. @param length - bytes of the frame. */
function sendReply(socket: RelaySocket, reply: Reply, length: number) {
  const { text } = reply
  if (text !== undefined) socket.send(text, ignore)
  reply.onSent()
  socket.onAnswered()
  socket.relay!.context.memory.add(socket.address, -length)
}

/** Called after the socket has read bytes and handled the messages that they complete. */
function onData(socket: RelaySocket, bytes: number) {
  if (socket.parts > 0) socket.receivedBytes += bytes
  else socket.receivedBytes = 0
  socket.countBytes()
  const { memory, turns } = socket.relay!.context
  if (socket.parts > 0 && !memory.hasRoom(socket.address, 0)) return end(socket, 'memory')
  if (socket.unfinishedBytes <= uncountedBytes) return
  // A large message is read in turns, because Node may otherwise read megabytes of it in one iteration.
  void socket.pauseUntil(turns.next(socket.address, bytes))
}

/**
 * Terminates a socket whose address exceeds its memory budget, or that sends too many control frames. The client
 * reconnects and repeats its request.
 */
function end(socket: RelaySocket, reason: 'memory' | 'control_frames') {
  socket.relay!.metrics.dropped.inc({ reason })
  // During a close handshake, the client could continue the unfinished message.
  socket.terminate()
}

/** Whether a socket of {@link createSocketServer} has room for a text of this size. */
export function hasRoom(socket: WebSocket, size: number): boolean {
  return (socket as RelaySocket).hasRoom(size)
}

/** Resolves once the stream has drained or closed. */
function drained(stream: Duplex) {
  return new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}

/**
 * Handles a ping. It does not show that the client reads, as a pong does. Of the pings that arrive before a pong is
 * written, only the last one is answered.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5.3
 */
function onPing(this: WebSocket, data: Buffer) {
  const socket = this as RelaySocket
  countControl(socket)
  const isAnswering = socket.lastPing !== undefined
  // A copy, because `data` is a view of up to 64 KiB that were received with it.
  socket.lastPing = new Uint8Array(data)
  if (!isAnswering) socket.answerPing()
}

function onPong(this: WebSocket) {
  const socket = this as RelaySocket
  socket.isAlive = true
  countControl(socket)
}

function countControl(socket: RelaySocket) {
  socket.controls += 1
  if (socket.controls === maxControls + 1) end(socket, 'control_frames')
}

/** Ignores errors, because `close` follows each error and is handled. */
function onError() {}

/** Ignores that the socket closed before the response was written: the client repeats its request. */
function ignore() {}

function destroyStream(this: Duplex) {
  this.destroy()
}
