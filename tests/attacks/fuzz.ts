import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import {
  createRelayIdentity,
  relayUrl,
  type Answered,
} from '../../packages/server/src/testing/openRelayClient.ts'
import type { Report } from '../faults/report.ts'
import { fuzzFrame, fuzzRequest, type Self } from './fuzzRequests.ts'
import { createRandom, type Random } from './random.ts'
import { startTarget } from './startTarget.ts'

/** Maximum size of a reply, in bytes. @see docs/threats.md#attack-targets */
const replyLimitBytes = 1_000_000
/** Maximum growth of the server's heap. @see docs/threats.md#attack-targets */
const growthLimitMb = 10
/** Share of the run after which the caches are full. The growth of the heap is measured from then on. */
const warmupShare = 0.2
/**
 * Number of frames on one socket, and of HTTP requests in one series. Each socket and series has a
 * new key.
 */
const framesPerSocket = 40
/** How long a socket may need for a batch of frames; the relay delays clients above a rate limit. */
const turnMs = 2_000
/** How long an HTTP connection may stay open. If it has received nothing by then, the request counts as hung. */
const responseMs = 20_000

/**
 * Sends mutated frames and requests to all routes of a server. The server must not fail, leak memory, or send
 * internal errors or large replies.
 *
 * @param options.seed - seed of the pseudorandom choices. Requests also contain times and random ids, so runs with the
 * same seed are similar, but not identical.
 */
export async function fuzz(options: {
  requests: number
  seed: number
  concurrency?: number
  /** Called with a description of each problem. */
  onWrong?: (what: string) => void
}): Promise<Report> {
  const { requests, seed, concurrency = 12, onWrong = () => {} } = options
  const target = await startTarget('SQLite', {
    // With high limits, nearly all requests get past the rate limits.
    GATEFOLD_IP_RATE: '1000000',
    GATEFOLD_IP_BURST: '10000000',
    GATEFOLD_PROJECT_RATE: '1000000',
    GATEFOLD_PROJECT_BURST: '10000000',
    GATEFOLD_RELAY_ADDRESS_CLIENTS: '1000000',
    GATEFOLD_ANALYTICS_HOURLY_MIB: '1000000',
    GATEFOLD_ANALYTICS_ADDRESS_HOURLY_MIB: '1000000',
  })
  const { child } = target.program
  const tally = { sent: 0, replies: 0, errors: 0, large: 0, largest: 0, hung: 0 }
  const kinds = new Map<string, number>()
  const log: string[] = []
  child.stdout?.on('data', (text: string) => log.push(text))
  child.stderr?.on('data', (text: string) => log.push(text))

  function note(kind: string, bytes: number, problem: string | undefined, sent: () => string) {
    tally.replies += 1
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    tally.largest = Math.max(tally.largest, bytes)
    if (problem !== undefined) tally.errors += 1
    if (bytes > replyLimitBytes) tally.large += 1
    if (problem !== undefined || bytes > replyLimitBytes)
      onWrong(`${problem ?? `${bytes} bytes`} for ${sent().slice(0, 600)}`)
  }

  /**
   * Sends frames on one socket. After every four, a valid request, whose response shows that they
   * were read.
   */
  async function fuzzSocket(random: Random) {
    const identity = createRelayIdentity()
    const url = target.url.replace(/^http/, 'ws')
    const self: Self = { url, identity }
    const socket = new WebSocket(relayUrl(url, { identity }), { maxPayload: 2 ** 30 })
    const closed = once(socket, 'close').catch(() => {})
    let lastFrames: string[] = []
    let onRead = () => {}
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      for (const answer of [JSON.parse(text) as Answered & { method?: string }].flat()) {
        if (answer.method !== undefined) continue
        if (answer.id === 'read') onRead()
        const isInternal = answer.error?.code === -32_603
        note(
          `frame ${answer.error?.data ?? 'ok'}`,
          data.length,
          isInternal ? `internal error ${answer.error!.data}` : undefined,
          () => lastFrames.join('\n'),
        )
      }
    })
    await Promise.race([once(socket, 'open').catch(() => {}), closed])
    for (let sent = 0; sent < framesPerSocket && socket.readyState === socket.OPEN;) {
      lastFrames = Array.from({ length: 4 }, () => fuzzFrame(random, self))
      for (const frame of lastFrames) {
        tally.sent += 1
        sent += 1
        if (random.chance(0.01)) writeRaw(random, socket)
        else socket.send(random.chance(0.03) ? Buffer.from(frame) : frame)
      }
      const read = new Promise<void>((resolve) => (onRead = resolve))
      socket.send(
        '{"id":"read","jsonrpc":"2.0","method":"irn_unsubscribe","params":{"topic":"' +
          `${'0'.repeat(64)}","id":"x"}}`,
      )
      const turn = await Promise.race([read, closed.then(() => 'closed'), wait(turnMs, 'late')])
      if (turn === 'late') break
    }
    // Leaves the socket open for a while, because late replies are checked too.
    setTimeout(() => socket.terminate(), 12_000).unref()
  }

  /** Sends requests, each on a separate connection. */
  async function fuzzHttp(random: Random) {
    const self: Self = { url: target.url.replace(/^http/, 'ws'), identity: createRelayIdentity() }
    for (let count = 0; count < framesPerSocket; count += 1) {
      const request = fuzzRequest(random, self, `localhost:${target.port}`)
      tally.sent += 1
      const reply = await send(random, request)
      const describe = () =>
        `${request.method} ${request.target.slice(0, 300)}\n${request.headers.join('\n').slice(0, 300)}\n\n${request.body.toString().slice(0, 400)}\n---- reply: ${reply.text.slice(0, 300)}`
      if (reply.isHung) {
        tally.hung += 1
        onWrong(`no response to ${describe()}`)
      }
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(reply.text)?.[1])
      note(
        `${Number.isNaN(status) ? 'closed' : status}`,
        reply.bytes,
        status >= 500 ? `status ${status}` : undefined,
        describe,
      )
    }
  }

  function send(random: Random, request: ReturnType<typeof fuzzRequest>) {
    const lengths = random.chance(0.02)
      ? [`content-length: ${random.below(5_000)}`]
      : request.body.length > 0 || request.method === 'POST'
        ? [`content-length: ${request.body.length}`]
        : []
    const version = random.chance(0.01)
      ? random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'x'])
      : 'HTTP/1.1'
    const head = [
      `${request.method} ${request.target} ${version}`,
      ...request.headers,
      ...(request.headers.some((line) => line.startsWith('connection:'))
        ? []
        : ['connection: close']),
      ...lengths,
      '',
      '',
    ].join('\r\n')
    return new Promise<{ text: string; bytes: number; isHung: boolean }>((resolve) => {
      const socket = connect(target.port, '127.0.0.1')
      let text = ''
      let bytes = 0
      let isHung = false
      // An upgraded socket, or a request that waits for its body, stays open.
      const quiet = setTimeout(() => socket.end(), 300)
      const late = setTimeout(() => {
        isHung = text === ''
        socket.destroy()
      }, responseMs)
      socket.on('data', (data) => {
        bytes += data.length
        if (text.length < 500) text += data.toString('latin1')
        quiet.refresh()
      })
      socket
        .on('error', () => {})
        .on('close', () => {
          clearTimeout(quiet)
          clearTimeout(late)
          resolve({ text, bytes, isHung })
        })
      socket.write(head, 'latin1')
      if (request.body.length > 0) socket.write(request.body)
    })
  }

  async function loop(index: number) {
    const random = createRandom(seed + index)
    while (tally.sent < goal && child.exitCode === null)
      await (random.chance(0.5) ? fuzzSocket(random) : fuzzHttp(random))
  }
  let goal = 0
  async function run(amount: number) {
    goal = tally.sent + amount
    await Promise.all(Array.from({ length: concurrency }, (_, index) => loop(index + goal)))
  }

  try {
    const began = performance.now()
    await run(requests * warmupShare)
    const before = await readHeap(child)
    await run(requests * (1 - warmupShare))
    const seconds = (performance.now() - began) / 1_000
    // Gives delayed requests time to end, and sockets time to close.
    await wait(Math.min(12_000, requests))
    const after = await readHeap(child)
    const exited = child.exitCode !== null || child.signalCode !== null
    if (exited || log.length > 0) onWrong(`log: ${log.join('').slice(0, 4_000)}`)
    return {
      name: `fuzz with seed ${seed}`,
      findings: [
        { label: 'frames and requests', value: tally.sent, unit: '' },
        { label: 'per second', value: tally.sent / seconds, unit: '' },
        { label: 'replies', value: tally.replies, unit: '' },
        {
          label: 'replies that are a refusal or an error',
          value: countRefused(kinds),
          unit: '',
        },
        { label: 'internal errors and statuses from 500', value: tally.errors, unit: '', max: 0 },
        { label: 'requests without a response', value: tally.hung, unit: '', max: 0 },
        { label: 'logged errors', value: log.length, unit: '', max: 0 },
        { label: 'servers that exited', value: exited ? 1 : 0, unit: '', max: 0 },
        {
          label: 'largest reply',
          value: tally.largest / 1_000,
          unit: 'KB',
          max: replyLimitBytes / 1_000,
        },
        { label: 'heap after the start', value: before, unit: 'MB' },
        { label: 'heap at the end', value: after, unit: 'MB' },
        { label: 'growth of the heap', value: after - before, unit: 'MB', max: growthLimitMb },
      ],
    }
  } finally {
    await target.stop()
  }
}

function countRefused(kinds: ReadonlyMap<string, number>) {
  return [...kinds].reduce((sum, [kind, count]) => sum + (/ok$|^2|^3/.test(kind) ? 0 : count), 0)
}

/** Writes bytes that are not a valid WebSocket frame. */
function writeRaw(random: Random, socket: WebSocket) {
  const stream = (socket as unknown as { _socket: Socket })._socket
  stream.write(
    random.pick([
      () => random.bytes(1 + random.below(40)),
      // An unmasked frame, reserved opcodes and bits, a length above 2^63, a close frame with an invalid code,
      // a continuation of no message, a ping above 125 bytes.
      () => Buffer.from([0x81, 0x02, 0x7b, 0x7d]),
      () => Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
      () => Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
      () => Buffer.from([0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]),
      () => Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x00, 0x01]),
      () => Buffer.from([0x00, 0x80, 0, 0, 0, 0]),
      () => Buffer.from([0x89, 0xfe, 0, 200, 0, 0, 0, 0]),
      // Invalid UTF-8.
      () => Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]),
    ])(),
  )
}

/** The heap of the server after a garbage collection, in MB; infinite once it has exited. */
async function readHeap(child: ChildProcess): Promise<number> {
  if (!child.connected) return Infinity
  // The server also sends the message `ready`.
  const answered = new Promise<number>((resolve) => {
    child.on('message', function read(message: { heapUsed?: number }) {
      if (message.heapUsed === undefined) return
      child.off('message', read)
      resolve(message.heapUsed / 2 ** 20)
    })
  })
  child.send('heap')
  return Promise.race([answered, once(child, 'exit').then(() => Infinity)])
}
