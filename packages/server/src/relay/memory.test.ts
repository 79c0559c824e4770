import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { addressMemoryBytes } from '../http/createMemoryBudgets.ts'
import type { RelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { start } = useRelays()

const mib = 1024 * 1024
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** Starts a relay whose clients can choose their address. The client `other` has a different address than the attacker. */
async function startAttacked() {
  const relay = await start(
    { trustedProxies: 1, relayAddressMib: 1_000 },
    // No pings: the answers to them would complete the unfinished messages.
    { relayTiming: { pingMs: 600_000, tickMs: 1_000 } },
  )
  const other = await relay.connect(from('192.0.2.2'))
  return { relay, other }
}

async function expectServed(other: RelayClient) {
  expect(await other.publish(randomTopic(), 'x'.repeat(mib - 100))).toBe(true)
}

/** Sends a 4 MiB frame without its last byte. */
function sendUnfinished({ socket }: RelayClient) {
  const stream = (socket as unknown as { _socket: Socket })._socket
  stream.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0]))
  stream.write(Buffer.alloc(4 * mib - 1, 'x'))
}

describe('the memory budget of an address', () => {
  test('attack: closes sockets whose unfinished messages exceed the budget', async () => {
    const { relay, other } = await startAttacked()
    const idle = await relay.connect(from('192.0.2.1'))
    const count = addressMemoryBytes / (4 * mib) + 4
    let ended = 0
    for (let index = 0; index < count; index += 1) {
      const client = await relay.connect(from('192.0.2.1'))
      void client.closed.then(() => (ended += 1))
      sendUnfinished(client)
    }
    const dropped = async () =>
      (await relay.metric('gatefold_relay_dropped_total{reason="memory"}')) ?? 0
    await expect.poll(dropped).toBeGreaterThanOrEqual(4)
    await expect.poll(() => ended).toBeGreaterThanOrEqual(4)
    // All sockets with an unfinished message may end: the memory of a closed one is released late.
    expect(await idle.publish(randomTopic(), 'x')).toBe(true)
    await expectServed(other)
  })
})
