import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createManualClock } from '../testing/createManualClock.ts'
import { openRelayer, options, startRelay, topic } from '../testing/relayers.ts'
import { watchResume } from './watchResume.ts'

test('§9.10.3/1 a heartbeat runs every 5 s; a late heartbeat means that the machine was suspended', () => {
  const clock = createManualClock()
  const calls: string[] = []
  let suspendedMs = 0
  const stop = watchResume({
    // While a machine is suspended, time advances but no timers run.
    clock: { ...clock, now: () => clock.now() + suspendedMs },
    onResume: () => calls.push('resume'),
    onTick: () => calls.push('tick'),
  })
  clock.advance(4_999)
  expect(calls).toEqual([])
  clock.advance(1)
  clock.advance(5_000)
  expect(calls).toEqual(['tick', 'tick'])
  suspendedMs = 60_000
  clock.advance(5_000)
  expect(calls.slice(2)).toEqual(['resume', 'tick'])
  stop()
  expect(clock.pending()).toBe(0)
})

describe('in a page', () => {
  let page: { window: EventTarget; document: EventTarget & { visibilityState: string } }
  beforeEach(() => {
    page = {
      window: new EventTarget(),
      document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    }
    vi.stubGlobal('window', page.window)
    vi.stubGlobal('document', page.document)
    vi.stubGlobal('location', { hostname: 'app.test' })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })
  const dispatch = (target: EventTarget, name: string) => target.dispatchEvent(new Event(name))

  test('a change of the network, a restored page and a visible page resume the connection', () => {
    let resumed = 0
    const stop = watchResume({
      clock: createManualClock(),
      onResume: () => (resumed += 1),
      onTick: () => {},
    })
    const { window, document } = page
    const after = (target: EventTarget, name: string) => {
      resumed = 0
      dispatch(target, name)
      return resumed
    }
    for (const name of ['online', 'offline', 'pageshow'])
      expect([name, after(window, name)]).toEqual([name, 1])
    expect(after(document, 'visibilitychange')).toBe(1)
    document.visibilityState = 'hidden'
    expect(after(document, 'visibilitychange')).toBe(0)
    document.visibilityState = 'visible'
    stop()
    expect(after(window, 'pageshow') + after(document, 'visibilitychange')).toBe(0)
  })

  test('an open socket is probed when the page resumes, and replaced after 5 s without a response', async () => {
    let silent = false
    const relay = await startRelay(() => (silent ? undefined : { result: true }))
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    await relayer.subscribe(topic)
    clock.advance(1_000)
    silent = true
    dispatch(page.window, 'pageshow')
    await expect
      .poll(() => relay.requests.at(-1))
      .toMatchObject({ method: 'irn_batchSubscribe', params: { topics: [topic] } })
    clock.advance(4_999)
    expect(relayer.status().status).toBe('connected')
    clock.advance(1)
    expect(relayer.status().status).toBe('offline')
    silent = false
    clock.advance(125)
    await relayer.publish(topic, 'text', options)
    expect(relay.connections).toHaveLength(2)
  })
})
