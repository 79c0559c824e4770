import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import {
  createRelayIdentity,
  type RelayClient,
  type RelayClientOptions,
} from '../../testing/openRelayClient.ts'
import { address, subscribe, topic, useSocketServers } from '../../testing/useSocketServers.ts'
import { RelayStorageError } from '../errors.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'

const kib = 1024
const { start } = useSocketServers()

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

test.each([
  [400, `/?${'a=1&'.repeat(101)}`, 'the URL has more than 100 parameters'],
  [400, '/?ua=%ff&', 'the URL contains an invalid percent-encoding'],
  [414, `/?ua=${'x'.repeat(20_000)}&`, 'the URL is longer than 20000 characters'],
])(
  'attack: a URL that takes long to read is refused with the status %i',
  async (status, path, what) => {
    const { relay, respond } = await start()
    expect(await respond({ path })).toEqual({ status, what })
    expect(relay.attached).toEqual([])
  },
)

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

  test('attack: is remembered in a few bytes, however long its origin is', async () => {
    const { respond } = await start()
    const before = usedHeap()
    for (let count = 0; count < 300; count += 1) {
      const headers = { origin: `https://${count}.example/`.padEnd(100_000, 'x') }
      expect((await respond({ headers })).status).toBe(403)
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
