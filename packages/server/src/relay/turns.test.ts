import { expect, test, vi } from 'vitest'
import type { Turns } from '../http/createTurns.ts'
import { openRelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

/** For each address, the bytes of each turn that it has waited for. */
const turnsOf = vi.hoisted(() => new Map<string, number[]>())
vi.mock('../http/createTurns.ts', async (original) => {
  const module = await original<{ createTurns: () => Turns }>()
  return {
    createTurns() {
      const turns = module.createTurns()
      const next: Turns['next'] = (address, bytes) => {
        turnsOf.set(address, [...(turnsOf.get(address) ?? []), bytes])
        return turns.next(address, bytes)
      }
      return { ...turns, next }
    },
  }
})

const { start } = useRelays()

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** A frame that the relay refuses, and that is slow to parse for its size. */
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

test('attack: a large message is read in many turns, even if it is never completed', async () => {
  const relay = await start({ trustedProxies: 1 })
  const { socket } = await openRelayClient(relay.url, from('192.0.2.3'))
  const mib = 1024 * 1024
  socket.send(Buffer.alloc(3 * mib, 'x'), { fin: false })
  const bytesRead = () => (turnsOf.get('192.0.2.3') ?? []).reduce((sum, bytes) => sum + bytes, 0)
  await expect.poll(bytesRead).toBeGreaterThan(2.8 * mib)
  expect(Math.max(...turnsOf.get('192.0.2.3')!)).toBeLessThanOrEqual(64 * 1024)
  socket.terminate()
})
