/**
 * The clients for the relay measurements, in a separate process: `node load.ts JSON`, where the JSON is
 * a {@link LoadOptions}. Sends its {@link LoadResult} to its parent process.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { relayUrl } from '../../packages/server/src/testing/openRelayClient.ts'

export type LoadOptions = {
  /** URL of the server that the publishers connect to. */
  url: string
  /** URL of the server that the subscribers connect to; `url` by default. */
  subscriberUrl?: string
  pairs: number
  seconds: number
  /**
   * Messages per second of all pairs together. By default, each publisher publishes again after every
   * response.
   */
  perSecond?: number
  /** The `ua` of every client; by default, an official client's. */
  userAgent?: string
  /** Additional clients that only hold a socket and a subscription. */
  idle?: number
}

export type LoadResult = {
  /** Deliveries per second, excluding the warm-up. */
  perSecond: number
  /** Time from publish to delivery, in ms. */
  p50: number
  p99: number
  delivered: number
  /** CPU time of the clients, in seconds. */
  cpuSeconds: number
}

/** Number of publishes that each publisher has in flight if no rate is set. */
const window = 4
/** Sockets opened at the same time. */
const openAtOnce = 50
const warmupShare = 0.2

/** Makes each message about as long as a typical encrypted one. */
const padding = 'x'.repeat(500)

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions
const query = options.userAgent === undefined ? {} : { query: { ua: options.userAgent } }
const latencies: number[] = []
const sockets: WebSocket[] = []
let isMeasuring = false
let isStopped = false

await openAll(options.idle ?? 0, async () => {
  await subscribe(await open(options.subscriberUrl ?? options.url), newTopic())
})
process.send?.({ idle: sockets.length })
if (options.pairs === 0) await new Promise(() => {})

const apps: { publish: () => void }[] = []
await openAll(options.pairs, openPair)
await run()

async function openPair() {
  const topic = newTopic()
  const wallet = await open(options.subscriberUrl ?? options.url)
  await subscribe(wallet, topic)
  wallet.on('message', (data) => {
    const { id, params } = JSON.parse((data as Buffer).toString()) as {
      id: number
      params?: { data: { message: string } }
    }
    if (!params) return
    wallet.send(`{"id":${id},"jsonrpc":"2.0","result":true}`)
    if (isMeasuring) latencies.push(performance.now() - Number(params.data.message.split(' ')[0]))
  })
  const app = await open(options.url)
  let lastId = 0
  const publish = () => {
    const id = (lastId += 1)
    const message = `${performance.now()} ${id} ${padding}`
    const params = { topic, message, ttl: 300, tag: 1108 }
    app.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_publish', params }))
  }
  if (options.perSecond === undefined) app.on('message', () => !isStopped && publish())
  apps.push({ publish })
}

async function run() {
  const { seconds, perSecond } = options
  if (perSecond === undefined)
    for (const { publish } of apps) for (let count = 0; count < window; count += 1) publish()
  const ticker = perSecond === undefined ? undefined : publishSteadily(perSecond)
  await wait(seconds * warmupShare * 1000)
  const cpu = process.cpuUsage()
  const began = performance.now()
  isMeasuring = true
  await wait(seconds * 1000)
  isMeasuring = false
  isStopped = true
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(ticker)
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const result: LoadResult = {
    perSecond: latencies.length / took,
    p50: at(0.5),
    p99: at(0.99),
    delivered: latencies.length,
    cpuSeconds: (user + system) / 1e6,
  }
  process.send?.({ result })
  for (const socket of sockets) socket.terminate()
  process.disconnect?.()
}

function publishSteadily(perSecond: number) {
  let last = performance.now()
  let due = 0
  let turn = 0
  return setInterval(() => {
    const now = performance.now()
    due += ((now - last) / 1000) * perSecond
    last = now
    for (; due >= 1; due -= 1) apps[(turn = (turn + 1) % apps.length)]!.publish()
  }, 5)
}

async function openAll(count: number, one: () => Promise<void>) {
  let remaining = count
  await Promise.all(
    Array.from({ length: Math.min(openAtOnce, count) }, async () => {
      while (remaining > 0) {
        remaining -= 1
        await one()
      }
    }),
  )
}

function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(relayUrl(url, query), { perMessageDeflate: false })
  sockets.push(socket)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => {})
  })
}

function subscribe(socket: WebSocket, topic: string): Promise<void> {
  const params = { topics: [topic] }
  socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'irn_batchSubscribe', params }))
  return new Promise((resolve) => socket.once('message', () => resolve()))
}

function newTopic() {
  return randomBytes(32).toString('hex')
}
