import { expect, test, vi } from 'vitest'
import type { Turns } from '../http/createTurns.ts'
import type { dispatch } from './requests/dispatch.ts'
import { openRelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

type Dispatching = { dispatch: typeof dispatch }

/** For each address, the bytes of each turn that it has waited for. */
const turnsOf = vi.hoisted(() => new Map<string, number[]>())
/** The time that turns are measured with, in ms. Handling a frame takes 2 ms. */
const clock = vi.hoisted(() => ({ ms: 0 }))
vi.mock('../http/createTurns.ts', async (original) => {
  const module = await original<{ createTurns: (options: { now: () => number }) => Turns }>()
  return {
    createTurns() {
      const turns = module.createTurns({ now: () => clock.ms })
      const next: Turns['next'] = (address, bytes) => {
        turnsOf.set(address, [...(turnsOf.get(address) ?? []), bytes])
        return turns.next(address, bytes)
      }
      return { ...turns, next }
    },
  }
})

/** The addresses of the frames, in the order in which they were handled. */
const handled = vi.hoisted(() => [] as string[])
vi.mock('./requests/dispatch.ts', async (original) => {
  const module = await original<Dispatching>()
  const dispatch: Dispatching['dispatch'] = (relay, sender, text) => {
    handled.push(sender.address)
    clock.ms += 2
    return module.dispatch(relay, sender, text)
  }
  return { ...module, dispatch }
})

const { start } = useRelays()

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('attack: expensive frames on many sockets of one address do not delay another address', async () => {
  const relay = await start({ trustedProxies: 1 })
  const other = await relay.connect(from('192.0.2.2'))
  const attackers = await Promise.all(
    Array.from({ length: 20 }, () => openRelayClient(relay.url, from('192.0.2.1'))),
  )
  handled.length = 0
  for (const { socket } of attackers) for (let frame = 0; frame < 20; frame += 1) socket.send('[]')
  await other.call('irn_subscribe', { topic: randomTopic() })
  // Those of one phase of the event loop, which an address can use alone.
  expect(handled.indexOf('192.0.2.2')).toBeLessThan(100)
  await expect.poll(() => handled).toHaveLength(401)
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
