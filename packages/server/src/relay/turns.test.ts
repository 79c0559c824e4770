import { expect, test } from 'vitest'
import { openRelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { start } = useRelays()

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** A frame that takes long to parse for its size, and is refused. */
const expensive = `[${Array(30_000).fill('[]').join()}]`
const frames = 20

test('attack: expensive frames on many sockets of one address do not delay another address', async () => {
  const relay = await start({ trustedProxies: 1 })
  const other = await relay.connect(from('192.0.2.2'))
  let answered = 0
  const attackers = await Promise.all(
    Array.from({ length: 20 }, () => openRelayClient(relay.url, from('192.0.2.1'))),
  )
  for (const { socket } of attackers) {
    socket.on('message', () => (answered += 1))
    for (let frame = 0; frame < frames; frame += 1) socket.send(expensive)
  }
  await other.call('irn_subscribe', { topic: randomTopic() })
  expect(answered).toBeLessThan((attackers.length * frames) / 2)
  await expect.poll(() => answered).toBe(attackers.length * frames)
  for (const { socket } of attackers) socket.terminate()
})
