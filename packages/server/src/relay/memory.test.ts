import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { addressMemoryBytes } from '../http/createMemoryBudgets.ts'
import { createRelayIdentity, type RelayClient } from '../testing/openRelayClient.ts'
import { randomTopic, type TestRelay } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { addCleanup, start } = useRelays()

const mib = 1024 * 1024
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** Starts a relay whose clients choose their address, and a client of another address. */
async function startAttacked() {
  const relay = await start({ trustedProxies: 1, relayAddressMib: 1_000 })
  const other = await relay.connect(from('192.0.2.2'))
  return { relay, other }
}

async function expectServed(other: RelayClient) {
  expect(await other.publish(randomTopic(), 'x'.repeat(mib - 100))).toBe(true)
}

/** Sends all bytes of a frame of 4 MiB except the last. */
function sendUnfinished({ socket }: RelayClient) {
  const stream = (socket as unknown as { _socket: Socket })._socket
  stream.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0]))
  stream.write(Buffer.alloc(4 * mib - 1, 'x'))
}

describe('the memory of one address', () => {
  test('attack: ends sockets with unfinished messages above the budget', async () => {
    const { relay, other } = await startAttacked()
    const count = addressMemoryBytes / (4 * mib) + 4
    let ended = 0
    for (let index = 0; index < count; index += 1) {
      const client = await relay.connect(from('192.0.2.1'))
      void client.closed.then(() => (ended += 1))
      sendUnfinished(client)
    }
    await expect.poll(() => ended).toBeGreaterThanOrEqual(4)
    expect(ended).toBeLessThan(count)
    await expectServed(other)
  })

  test('attack: refuses bodies above the budget', async () => {
    const { relay, other } = await startAttacked()
    const replies: string[] = []
    const count = addressMemoryBytes / (4 * mib) + 4
    for (let index = 0; index < count; index += 1) {
      const socket = connect(relay.port, '127.0.0.1')
      addCleanup(async () => socket.destroy())
      await once(socket, 'connect')
      socket.on('error', () => {}).on('data', (data) => replies.push(String(data)))
      socket.write(
        `POST /rpc HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Length: ${4 * mib}\r\n\r\n{`,
      )
    }
    // The other requests have no valid token, which is found before their body is read.
    await expect
      .poll(() => replies.filter((reply) => reply.startsWith('HTTP/1.1 429')).length)
      .toBeGreaterThan(0)
    await expectServed(other)
  })

  test('attack: pushes to clients that do not read stay in their mailboxes above the budget', async () => {
    const { relay, other } = await startAttacked()
    const readers: RelayClient[] = []
    for (let index = 0; index < 20; index += 1) readers.push(await subscribeWithoutReading(relay))
    async function subscribeWithoutReading({ connect }: TestRelay) {
      const reader = await connect({ ...from('192.0.2.1'), identity: createRelayIdentity() })
      await reader.call('irn_batchSubscribe', { topics })
      reader.socket.pause()
      return reader
    }
    for (const [index, topic] of topics.entries())
      await other.publish(topic, `${index}`.padEnd(mib - 100, 'x'))
    const dropped = () => relay.metric('gatefold_relay_dropped_total{reason="slow_reader"}')
    await expect.poll(dropped).toBeGreaterThan(0)
    await expectServed(other)
    for (const reader of readers) reader.socket.resume()
    await expect
      .poll(() => readers.map(({ pushes }) => new Set(pushes.map(({ id }) => id)).size))
      .toEqual(readers.map(() => topics.length))
  })
})

const topics = Array.from({ length: 4 }, randomTopic)
