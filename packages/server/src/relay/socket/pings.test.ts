import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { RelayClient } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import { useRelays } from '../../testing/useRelays.ts'
import { subscribe, useSocketServers } from '../../testing/useSocketServers.ts'

const { start } = useRelays()
const { start: startServer, addCleanup } = useSocketServers()
const kib = 1024

/** Sends pings in one write. */
function sendPings({ socket }: RelayClient, payloads: string[]) {
  const stream = (socket as unknown as { _socket: Socket })._socket
  stream.cork()
  for (const payload of payloads) socket.ping(payload)
  stream.uncork()
}

/** Payloads of the pongs that the client receives. */
function recordPongs({ socket }: RelayClient) {
  const pongs: string[] = []
  socket.on('pong', (data: Buffer) => pongs.push(data.toString()))
  return pongs
}

describe('pings of a client', () => {
  test('are answered with their payload', async () => {
    const relay = await start()
    const client = await relay.connect()
    for (const payload of ['', 'x'.repeat(125)]) {
      client.socket.ping(payload)
      expect(`${(await once(client.socket, 'pong'))[0]}`).toBe(payload)
    }
  })

  test('attack: of those that arrive at once, only the first and the last one are answered', async () => {
    const relay = await start()
    const client = await relay.connect()
    const pongs = recordPongs(client)
    sendPings(
      client,
      Array.from({ length: 50 }, (_, index) => `${index}`),
    )
    // The relay answers in order.
    expect(await client.publish(randomTopic(), 'x')).toBe(true)
    await expect.poll(() => pongs).toContain('49')
    expect(pongs).toEqual(['0', '49'])
  })

  test('attack: do not keep its socket open if it does not answer those of the relay', async () => {
    const relay = await start({}, { relayTiming: { pingMs: 200, tickMs: 50 } })
    const [silent, other] = [await relay.connect(), await relay.connect()]
    silent.socket.pause()
    const connections = () => {
      silent.socket.ping()
      return relay.metric('gatefold_relay_connections')
    }
    await expect.poll(connections).toBe(1)
    expect(await other.publish(randomTopic(), 'x')).toBe(true)
  })
})

describe.each(['ping', 'pong'] as const)('control frames (%s)', (frame) => {
  test('attack: end the socket after 100 of them between two pings of the relay', async () => {
    const relay = await start()
    const [client, other] = [await relay.connect(), await relay.connect()]
    for (let count = 0; count < 100; count += 1) client.socket[frame]()
    expect(await client.publish(randomTopic(), 'x')).toBe(true)
    client.socket[frame]()
    await expect.poll(() => client.socket.readyState).toBe(client.socket.CLOSED)
    expect(await relay.metric('gatefold_relay_dropped_total{reason="control_frames"}')).toBe(1)
    expect(await other.publish(randomTopic(), 'x')).toBe(true)
  })

  test('are counted from the last ping of the relay', async () => {
    const relay = await start({}, { relayTiming: { pingMs: 200, tickMs: 50 } })
    const client = await relay.connect()
    for (let pings = 0; pings < 4; pings += 1) {
      for (let count = 0; count < 40; count += 1) client.socket[frame]()
      await once(client.socket, 'ping')
    }
    expect(await client.publish(randomTopic(), 'x')).toBe(true)
  })
})

describe('pings of the relay', () => {
  test('are sent at intervals; a client that answers stays connected', async () => {
    const { connect } = await startServer({ pingMs: 250 })
    const { socket } = await connect()
    const began = performance.now()
    for (let count = 0; count < 4; count += 1) await once(socket, 'ping')
    expect(performance.now() - began).toBeGreaterThan(600)
    expect(socket.readyState).toBe(socket.OPEN)
  })

  test('a client that does not answer them is disconnected, unless it sends messages', async () => {
    const { relay, connect } = await startServer({ pingMs: 250 })
    const [silent, active] = [await connect(), await connect()]
    for (const { socket } of [silent, active]) {
      // `ws` answers pings unless this is off.
      Object.assign(socket, { _autoPong: false })
    }
    const sending = setInterval(() => active.socket.send('[]'), 50)
    addCleanup(() => clearInterval(sending))
    expect(await silent.closed).toMatchObject({ code: 1006 })
    await once(active.socket, 'ping')
    expect(active.socket.readyState).toBe(active.socket.OPEN)
    expect(relay.detached).toBe(1)
  })

  test('attack: a client is disconnected if two pings find the same message unfinished', async () => {
    const { relay, connect } = await startServer({ pingMs: 250 })
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
  const { relay, connect } = await startServer()
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
