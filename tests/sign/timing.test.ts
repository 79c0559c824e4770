import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import {
  createRelayClock,
  granted,
  next,
  propose,
  requestOf,
  settle,
  signing,
  useClients,
} from './clients.ts'
import { requestSignIn, sign, signIn } from './signIn.ts'

const relay = useClients()

describe('delays', () => {
  test('§9.10.1/1 a ping resolves 500 ms after its response', async () => {
    const clock = createManualClock()
    const paused: number[] = []
    const later: typeof clock.later = (run, delayMs) => {
      paused.push(delayMs)
      return clock.later(run, delayMs)
    }
    const app = relay.create('app', { clock: { ...clock, later } })
    const { topic } = await settle(app, relay.create('wallet'))
    let isAnswered = false
    const pinged = app.ping({ topic }).then(() => (isAnswered = true))
    await expect.poll(() => paused).toContain(500)
    clock.advance(499)
    await app.clientId()
    expect(isAnswered).toBe(false)
    clock.advance(1)
    await pinged
  })

  test('§9.10.1/3 a pending proposal is emitted again 1 s after a restart', async () => {
    const storage = createMemoryStore()
    const before = relay.create('wallet', { storage })
    const { id } = await propose(relay.create('app'), before)
    await before.close()

    const clock = createManualClock()
    const wallet = relay.create('wallet', { storage, clock })
    const shown: number[] = []
    wallet.on('session_proposal', ({ id }) => shown.push(id))
    await wallet.ready()
    clock.advance(999)
    // This invalid call only loads the lazy chunk that emits proposals.
    await expect(wallet.pair({ uri: 'wc:' })).rejects.toThrow('Missing or invalid.')
    expect(shown).toEqual([])
    clock.advance(1)
    await expect.poll(() => shown).toEqual([id])
  })

  test('§9.10.1 a message is handled on arrival, not at the next heartbeat', async () => {
    const clock = createManualClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet')
    const { topic } = await settle(app, wallet)
    const received = next((listener) => app.on('session_event', listener))
    const event = { name: 'chainChanged', data: 1 }
    await wallet.emit({ topic, chainId: 'eip155:1', event })
    expect(await received).toMatchObject({ params: { event } })
  })
})

describe('an expired record is deleted and an event is emitted:', () => {
  test('§4.18.6/2 §4.18.6/5 a proposal after five minutes, on both sides', async () => {
    const clock = createRelayClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet', { clock })
    const { id, expiresAt, approval } = await propose(app, wallet)
    expect(expiresAt - clock.now()).toBe(240_000)
    const expired = Promise.all([
      next((listener) => app.on('proposal_expire', listener)),
      next((listener) => wallet.on('proposal_expire', listener)),
    ])
    await expect.poll(() => clock.isIdle()).toBe(true)
    clock.advance(301_000)
    expect(await expired).toEqual([{ id }, { id }])
    await expect(approval()).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: 'Proposal expired',
    })
    await expect.poll(() => [app.pairings(), wallet.pairings()]).toEqual([[], []])
    await expect(wallet.approve({ id, namespaces: granted })).rejects.toThrow(
      `Record was recently deleted - proposal: ${id}`,
    )
  })

  test('§4.18.6/3 §4.18.6/5 a request after the requested expiry', async () => {
    const clock = createRelayClock()
    const app = relay.create('app', { clock })
    const wallet = relay.create('wallet', { clock })
    const { topic } = await settle(app, wallet)
    const request = requestOf(wallet)
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing, expiry: 300 })
    const { id } = await request
    const expired = next((listener) => wallet.on('session_request_expire', listener))
    await expect.poll(() => clock.isIdle()).toBe(true)
    clock.advance(301_000)
    expect(await expired).toEqual({ id })
    await expect(answer).rejects.toThrow('Request expired. Please try again.')
    expect([app.pendingOutgoing(), wallet.pendingRequests()]).toEqual([[], []])
  })

  test('§4.18.6/4 §4.18.6/5 a sign-in request after an hour, even if the app asked for less', async () => {
    const clock = createManualClock()
    const app = relay.create('app')
    const wallet = relay.create('wallet', { clock })
    const { event } = await requestSignIn(app, wallet, { ...signIn, expiry: 60 })
    const { id } = event
    const expired: number[] = []
    wallet.on('session_request_expire', (request) => expired.push(request.id))
    clock.advance(3_590_000)
    await wallet.clientId()
    expect([expired, wallet.pendingAuthRequests()]).toEqual([[], [event.params]])
    clock.advance(11_000)
    await expect.poll(() => expired).toEqual([id])
    expect(wallet.pendingAuthRequests()).toEqual([])
    const auths = [await sign(event)]
    await expect(wallet.approveSessionAuthenticate({ id, auths })).rejects.toThrow(
      'Could not find pending auth request with id',
    )
  })

  test('§4.18.6/1 §4.18.6/5 a session after a week', async () => {
    const storage = createMemoryStore()
    const before = relay.create('app', { storage })
    const { topic } = await settle(before, relay.create('wallet'))
    await before.close()
    const clock = createManualClock(Date.now() + 604_790_000)
    const app = relay.create('app', { storage, clock })
    await app.ready()
    expect(app.sessions()).toHaveLength(1)
    const over = next((listener) => app.on('session_expire', listener))
    clock.advance(11_000)
    expect(await over).toEqual({ topic })
    await expect(app.request({ topic, chainId: 'eip155:1', request: signing })).rejects.toThrow(
      `Record was recently deleted - session: ${topic}`,
    )
  })
})

describe('a session past its expiry, before its timer runs', () => {
  const weekMs = 604_800_000

  /** A client whose clock can jump without running timers, as when the machine sleeps. */
  function createSleeper(name: string) {
    let sleptMs = 0
    const clock = createManualClock()
    const client = relay.create(name, {
      clock: { ...clock, now: () => clock.now() + sleptMs },
    })
    return { client, sleep: (ms: number) => void (sleptMs += ms) }
  }

  test.each(['app', 'wallet'] as const)(
    '§4.18.6 §5.12.5 cannot be used by the %s',
    async (side) => {
      const { client: app, sleep: sleepApp } = createSleeper('app')
      const { client: wallet, sleep: sleepWallet } = createSleeper('wallet')
      const { topic } = await settle(app, wallet)
      const client = side === 'app' ? app : wallet
      const ended = next((listener) => client.on('session_expire', listener))
      ;(side === 'app' ? sleepApp : sleepWallet)(weekMs + 1_000)
      await expect(client.extend({ topic })).rejects.toMatchObject({
        name: 'ExpiredError',
        shortMessage: `Expired. session topic: ${topic}`,
      })
      expect(await ended).toEqual({ topic })
      expect(client.sessions()).toEqual([])
    },
  )

  test('is refused by the wallet when the app sends a request', async () => {
    const app = relay.create('app')
    const { client: wallet, sleep } = createSleeper('wallet')
    const { topic } = await settle(app, wallet)
    const shown: unknown[] = []
    wallet.on('session_request', (request) => shown.push(request))
    sleep(weekMs + 1_000)
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    await expect(answer).rejects.toMatchObject({ name: 'PeerError', shortMessage: 'No session.' })
    expect(shown).toEqual([])
  })
})

test('a pairing that is reused just before it expires lasts as long as the new proposal', async () => {
  const clock = createManualClock()
  const app = relay.create('app', { clock })
  const wallet = relay.create('wallet', { clock })
  const { session } = await settle(app, wallet)
  clock.advance(270_000)
  // The jump makes the sockets count as silent. The clock must go on, so that the clients reconnect.
  const passing = setInterval(() => clock.advance(50), 5)
  onTestFinished(() => clearInterval(passing))
  const { pairingTopic } = session
  const { id, approval } = await propose(app, wallet, { pairingTopic })
  // In two parts, because a jump of 60 s would end a request whose response is under way.
  clock.advance(30_000)
  const end = clock.now() + 30_000
  await expect.poll(() => clock.now()).toBeGreaterThan(end)
  await wallet.approve({ id, namespaces: granted })
  expect(await approval()).toMatchObject({ pairingTopic })
})
