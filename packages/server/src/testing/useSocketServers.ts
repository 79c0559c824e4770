import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import type { WebSocket } from 'ws'
import { createMemoryBudgets } from '../http/createMemoryBudgets.ts'
import { createTokenBuckets } from '../http/createTokenBuckets.ts'
import type { Turns } from '../http/createTurns.ts'
import { createAddressLimits } from '../relay/budgets/createAddressLimits.ts'
import type { RelayContext } from '../relay/RelayContext.ts'
import { createRateLimit } from '../relay/requests/createRateLimit.ts'
import { createSocketServer } from '../relay/socket/createSocketServer.ts'
import {
  openRelayClient,
  relayUrl,
  type RelayClient,
  type RelayClientOptions,
} from './openRelayClient.ts'
import { testProject } from './testProject.ts'

/** A topic that each client has. */
export const topic = 'a'.repeat(64)
/** The address of the clients by default. */
export const address = '192.0.2.1'
const project = testProject()

/** The relay's side of a socket. */
export type Accepted = WebSocket & {
  stream: Socket
  whenDrained: () => Promise<void>
  sendsSlowly: () => boolean
  readonly unfinishedBytes: number
}

/** @returns a function that starts a socket server, which is stopped after the test */
export function useSocketServers() {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })
  return {
    /** Adds a function that runs after the test; the last one added runs first. */
    addCleanup: (close: () => unknown) => void closers.push(close),
    start: (options?: { pingMs?: number }) => startSocketServer(closers, options),
  }
}

/** Starts a socket server with a scripted relay. Clients send their address in a header. */
async function startSocketServer(closers: (() => unknown)[], { pingMs = 60_000 } = {}) {
  const memory = createMemoryBudgets()
  const relay = {
    time: Date.now(),
    /** The delays that the rate limit returns. */
    delaysMs: [] as number[],
    /** The topics of a client, which are read while it is admitted. */
    topicsOf: async (_nextTurn: () => Promise<void>): Promise<string[]> => [topic],
    subscribe: async (): Promise<void> => {},
    publish: async (): Promise<void> => {},
    read: async (): Promise<void> => {},
    /** Topics whose waiting messages were delivered after a response. */
    delivered: [] as unknown[],
    attach: (): void => {},
    /** If set, jobs wait for it instead of running at once. */
    turn: undefined as Promise<void> | undefined,
    /** Number of jobs that waited for `turn`. */
    waited: 0,
    turnsTaken: [] as number[],
    /** Bytes of the turns that were entered, perhaps at once. */
    turnsEntered: [] as number[],
    /** Counted bytes of all addresses. */
    memory: 0,
    accepted: [] as Accepted[],
    attached: [] as object[],
    detached: 0,
    receipts: [] as number[],
    receiptAddress: '',
    counted: [] as string[],
    logged: [] as string[],
    /** Open TCP connections. */
    connections: 0,
  }
  const count = (name: string) => ({
    inc: (labels: object = {}) => relay.counted.push([name, ...Object.values(labels)].join(' ')),
  })
  const log = (fields: { err: Error }, text: string) =>
    relay.logged.push(`${text}: ${fields.err.message}`)
  const rateLimit = { take: () => relay.delaysMs.shift() ?? 0 }
  const turns: Turns = {
    run(_address, job) {
      if (relay.turn) {
        relay.waited += 1
        void relay.turn.then(job)
        return false
      }
      job()
      return true
    },
    enter(_address, bytes) {
      relay.turnsEntered.push(bytes)
      return relay.turn
    },
    async next(_address, bytes) {
      relay.turnsTaken.push(bytes)
      await relay.turn
    },
  }
  const context = {
    context: {
      config: { trustedProxies: 1, relayUrls: undefined },
      now: () => relay.time,
      log: { warn: log, error: log },
      memory: {
        ...memory,
        add(address: string, bytes: number) {
          relay.memory += bytes
          memory.add(address, bytes)
        },
      },
      projects: { get: (id: string) => (/unknown|closed/.test(id) ? undefined : project) },
      turns,
    },
    addressLimits: createAddressLimits({
      sockets: 3,
      newClients: createTokenBuckets({ burst: 100, perSecond: 1, now: () => relay.time }),
      newTopics: createTokenBuckets({ burst: 100, perSecond: 1, now: () => relay.time }),
      connects: createRateLimit({ burst: 100, perSecond: 1, now: () => relay.time }),
    }),
    driver: {
      topicsOf: (_clientId: string, nextTurn: () => Promise<void>) => relay.topicsOf(nextTurn),
      subscribe: () => relay.subscribe(),
      publish: () => relay.publish(),
      read: async () => {
        await relay.read()
        return { messages: [], hasMore: false }
      },
    },
    hub: {
      attach({ socket, ...more }: { clientId: string; socket: Accepted }) {
        relay.attach()
        relay.attached.push(more)
        relay.accepted.push(socket)
        return { id: more.clientId }
      },
      detach: () => (relay.detached += 1),
      acknowledged: (_client: object, seq: number, address: string) => {
        relay.receipts.push(seq)
        relay.receiptAddress = address
      },
      topicsOf: () => new Set(),
      isFull: () => false,
      subscribed: (_client: object, topics: string[]) => () => relay.delivered.push(...topics),
    },
    metrics: {
      answers: count('answers'),
      delayed: count('delayed'),
      dropped: count('dropped'),
      refused: count('refused'),
    },
    pendingSubscriptions: new Map(),
    rateLimits: { publish: rateLimit, topic: rateLimit },
    storageBudgets: { charge: async () => [''], release: () => {} },
  } as unknown as RelayContext
  const sockets = createSocketServer(context, { pingMs, tickMs: 1_000 })
  const server = createServer({ maxHeaderSize: 128 * 1024 }).on(
    'upgrade',
    (request, stream, head) => sockets.upgrade(request, stream, head),
  )
  server.on('connection', (stream) => {
    relay.connections += 1
    stream.once('close', () => (relay.connections -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const withAddress = ({ headers, ...more }: RelayClientOptions): RelayClientOptions => ({
    ...more,
    headers: { 'x-forwarded-for': address, ...headers },
  })
  async function connect(options: RelayClientOptions = {}) {
    const client = await openRelayClient(url, withAddress(options))
    closers.push(() => client.drop())
    return client
  }
  /** Sends an upgrade request, by default without `useOnCloseEvent`. */
  function request(options: RelayClientOptions & { path?: string } = {}) {
    const { query, headers } = withAddress(options)
    const full = relayUrl(url, { ...options, query: { useOnCloseEvent: undefined, ...query } })
    const { pathname, search, port } = new URL(full)
    const sent = httpRequest({
      port,
      path: (options.path ?? pathname) + search,
      headers: {
        host: new URL(url).host,
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    })
    sent.end()
    return sent
  }
  /** @returns the HTTP response to an upgrade request */
  async function respond(options: Parameters<typeof request>[0] = {}) {
    const sent = request(options).on('upgrade', (_, socket) => socket.destroy())
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    sent.on('response', resolve).on('upgrade', resolve).on('error', reject)
    const response = await promise
    const { statusCode: status } = response
    if (status === 101) return { status }
    const body = JSON.parse(await text(response)) as { reasons: [{ description: string }] }
    const retryAfter = response.headers['retry-after']
    return { status, what: body.reasons[0].description, ...(retryAfter && { retryAfter }) }
  }
  closers.push(async () => {
    await sockets.close(0)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { relay, sockets, server, memory, connect, request, respond }
}

/** Subscribes a client to its topic. */
export const subscribe = (client: RelayClient) => client.call('irn_subscribe', { topic })
/** Sends a subscribe request without waiting for the response. */
export const sendSubscribe = ({ socket }: RelayClient, params: object = { topic }) =>
  socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'irn_subscribe', params }))
