import { once } from 'node:events'
import type { Socket } from 'node:net'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { limits } from '@gatefold/protocol'
import { addressMemoryBytes } from '../../http/createMemoryBudgets.ts'
import type { RelayClient } from '../../testing/openRelayClient.ts'
import {
  address,
  sendSubscribe,
  subscribe,
  topic,
  useSocketServers,
} from '../../testing/useSocketServers.ts'
import { hasRoom } from './createSocketServer.ts'

const waits = vi.hoisted(() => [] as { ms: number; end: () => void }[])
// A test ends the waits for a rate limit.
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: (ms: number) =>
    new Promise<void>((end) => {
      waits.push({ ms, end })
    }),
}))
beforeEach(() => {
  waits.length = 0
})

const kib = 1024
const { start } = useSocketServers()

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
