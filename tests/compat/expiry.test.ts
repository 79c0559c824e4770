import { afterEach, beforeEach, describe, test, vi } from 'vitest'
import {
  fewPairings,
  next,
  propose,
  settle,
  signing,
  type Client,
  type Version,
} from './clients.ts'
import { useRelay, type OnFinished } from './relay.ts'

const relay = useRelay()

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

type Timer = { at: number; run: () => void }

/**
 * A clock for our client. Timers run in real time; `tick` also runs the timers that are due by the
 * mocked date.
 */
function createClock() {
  const timers = new Set<Timer>()
  const fire = (timer: Timer) => timers.delete(timer) && timer.run()
  return {
    now: () => Date.now(),
    later(run: () => void, delayMs: number) {
      const timer = { at: Date.now() + delayMs, run }
      timers.add(timer)
      const real = setTimeout(() => fire(timer), delayMs)
      return () => {
        timers.delete(timer)
        clearTimeout(real)
      }
    },
    tick() {
      for (const timer of timers) if (timer.at <= Date.now()) fire(timer)
    },
  }
}

async function openBoth(versions: { app: Version; wallet: Version }, onFinished: OnFinished) {
  const clock = createClock()
  const both = await relay.openBoth(versions, onFinished, { ours: { clock } })
  const clients: Client[] = Object.values(both)
  return {
    ...both,
    /** Advances the date. Official clients check the time at each heartbeat. */
    pass: (seconds: number) => {
      vi.setSystemTime(Date.now() + seconds * 1_000)
      clock.tick()
      for (const { official } of clients) official?.core.heartbeat.events.emit('heartbeat_pulse')
    },
  }
}

describe.each(fewPairings)('app $app, wallet $wallet', (versions) => {
  test('a proposal expires after five minutes, on both sides', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, pass } = await openBoth(versions, onTestFinished)
    const { proposal, approval } = await propose(app, wallet)
    const failed = expect(approval()).rejects.toThrow(/expired/i)
    const over = next(wallet, 'proposal_expire')
    pass(301)
    expect(await over).toEqual({ id: proposal.id })
    await failed
    await expect.poll(() => [app.proposals(), wallet.proposals()]).toEqual([[], []])
  })

  test('a request without a response expires at the wallet', async ({ expect, onTestFinished }) => {
    const { app, wallet, pass } = await openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    const received = next(wallet, 'session_request')
    app.request({ topic, chainId: 'eip155:1', request: signing, expiry: 400 }).catch(() => {})
    const { id } = await received
    const over = next(wallet, 'session_request_expire')
    pass(401)
    expect(await over).toEqual({ id })
    await expect.poll(() => wallet.pendingRequests()).toEqual([])
  })

  test('a session expires a week after its last extension', async ({ expect, onTestFinished }) => {
    const { app, wallet, pass } = await openBoth(versions, onTestFinished)
    const { topic } = await settle(app, wallet)
    pass(5 * 86_400)
    await (await wallet.extend({ topic })).acknowledged()
    pass(5 * 86_400)
    expect([app.sessions().length, wallet.sessions().length]).toEqual([1, 1])
    const over = [next(app, 'session_expire'), next(wallet, 'session_expire')]
    pass(3 * 86_400)
    expect(await Promise.all(over)).toEqual([{ topic }, { topic }])
    await expect.poll(() => [app.sessions(), wallet.sessions()]).toEqual([[], []])
  })
})
