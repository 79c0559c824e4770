import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { limits } from '@gatefold/protocol'
import { addressMemoryBytes, createMemoryBudgets } from '../../http/createMemoryBudgets.ts'
import type { Turns } from '../../http/createTurns.ts'
import {
  createRelayIdentity,
  openRelayClient,
  relayUrl,
  type RelayClient,
  type RelayClientOptions,
} from '../../testing/openRelayClient.ts'
import { testProject } from '../../testing/testProject.ts'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import { createAddressLimits } from '../budgets/createAddressLimits.ts'
import { RelayStorageError } from '../errors.ts'
import { createRateLimit } from '../requests/createRateLimit.ts'
import type { RelayContext } from '../RelayContext.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'
import { createSocketServer, hasRoom } from './createSocketServer.ts'

const waits = vi.hoisted(() => [] as { ms: number; end: () => void }[])
// A test ends the waits for a rate limit.
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: (ms: number) =>
    new Promise<void>((end) => {
      waits.push({ ms, end })
    }),
}))

const kib = 1024
const topic = 'a'.repeat(64)
const address = '192.0.2.1'
const project = testProject()

/** The relay's side of a socket. */
type Accepted = WebSocket & {
  stream: Socket
  whenDrained: () => Promise<void>
  sendsSlowly: () => boolean
  readonly unfinishedBytes: number
}

const closers: (() => unknown)[] = []
beforeEach(() => {
  waits.length = 0
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Starts a socket server with a scripted relay. Clients send their address in a header. */
async function start({ pingMs = 60_000 } = {}) {
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

const subscribe = (client: RelayClient) => client.call('irn_subscribe', { topic })
/** Sends a subscribe request without waiting for the response. */
const sendSubscribe = ({ socket }: RelayClient, params: object = { topic }) =>
  socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'irn_subscribe', params }))

test('an admitted client gets responses, and is attached with its topics until its socket closes', async () => {
  const { relay, sockets, connect } = await start()
  const client = await connect()
  const { clientId } = client
  expect(await subscribe(client)).toBe(toSubscriptionId({ topic, clientId }))
  expect(relay.delivered).toEqual([topic])
  // Encrypted messages do not compress.
  expect(client.socket.extensions).toBe('')
  expect(relay.attached).toEqual([{ clientId, address, topics: [topic], isDelayed: true }])
  client.acknowledge({ id: 7 })
  await expect.poll(() => relay.receipts).toEqual([7])
  expect(relay.receiptAddress).toBe('192.0.2.1')
  const gatefold = await connect({ query: { ua: 'wc-2/gatefold-1.0.0' } })
  expect(relay.attached[1]).toMatchObject({ clientId: gatefold.clientId, isDelayed: false })
  expect(sockets.count).toBe(2)
  await client.close()
  await expect.poll(() => [sockets.count, relay.detached]).toEqual([1, 1])
})

test('attack: clients that connect at once are refused if they have too many topics together', async () => {
  const { relay, connect, respond } = await start()
  const read = Promise.withResolvers<string[]>()
  relay.topicsOf = vi.fn<() => Promise<string[]>>(() => read.promise)
  const clients = [connect(), respond(), respond()]
  await expect.poll(() => relay.topicsOf).toHaveBeenCalledTimes(3)
  read.resolve(Array<string>(170).fill(topic))
  await Promise.all(clients)
  expect(relay.counted).toEqual(['refused addressLimit', 'refused addressLimit'])
})

test('attack: the topics of a client are read in turns of its address', async () => {
  const { relay, connect } = await start()
  relay.topicsOf = async (nextTurn) => {
    await nextTurn()
    return [topic]
  }
  await connect()
  expect(relay.turnsTaken).toEqual([0])
})

test('attack: a client is attached in a turn of its address that is sized by its topics', async () => {
  const { relay, connect } = await start()
  const turn = Promise.withResolvers<void>()
  relay.topicsOf = async () => {
    relay.turn = turn.promise
    return Array<string>(50).fill(topic)
  }
  const connected = connect()
  await expect.poll(() => relay.turnsEntered).toEqual([50 * 64])
  expect(relay.attached).toEqual([])
  turn.resolve()
  await connected
  expect(relay.attached).toHaveLength(1)
})

test('error: a publish that cannot be stored gets no response, so that clients repeat it', async () => {
  const { relay, connect } = await start()
  const client = await connect()
  const failed = Promise.withResolvers<void>()
  relay.publish = async () => {
    failed.resolve()
    throw new RelayStorageError()
  }
  const params = { topic, message: 'x', ttl: 300, tag: 1 }
  void client.request('irn_publish', params)
  await failed.promise
  await subscribe(client)
  expect(client.texts).toHaveLength(1)
})

describe('error: refuses', () => {
  const failing = () => Promise.reject(new Error('no storage'))
  type Row = {
    options?: RelayClientOptions & { path?: string }
    prepare?: (test: Awaited<ReturnType<typeof start>>) => unknown
    response: object
    close?: { code: number; reason: string }
    counted?: string[]
    logged?: string[]
  }
  test.each<[string, Row]>([
    [
      'a request for another path',
      { options: { path: '/rpc' }, response: { status: 404, what: 'no WebSocket at this path' } },
    ],
    [
      'an unknown project',
      {
        options: { query: { projectId: 'unknown' } },
        response: { status: 401, what: 'Unauthorized: invalid key' },
        close: { code: 3000, reason: 'Unauthorized: invalid key' },
        counted: ['refused invalidKey'],
      },
    ],
    [
      'a page that the project does not allow',
      {
        options: { headers: { origin: 'https://evil.example' } },
        response: { status: 403, what: 'Unauthorized: origin not allowed' },
        close: { code: 3000, reason: 'Unauthorized: origin not allowed' },
        counted: ['refused originNotAllowed'],
      },
    ],
    [
      'a client whose topics cannot be read',
      {
        prepare: ({ relay }) => (relay.topicsOf = failing),
        response: { status: 503, what: 'the relay cannot check this client now', retryAfter: '5' },
        close: { code: 1013, reason: 'the relay cannot check this client now' },
        logged: ['admitting a client failed: no storage'],
      },
    ],
    [
      'a fourth socket of one address',
      {
        prepare: async ({ connect }) => {
          for (let count = 0; count < 3; count += 1) await connect()
        },
        response: {
          status: 429,
          what: 'too many sockets or new clients from this address',
          retryAfter: '60',
        },
        close: { code: 1013, reason: 'too many sockets or new clients from this address' },
        counted: ['refused addressLimit'],
      },
    ],
    [
      'a client while its address has connected with too many topics',
      {
        prepare: async ({ relay, connect }) => {
          relay.topicsOf = async () => Array<string>(101).fill(topic)
          await connect()
          relay.topicsOf = failing
        },
        response: {
          status: 429,
          what: 'clients with too many subscriptions have connected from this address',
          retryAfter: '60',
        },
        close: {
          code: 1013,
          reason: 'clients with too many subscriptions have connected from this address',
        },
        counted: ['refused addressLimit'],
      },
    ],
    [
      'any client while the relay stops',
      {
        prepare: ({ sockets }) => sockets.close(0),
        response: { status: 503, what: 'the relay is restarting' },
      },
    ],
  ])('%s', async (_, { options, prepare, response, close, counted = [], logged = [] }) => {
    const test = await start()
    await prepare?.(test)
    test.relay.attached.length = 0
    expect(await test.respond(options)).toEqual(response)
    expect([test.relay.counted, test.relay.logged]).toEqual([counted, logged])
    const client = close && (await test.connect(options))
    expect(await client?.closed).toEqual(close)
    expect(test.relay.attached).toEqual([])
  })

  test('a fourth socket only until another one closes, and only of the same address', async () => {
    const { relay, connect, respond } = await start()
    const clients = [await connect(), await connect(), await connect()]
    expect(await respond()).toMatchObject({ status: 429 })
    expect(await respond({ headers: { 'x-forwarded-for': '192.0.2.2' } })).toEqual({ status: 101 })
    await clients[0]!.close()
    await expect.poll(() => relay.detached).toBe(2)
    await subscribe(await connect())
  })

  test('a client that is being admitted when the relay stops', async () => {
    const { relay, sockets, respond } = await start()
    const [requested, topics] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()]
    relay.topicsOf = () => {
      requested.resolve()
      return topics.promise
    }
    const response = respond()
    await requested.promise
    await sockets.close(0)
    topics.resolve([])
    expect(await response).toEqual({ status: 503, what: 'the relay is restarting' })
  })

  test('a client that cannot be attached, and serves others', async () => {
    const { relay, sockets, connect, request } = await start()
    relay.attach = () => {
      throw new Error('bug')
    }
    const [, socket] = (await once(request(), 'upgrade')) as [unknown, Socket]
    await once(socket.resume(), 'close')
    expect(relay.logged).toEqual(['opening a socket failed: bug'])
    await expect.poll(() => sockets.count).toBe(0)
    expect(relay.detached).toBe(0)
    relay.attach = () => {}
    await subscribe(await connect())
  })

  test('a client that disconnected while it was being admitted, without counting or logging a refusal', async () => {
    const { relay, connect, request } = await start()
    for (let count = 0; count < 3; count += 1) await connect()
    const [requested, topics] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()]
    relay.topicsOf = () => {
      requested.resolve()
      return topics.promise
    }
    const sent = request().on('error', () => {})
    await requested.promise
    sent.socket!.resetAndDestroy()
    await expect.poll(() => relay.connections).toBe(3)
    topics.resolve([])
    await new Promise(setImmediate)
    expect([relay.attached.length, relay.counted, relay.logged]).toEqual([3, [], []])
  })
})

test('attack: a client that disconnected while it waited for its turn is not checked', async () => {
  const { relay, request } = await start()
  const turn = Promise.withResolvers<void>()
  relay.turn = turn.promise
  let checks = 0
  relay.topicsOf = async () => {
    checks += 1
    return []
  }
  const sent = request().on('error', () => {})
  await expect.poll(() => relay.waited).toBe(1)
  sent.socket!.resetAndDestroy()
  await expect.poll(() => relay.connections).toBe(0)
  turn.resolve()
  await new Promise(setImmediate)
  expect(checks).toBe(0)
})

test('attack: a client that is refused with a close frame can send 64 KiB until it closes too', async () => {
  const { server, request } = await start()
  const connected = once(server, 'connection') as Promise<[Socket]>
  const sent = request({ query: { projectId: 'unknown', useOnCloseEvent: 'true' } })
  const [, stream] = (await once(sent, 'upgrade')) as [unknown, Socket]
  stream.on('error', () => {}).resume()
  const [accepted] = await connected
  const before = accepted.bytesRead
  const received = () => accepted.bytesRead - before
  // The start of a message of 4 MiB that never ends.
  stream.write(Buffer.from('82ff00000000004000000000', 'hex'))
  await expect.poll(received).toBe(12)
  stream.write(Buffer.alloc(64 * kib - 12))
  await expect.poll(received).toBe(64 * kib)
  expect(accepted.destroyed).toBe(false)
  stream.write(Buffer.alloc(3_000_000))
  await new Promise((resolve) => accepted.once('close', resolve))
  expect(received()).toBeLessThan(256 * kib)
})

describe('attack: a client that is refused repeatedly', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const usedHeap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const identity = createRelayIdentity()
  const refused = { identity, query: { projectId: 'unknown' } }

  test('is checked eleven times, then once every five seconds', async () => {
    const { relay, respond } = await start()
    const statuses: unknown[] = []
    for (let count = 0; count < 12; count += 1)
      // Each token has a different `iat`.
      statuses.push((await respond({ ...refused, claims: { iat: count, exp: 2 ** 40 } })).status)
    expect(statuses).toEqual([...Array<number>(11).fill(401), 429])
    expect(await respond(refused)).toEqual({
      status: 429,
      what: 'refused too often',
      retryAfter: '5',
    })
    relay.time += 5_000
    expect([(await respond(refused)).status, (await respond(refused)).status]).toEqual([401, 429])
    const others: RelayClientOptions[] = [
      { ...refused, identity: createRelayIdentity() },
      { ...refused, headers: { 'x-forwarded-for': '192.0.2.2' } },
      { ...refused, headers: { origin: 'https://app.example' } },
      { ...refused, query: { projectId: 'unknown', auth: undefined } },
      { ...refused, query: { projectId: 'unknown', auth: 'no token' } },
      { ...refused, query: { projectId: 'closed' } },
    ]
    for (const other of others) expect((await respond(other)).status).toBe(401)
    expect((await respond(refused)).status).toBe(429)
    expect(await respond({ identity })).toEqual({ status: 101 })
  })

  test('attack: is remembered in a few bytes, however long its project id is', async () => {
    const { respond } = await start()
    const before = usedHeap()
    for (let count = 0; count < 300; count += 1) {
      const projectId = `unknown${count}`.padEnd(100_000, 'x')
      expect((await respond({ query: { projectId, auth: undefined } })).status).toBe(401)
    }
    expect(usedHeap() - before).toBeLessThan(10_000_000)
  })

  test('may connect any number of times once it is admitted', async () => {
    const { respond } = await start()
    const expired = { identity, claims: { iat: 1, exp: 2 } }
    expect((await respond(expired)).status).toBe(401)
    for (let count = 0; count < 13; count += 1)
      expect(await respond({ identity })).toEqual({ status: 101 })
  })
})

describe('pings', () => {
  test('are sent at intervals; a client that answers stays connected', async () => {
    const { connect } = await start({ pingMs: 250 })
    const { socket } = await connect()
    const began = performance.now()
    for (let count = 0; count < 4; count += 1) await once(socket, 'ping')
    expect(performance.now() - began).toBeGreaterThan(600)
    expect(socket.readyState).toBe(socket.OPEN)
  })

  test('a client that does not answer them is disconnected, unless it sends messages', async () => {
    const { relay, connect } = await start({ pingMs: 250 })
    const [silent, active] = [await connect(), await connect()]
    for (const { socket } of [silent, active]) {
      // `ws` answers pings unless this is off.
      Object.assign(socket, { _autoPong: false })
    }
    const sending = setInterval(() => active.socket.send('[]'), 50)
    closers.push(() => clearInterval(sending))
    expect(await silent.closed).toMatchObject({ code: 1006 })
    await once(active.socket, 'ping')
    expect(active.socket.readyState).toBe(active.socket.OPEN)
    expect(relay.detached).toBe(1)
  })

  test('attack: a client is disconnected if two pings find the same message unfinished', async () => {
    const { relay, connect } = await start({ pingMs: 250 })
    const [slow, small, other] = [await connect(), await connect(), await connect()]
    slow.socket.send('['.padEnd(100_000), { fin: false })
    small.socket.send('[', { fin: false })
    for (const { socket } of [slow, small])
      await expect.poll(() => socket.readyState).toBe(socket.CLOSED)
    // Control frames do not count as parts of a message.
    for (let count = 0; count < 60; count += 1) {
      other.socket.ping('x'.repeat(120))
      await once(other.socket, 'pong')
    }
    for (let count = 0; count < 3; count += 1) await once(other.socket, 'ping')
    await subscribe(other)
    expect([relay.detached, relay.memory]).toEqual([2, 0])
  })
})

test('attack: `sendsSlowly` is true if two checks in a row find a message unfinished, unless the socket is paused', async () => {
  const { relay, connect } = await start()
  const { socket, texts } = await connect()
  const send = (text: string, fin: boolean) => socket.send(text, { fin })
  const [accepted] = relay.accepted
  const check = () => accepted!.sendsSlowly()
  // A control frame is not part of a message.
  socket.ping('x'.repeat(120))
  await once(socket, 'pong')
  expect(accepted!.unfinishedBytes).toBe(0)
  for (const size of [1, 100 * kib]) {
    send('['.padEnd(size), false)
    await expect.poll(() => accepted!.unfinishedBytes).toBeGreaterThan(size)
    await expect.poll(() => accepted!.isPaused).toBe(false)
    expect([check(), check()]).toEqual([false, true])
    accepted!.pause()
    expect([check(), check()]).toEqual([false, false])
    accepted!.resume()
    expect(check()).toBe(false)
    send(']', true)
    await expect.poll(() => texts.length).toBe(1)
    expect([check(), check()]).toEqual([false, false])
    texts.pop()
  }
})

describe('the memory budget of an address', () => {
  test('attack: counts unfinished messages', async () => {
    const { relay, connect } = await start()
    const [client, dropped] = [await connect(), await connect()]
    client.socket.send('[', { fin: false })
    await expect.poll(() => relay.memory).toBe(512 + 7)
    client.socket.send(']')
    await expect.poll(() => client.texts.length).toBe(1)
    expect(relay.memory).toBe(0)
    client.texts.pop()
    dropped.socket.send('['.padEnd(200 * kib), { fin: false })
    client.socket.send('['.padEnd(100 * kib), { fin: false })
    await expect.poll(() => relay.memory).toBeGreaterThan(300 * kib)
    // At most 512 bytes for each chunk.
    expect(relay.memory).toBeLessThan(320 * kib)
    expect(relay.turnsTaken.length).toBeGreaterThan(0)
    await dropped.drop()
    await expect.poll(() => relay.memory).toBeLessThan(120 * kib)
    expect(relay.memory).toBeGreaterThan(100 * kib)
    client.socket.send(']')
    await expect.poll(() => client.texts.length).toBe(1)
    expect(relay.memory).toBe(0)
    await subscribe(client)
  })

  test('attack: counts the fragments of an unfinished message, and what was received between them', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    for (let count = 0; count < 50; count += 1) {
      client.socket.send('[', { fin: false })
      client.socket.ping('x'.repeat(125))
    }
    await expect.poll(() => relay.memory).toBe(50 * (512 + 7 + 131))
    client.socket.send(']')
    await expect.poll(() => client.texts.length).toBe(1)
    expect(relay.memory).toBe(0)
  })

  test('counts what follows a message in its chunk', async () => {
    const { relay, connect } = await start()
    const { socket, texts } = await connect()
    const stream = (socket as unknown as { _socket: Socket })._socket
    stream.cork()
    socket.send('[]')
    socket.send('[', { fin: false })
    stream.uncork()
    await expect.poll(() => texts.length).toBe(1)
    await expect.poll(() => relay.memory).toBe(512 + 8 + 7)
  })

  test('counts a request until its response is written', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const stored = Promise.withResolvers<void>()
    relay.subscribe = () => stored.promise
    const text = JSON.stringify({
      id: 1,
      jsonrpc: '2.0',
      method: 'irn_subscribe',
      params: { topic },
    })
    client.socket.send(text)
    await expect.poll(() => relay.memory).toBe(text.length)
    stored.resolve()
    await expect.poll(() => client.texts.length).toBe(1)
    expect(relay.memory).toBe(0)
  })

  test('counts frames that wait for a turn, and reading pauses if they exceed 64 KiB', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const turn = Promise.withResolvers<void>()
    relay.turn = turn.promise
    const acknowledgement = (bytes: number) =>
      '{"id":1,"jsonrpc":"2.0","result":true}'.padEnd(bytes)
    client.socket.send(acknowledgement(40 * kib))
    await expect.poll(() => relay.memory).toBe(41 * kib)
    const [accepted] = relay.accepted
    expect(accepted!.isPaused).toBe(false)
    client.socket.send(acknowledgement(22 * kib))
    await expect.poll(() => relay.memory).toBe(64 * kib)
    expect(accepted!.isPaused).toBe(false)
    client.socket.send(acknowledgement(10))
    await expect.poll(() => accepted!.isPaused).toBe(true)
    expect(relay.memory).toBe(65 * kib + 10 + 28)
    relay.turn = undefined
    turn.resolve()
    await expect.poll(() => relay.receipts).toEqual([1, 1, 1])
    await expect.poll(() => [relay.memory, accepted!.isPaused]).toEqual([0, false])
    // Only waiting frames count.
    relay.turn = new Promise(() => {})
    client.socket.send(acknowledgement(10))
    await expect.poll(() => relay.memory).toBe(kib + 10 + 28)
    expect(accepted!.isPaused).toBe(false)
  })

  test.each([
    ['a message', (client: RelayClient) => sendSubscribe(client)],
    [
      'a large unfinished message',
      ({ socket }: RelayClient) => socket.send('['.padEnd(70 * kib), { fin: false }),
    ],
    ['a small unfinished message', ({ socket }: RelayClient) => socket.send('[', { fin: false })],
  ])('attack: is enforced by terminating a socket that sends %s beyond it', async (_, send) => {
    const { relay, memory, connect } = await start()
    const client = await connect()
    memory.add(address, addressMemoryBytes + 1)
    send(client)
    await expect.poll(() => client.socket.readyState).toBe(client.socket.CLOSED)
    expect(await client.closed).toEqual({ code: 1006, reason: '' })
    expect(relay.counted).toEqual(['dropped memory'])
  })

  test('allows small pushes beyond it', async () => {
    const { relay, memory, connect } = await start()
    const client = await connect()
    const [socket] = relay.accepted
    memory.add(address, addressMemoryBytes)
    expect([hasRoom(socket!, 64 * kib), hasRoom(socket!, 64 * kib + 1)]).toEqual([true, false])
    client.socket.ping()
    await once(client.socket, 'pong')
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    memory.add(address, -64 * kib - 1)
    expect([hasRoom(socket!, 64 * kib + 1), hasRoom(socket!, 64 * kib + 2)]).toEqual([true, false])
  })
})

describe('backpressure', () => {
  /** Sets the number of bytes that a socket has not sent yet. */
  function setUnsent(socket: WebSocket, bytes: number) {
    Object.defineProperty(socket, 'bufferedAmount', { get: () => bytes, configurable: true })
  }
  const maxBytes = limits.relayBufferBytes

  test('a socket has room for a push while its buffer has at most 4 MiB', async () => {
    const { relay, connect } = await start()
    await connect()
    const socket = relay.accepted[0]!
    setUnsent(socket, maxBytes)
    expect(hasRoom(socket, 1)).toBe(true)
    setUnsent(socket, maxBytes + 1)
    expect(hasRoom(socket, 1)).toBe(false)
  })

  test('unread responses count in the memory budget until they are drained', async () => {
    const { relay, connect } = await start()
    await connect()
    const socket = relay.accepted[0]!
    setUnsent(socket, 64 * kib)
    socket.send('x')
    expect(relay.memory).toBe(0)
    setUnsent(socket, 64 * kib + 1)
    socket.send('x')
    expect(relay.memory).toBe(64 * kib + 1)
    setUnsent(socket, 100 * kib)
    socket.send('x')
    expect(relay.memory).toBe(100 * kib)
    setUnsent(socket, 0)
    socket.stream.emit('drain')
    expect(relay.memory).toBe(0)
  })

  test('reading from a client that does not drain its responses pauses', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const socket = relay.accepted[0]!
    setUnsent(socket, maxBytes)
    await subscribe(client)
    expect(socket.isPaused).toBe(false)
    const listeners = () => ['drain', 'close'].map((event) => socket.stream.listenerCount(event))
    const before = listeners()
    setUnsent(socket, maxBytes + 1)
    await subscribe(client)
    expect(socket.isPaused).toBe(true)
    socket.stream.emit('drain')
    await expect.poll(() => socket.isPaused).toBe(false)
    expect(listeners()).toEqual(before)
  })

  test('reading pauses if a client sends more requests during a fetch', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    relay.read = () => {
      reading.resolve()
      return read.promise
    }
    const fetched = client.call('irn_fetchMessages', { topic })
    await reading.promise
    const [socket] = relay.accepted
    expect(socket!.isPaused).toBe(false)
    await subscribe(client)
    expect(socket!.isPaused).toBe(true)
    read.resolve()
    await fetched
    await expect.poll(() => socket!.isPaused).toBe(false)
  })

  test('reads for a client wait until it drains its responses or closes', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const socket = relay.accepted[0]!
    setUnsent(socket, maxBytes)
    await socket.whenDrained()
    setUnsent(socket, maxBytes + 1)
    let ended = 0
    const wait = () => void socket.whenDrained().then(() => (ended += 1))
    wait()
    await new Promise(setImmediate)
    expect(ended).toBe(0)
    socket.stream.emit('drain')
    await expect.poll(() => ended).toBe(1)
    wait()
    await client.drop()
    await expect.poll(() => ended).toBe(2)
    await socket.whenDrained()
  })

  test('reading from a client with a rate-limit debt of 3 s or more pauses for 1.5 s less than the debt', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const socket = relay.accepted[0]!
    relay.delaysMs = [2_999]
    sendSubscribe(client)
    await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([2_999])
    expect(socket.isPaused).toBe(false)
    relay.delaysMs = [3_000]
    sendSubscribe(client)
    await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([2_999, 1_500, 3_000])
    expect(socket.isPaused).toBe(true)
    waits[1]!.end()
    await expect.poll(() => socket.isPaused).toBe(false)
    for (const { end } of waits) end()
    await expect.poll(() => client.texts.length).toBe(2)
  })

  test('reading resumes only after every reason to pause has ended', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const socket = relay.accepted[0]!
    relay.delaysMs = [5_000, 6_000]
    client.socket.send('[]')
    sendSubscribe(client)
    sendSubscribe(client)
    await expect.poll(() => waits.length).toBe(4)
    const [long, longer] = waits.filter(({ ms }) => ms === 3_500 || ms === 4_500)
    long!.end()
    await new Promise(setImmediate)
    expect(socket.isPaused).toBe(true)
    longer!.end()
    await expect.poll(() => socket.isPaused).toBe(false)
  })
})

describe('error: an invalid frame closes only its socket:', () => {
  test.each<[string, (socket: WebSocket) => void, code: number]>([
    ['a message of more than 4 MiB', (socket) => socket.send('x'.repeat(4 * kib * kib + 1)), 1009],
    [
      'text that is not UTF-8',
      (socket) => socket.send(Buffer.from([255]), { binary: false }),
      1007,
    ],
  ])('%s', async (_, send, code) => {
    const { connect } = await start()
    const [bad, good] = [await connect(), await connect()]
    send(bad.socket)
    expect(await bad.closed).toMatchObject({ code })
    await subscribe(good)
  })
})

describe('the frames of a message', () => {
  function sendFragments({ socket }: RelayClient, count: number) {
    for (let index = 1; index < count; index += 1) socket.send(' ', { fin: false })
    socket.send('[]')
  }

  test('may be as many as browsers send', async () => {
    const { connect } = await start()
    const client = await connect()
    sendFragments(client, 256)
    await expect.poll(() => client.texts.length).toBe(1)
  })

  test('attack: are limited in number', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    sendFragments(client, 257)
    await expect.poll(() => client.socket.readyState).toBe(client.socket.CLOSED)
    expect((await client.closed).code).toBe(1008)
    await expect.poll(() => [relay.detached, relay.memory]).toEqual([1, 0])
  })

  test('attack: may arrive in a limited number of chunks', async () => {
    const { relay, connect } = await start()
    const client = await connect()
    const { stream } = relay.accepted[0]!
    // The header of a frame of 10,000 bytes.
    const header = Buffer.from([0x81, 0xfe, 10_000 >> 8, 10_000 & 0xff, 0, 0, 0, 0])
    const read = (chunk: Buffer) => stream.emit('data', chunk)
    read(header)
    for (let count = 0; count < 8_192; count += 1) read(Buffer.from(' '))
    expect(relay.memory).toBe(8_192 * (512 + 1))
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    read(Buffer.from(' '))
    await expect.poll(() => client.socket.readyState).toBe(client.socket.CLOSED)
    expect((await client.closed).code).toBe(1008)
  })
})

describe('a planned stop', () => {
  test('closes the sockets in waves of about 50, and ends early if all clients answer', async () => {
    const { sockets, connect } = await start()
    const clients = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        connect({ headers: { 'x-forwarded-for': `192.0.2.${index}` } }),
      ),
    )
    const open = () => clients.filter(({ socket }) => socket.readyState === socket.OPEN).length
    const began = performance.now()
    const stopped = sockets.close(2_000)
    // The first wave is closed at once.
    await expect.poll(open, { interval: 10 }).toBeLessThan(60)
    expect(performance.now() - began).toBeLessThan(700)
    await expect.poll(open, { interval: 10 }).toBe(30)
    expect(performance.now() - began).toBeLessThan(700)
    await stopped
    const took = performance.now() - began
    expect(took).toBeGreaterThan(780)
    expect(took).toBeLessThan(1_900)
    const ends = await Promise.all(clients.map(({ closed }) => closed))
    expect(new Set(ends.map(({ code, reason }) => `${code} ${reason}`))).toEqual(
      new Set(['1012 restart']),
    )
    expect(sockets.count).toBe(0)
  })

  test('waits for a client that answers within the grace period', async () => {
    const { relay, sockets, connect } = await start()
    const client = await connect()
    const [accepted] = relay.accepted
    const closed = once(accepted!, 'close')
    client.socket.pause()
    const began = performance.now()
    let isStopped = false
    const stopped = sockets.close(10_000).then(() => (isStopped = true))
    // The time after which the relay terminates sockets without a grace period.
    await expect.poll(() => performance.now() - began).toBeGreaterThan(480)
    expect([accepted!.readyState, isStopped]).toEqual([accepted!.CLOSING, false])
    client.socket.resume()
    await stopped
    // The client's answer; 1006 if the relay had terminated the socket.
    expect((await closed)[0]).toBe(1012)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('terminates a client that does not answer within the grace period', async () => {
    const { sockets, connect } = await start()
    const client = await connect()
    client.socket.pause()
    const began = performance.now()
    await sockets.close(0)
    expect(performance.now() - began).toBeGreaterThan(240)
    expect(performance.now() - began).toBeLessThan(3_000)
    await expect.poll(() => sockets.count).toBe(0)
  })
})
