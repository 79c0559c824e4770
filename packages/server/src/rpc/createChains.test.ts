import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { startUpstream } from '../testing/startUpstream.ts'
import { createChains } from './createChains.ts'
import { createRpcMetrics } from './createRpcMetrics.ts'

const running: { stop(): Promise<void> }[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(running.splice(0).map((upstream) => upstream.stop()))
})

/** Starts two upstreams of Ethereum, and one of another chain that is configured as Optimism. */
async function start() {
  const upstreams = await Promise.all(
    [1, 1, 5].map((chainId) => startUpstream({ chainId, head: 1_000 })),
  )
  running.push(...upstreams)
  const [one, two, wrong] = upstreams.map(({ url }) => url) as [string, string, string]
  const chains = createChains({
    rpcUrls: { 'eip155:1': [one, two], 'eip155:10': [wrong] },
    now: Date.now,
    log: createLog('silent'),
    metrics: createRpcMetrics(new Registry()),
    timing: undefined,
  })
  /** How often the first upstream was checked. */
  const checks = () => upstreams[0]!.headProbes
  return { chains, upstreams, checks }
}

test('each configured chain has its upstreams, of which only those of the right chain are up', async () => {
  const { chains } = await start()
  expect([...chains.byId.keys()]).toEqual(['eip155:1', 'eip155:10'])
  const stop = chains.keepProbing()
  await expect
    .poll(chains.status)
    .toEqual({ 'eip155:1': { up: 2, total: 2 }, 'eip155:10': { up: 0, total: 1 } })
  stop()
})

test('the upstreams are checked at once and every minute, until the last caller stops', async () => {
  const { chains, checks } = await start()
  const stopFirst = chains.keepProbing()
  const stopSecond = chains.keepProbing()
  await expect.poll(checks).toBe(1)
  vi.advanceTimersByTime(59_999)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1)
  await expect.poll(checks).toBe(2)
  stopFirst()
  stopFirst()
  vi.advanceTimersByTime(60_000)
  await expect.poll(checks).toBe(3)
  stopSecond()
  expect(vi.getTimerCount()).toBe(0)
  stopSecond()

  const stopThird = chains.keepProbing()
  await expect.poll(checks).toBe(4)
  expect(vi.getTimerCount()).toBe(1)
  stopThird()
  expect(vi.getTimerCount()).toBe(0)
})
