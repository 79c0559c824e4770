import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import { isOwnUserAgent, relayCloseCodes } from '@gatefold/protocol/relay'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { clientAddress } from '../../http/clientAddress.ts'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import { authorize, type Admission, type Credentials, type Refusal } from './authorize.ts'
import type { Client } from '../hub/Client.ts'
import { createWriteCoalescer, type WriteCoalescer } from './createWriteCoalescer.ts'
import { dispatch, type Sender } from '../requests/dispatch.ts'
import type { RelayContext } from '../RelayContext.ts'
import type { RelayTiming } from '../timing.ts'
import { readCredentials, refuseUpgrade } from './upgrade.ts'

/** Largest frame: one of the largest messages with room for escapes, or a batch of usual ones. */
export const maxFrameBytes = 4 * limits.relayMessageBytes
/** Pings are spread over this many ticks, so that 10,000 do not go out at once. */
const pingSlots = 25
/** A client that sends too many is no longer read from while it would have to wait this long. */
const pauseMs = 3_000
/** How long a client may take to answer a close. */
const closeMs = 5_000
/** A client that was refused may try this often at once, and then every five seconds. */
const refusedTries = { burst: 10, perSecond: 0.2 }

/** A client's socket. Fields and methods, no closures: there are many of them. */
class RelaySocket extends WebSocket implements Sender {
  client: Client | undefined
  relay: RelayContext | undefined
  host: string | undefined
  isAlive = true
  waiting: Promise<void> | undefined
  fetching: Promise<void> | undefined
  /** When it is pinged. */
  slot = 0
  readonly isSilentOnStorage = true
  /** What it writes to. */
  stream: Duplex | undefined
  coalescer: WriteCoalescer | undefined

  get clientId() {
    return this.client?.id ?? ''
  }

  override send(...parameters: unknown[]) {
    if (this.stream) this.coalescer?.cork(this.stream)
    super.send(...(parameters as Parameters<WebSocket['send']>))
  }

  onReceipt(seq: number) {
    if (this.client) this.relay?.hub.acknowledged(this.client, seq)
  }

  onDelay(ms: number) {
    if (ms >= pauseMs) void this.pauseUntil(wait(ms - pauseMs / 2, undefined, { ref: false }))
  }

  /** Whoever does not read what it is answered is not read from either, and soon cut by the pings. */
  onAnswered() {
    if (this.bufferedAmount > limits.relayBufferBytes) void this.pauseUntil(this.whenRead())
  }

  async whenRead() {
    const isFull = this.bufferedAmount > limits.relayBufferBytes
    if (isFull && this.stream && this.readyState === this.OPEN) await drained(this.stream)
  }

  /** What has arrived already is taken all the same. */
  async pauseUntil(end: Promise<void>) {
    if (this.isPaused) return
    this.pause()
    await end
    this.resume()
  }
}

export type SocketServer = ReturnType<typeof createSocketServer>

/**
 * The relay's WebSocket side: who may open a socket, what comes in on it, pings, and its end.
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
    // Messages are encrypted, so they do not compress; a compressor costs many KB a socket.
    perMessageDeflate: false,
    closeTimeout: closeMs,
  } as ConstructorParameters<typeof WebSocketServer<typeof RelaySocket>>[0])
  const coalescer = createWriteCoalescer()
  const slots = Array.from({ length: pingSlots }, () => new Set<RelaySocket>())
  const refusedAgain = createTokenBuckets({ ...refusedTries, now: context.now, maxKeys: 10_000 })
  /** Who was refused lately, so that only those are counted. */
  let refused = new Set<string>()
  let isStopping = false
  let nextSlot = 0
  let pingSlot = 0

  const pinger = setInterval(() => {
    pingSlot = (pingSlot + 1) % pingSlots
    for (const socket of slots[pingSlot]!) {
      // Silent since the last ping: its line is dead.
      if (!socket.isAlive) {
        socket.terminate()
        continue
      }
      socket.isAlive = false
      socket.ping()
    }
  }, pingMs / pingSlots)

  function open(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    then: (socket: RelaySocket) => void,
  ) {
    server.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', onError)
      then(socket)
    })
  }

  function welcome(
    socket: RelaySocket,
    stream: Duplex,
    host: string | undefined,
    attach: (socket: RelaySocket) => Client,
  ) {
    socket.relay = relay
    socket.stream = stream
    socket.coalescer = coalescer
    socket.host = host
    socket.on('message', onMessage)
    socket.on('pong', onPong)
    socket.on('close', onClose)
    socket.slot = nextSlot
    slots[nextSlot]!.add(socket)
    nextSlot = (nextSlot + 1) % pingSlots
    socket.client = attach(socket)
  }

  function onClose(this: WebSocket) {
    const socket = this as RelaySocket
    slots[socket.slot]!.delete(socket)
    if (socket.client) hub.detach(socket.client, socket)
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
    const credentials = readCredentials(request)
    if (!credentials) return refuseUpgrade(stream, 404, 'there is no WebSocket here')
    if (isStopping) return refuseUpgrade(stream, 503, 'the relay restarts')
    const { host, saysOnClose, userAgent } = credentials
    // A refused client comes back all the time; when it does too often, nothing is checked any more.
    const key = nameOf(request, credentials)
    if (refused.has(key) && refusedAgain.take(key) > 0)
      return refuseUpgrade(stream, 429, 'refused again and again', 5)
    let admission: Admission | Refusal
    let topics: string[]
    try {
      admission = await authorize(context, credentials)
      topics = 'clientId' in admission ? await driver.topicsOf(admission.clientId) : []
    } catch (error) {
      log.warn({ err: error }, 'a client could not be let in')
      if (!saysOnClose) return refuseUpgrade(stream, 503, 'the relay cannot decide now', 5)
      return open(request, stream, head, (socket) =>
        socket.close(relayCloseCodes.tryAgain, 'the relay cannot decide now'),
      )
    }
    if (stream.destroyed) return
    // Nobody would send it away any more, and the server waits for it.
    if (isStopping) return refuseUpgrade(stream, 503, 'the relay restarts')
    if ('clientId' in admission) {
      const { clientId } = admission
      refused.delete(key)
      return open(request, stream, head, (socket) =>
        welcome(socket, stream, host, (socket) =>
          hub.attach({ clientId, socket, topics, isDelayed: !isOwnUserAgent(userAgent) }),
        ),
      )
    }
    const { refusal, reason } = admission
    metrics.refused.inc({ reason: refusal })
    if (refused.size >= 10_000) refused = new Set()
    refused.add(key)
    if (!saysOnClose)
      return refuseUpgrade(stream, refusal === 'originNotAllowed' ? 403 : 401, reason)
    open(request, stream, head, (socket) => socket.close(relayCloseCodes.refused, reason))
  }

  /** Where it comes from and the client id it claims. */
  function nameOf({ headers, socket }: IncomingMessage, { projectId, origin, token }: Credentials) {
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',')
    const { remoteAddress } = socket
    // The claims begin with the client id, and end with the time.
    const claimed = token?.split('.')[1]?.slice(0, 80)
    return [
      clientAddress(config, { forwardedFor, remoteAddress }),
      projectId,
      origin,
      claimed,
    ].join()
  }

  return {
    get count() {
      return slots.reduce((sum, slot) => sum + slot.size, 0)
    },

    /** For the `upgrade` event of the HTTP server. */
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
      stream.on('error', destroyThis)
      upgrade(request, stream, head).catch((error: unknown) => {
        log.error({ err: error }, 'a socket could not be opened')
        stream.destroy()
      })
    },

    /**
     * Sends every client away, in waves over most of the time so that they do not all come back at
     * once; whoever has not gone at the end is cut.
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

/** Clients of one wave, unless there would be too many waves. */
const waveSize = 50
const maxWaves = 40

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function onMessage(this: WebSocket, data: RawData) {
  const socket = this as RelaySocket
  socket.isAlive = true
  if (!socket.relay) return
  const reply = dispatch(socket.relay, socket, (data as Buffer).toString())
  if (socket.fetching) void socket.pauseUntil(socket.fetching)
  void reply?.then(({ text, sent }) => {
    if (text !== undefined) socket.send(text, ignore)
    sent()
    socket.onAnswered()
  })
}

/** Ends when all that was written is on its way, or never will be. */
function drained(stream: Duplex) {
  return new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}

function onPong(this: WebSocket) {
  ;(this as RelaySocket).isAlive = true
}

/** A broken line also closes, and that is looked after. */
function onError() {}

/** The socket closed before the answer was there; the client asks again. */
function ignore() {}

function destroyThis(this: Duplex) {
  this.destroy()
}
