import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { RelayClient } from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import { useRelays } from '../../testing/useRelays.ts'

const { start } = useRelays()

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
