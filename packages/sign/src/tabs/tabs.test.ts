import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createTabCoordinator } from './createTabCoordinator.ts'
import type {
  EngineListener,
  FailureReason,
  TabCoordinator,
  TabPlatform,
} from './TabCoordinator.ts'

// These coordinators share Node's Web Locks and BroadcastChannel, as tabs do in a browser. tests/sign uses Chromium.

type Command = { add: number; slow?: boolean; repeat?: boolean; callback?: () => void }
type Outcome = { sum: number } | { failed: FailureReason }
type Tab = TabCoordinator<Command, Outcome, string, { sum: number }>

const platform: TabPlatform = { locks: navigator.locks, BroadcastChannel }
const open = new Set<Tab>()
afterEach(async () => {
  for (const tab of open) await tab.close()
  open.clear()
})

/** State that outlives an engine, like storage. */
function createShared(name: string) {
  const shared = { sum: 0, engines: 0, running: 0, done: [] as Command[], release: () => {} }

  function start(listener: EngineListener<string>) {
    shared.engines += 1
    shared.running += 1
    let snapshot = { sum: shared.sum }
    let ended = () => {}
    const end = new Promise<void>((resolve) => (ended = resolve))
    return Promise.resolve({
      async run(command: Command) {
        shared.done.push(command)
        if (command.slow)
          await Promise.race([new Promise<void>((resolve) => (shared.release = resolve)), end])
        shared.sum += command.add
        snapshot = { sum: shared.sum }
        listener.onEvent(`now ${shared.sum}`)
        return snapshot
      },
      snapshot: () => snapshot,
      async close() {
        shared.running -= 1
        ended()
      },
    })
  }

  function tab(on: TabPlatform | 'none' = platform, begin = start): Tab {
    const opened = createTabCoordinator<Command, Outcome, string, { sum: number }>({
      name,
      initial: { sum: -1 },
      start: begin,
      isRepeatable: ({ repeat }) => repeat === true,
      toFailure: (failed) => ({ failed }),
      platform: on,
    })
    open.add(opened)
    return opened
  }

  return Object.assign(shared, { tab, start })
}

function record(tab: Tab) {
  const received: { event: string; sum: number }[] = []
  tab.onEvent((event) => received.push({ event, sum: tab.snapshot().sum }))
  return received
}

test('tabs share one engine with its state, events and outcomes', async () => {
  const shared = createShared('share')
  const tabs = [shared.tab(), shared.tab(), shared.tab()] as const
  const received = tabs.map(record)
  await Promise.all(tabs.map((tab) => tab.ready()))
  expect(shared.engines).toBe(1)
  expect(tabs.map((tab) => tab.isLeader()).filter(Boolean)).toHaveLength(1)
  expect(tabs.map((tab) => tab.snapshot())).toEqual(tabs.map(() => ({ sum: 0 })))

  for (const tab of tabs) {
    const outcome = await tab.run({ add: 1 })
    // The snapshot is up to date when the command resolves.
    expect(tab.snapshot()).toEqual(outcome)
  }
  const expected = [1, 2, 3].map((sum) => ({ event: `now ${sum}`, sum }))
  await expect.poll(() => received).toEqual([expected, expected, expected])
})

test('a tab that opens later gets the state', async () => {
  const shared = createShared('late')
  const first = shared.tab()
  await first.run({ add: 5 })
  const second = shared.tab()
  await second.ready()
  await expect.poll(() => second.snapshot()).toEqual({ sum: 5 })
  expect(second.isLeader()).toBe(false)
})

test('when the leader closes, the next tab continues from the stored state', async () => {
  const shared = createShared('over')
  const first = shared.tab()
  await first.ready()
  const second = shared.tab()
  await second.ready()
  let engines = 0
  second.onLeader(() => (engines += 1))
  await first.run({ add: 2 })

  const repeated = second.run({ add: 10, slow: true, repeat: true })
  const single = second.run({ add: 100, slow: true })
  await expect.poll(() => shared.done.length).toBe(3)
  await first.close()
  // Outcomes that the first engine reports while it is closing are ignored.
  shared.sum = 2
  await expect.poll(() => shared.done.length).toBe(4)
  expect(await single).toEqual({ failed: 'tab_closed' })
  shared.release()
  expect(await repeated).toEqual({ sum: 12 })
  expect(second.isLeader()).toBe(true)
  expect(engines).toBe(2)
  expect(shared.running).toBe(1)
})

test('commands that are sent before a leader exists run once there is a leader', async () => {
  const shared = createShared('early')
  const tabs = [shared.tab(), shared.tab()] as const
  const outcomes = await Promise.all(tabs.map((tab) => tab.run({ add: 1 })))
  expect(new Set(outcomes)).toEqual(new Set([{ sum: 1 }, { sum: 2 }]))
})

test('a frozen leader loses the lock and steps down', async () => {
  const shared = createShared('frozen')
  let frozen = false
  class Freezing extends BroadcastChannel {
    override postMessage(message: unknown) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      if (!frozen) super.postMessage(message)
    }
  }
  const first = shared.tab({ ...platform, BroadcastChannel: Freezing })
  await first.ready()
  const second = shared.tab()
  await second.ready()
  frozen = true
  // A frozen tab neither receives nor sends. This tab receives, but the messages that it sends are
  // dropped.
  const outcome = second.run({ add: 1, repeat: true })
  await expect.poll(() => second.isLeader()).toBe(true)
  expect(await outcome).toMatchObject({ sum: expect.any(Number) })
  await expect.poll(() => first.isLeader()).toBe(false)
  await expect.poll(() => shared.running).toBe(1)
  frozen = false
  const last = await first.run({ add: 1 })
  await expect.poll(() => second.snapshot()).toEqual(last)
})

test('a frozen leader that resumes does not run a command that the next leader has run', async () => {
  const shared = createShared('thawed')
  let frozen = false
  const late: (() => void)[] = []
  /** While the tab is frozen, it receives neither messages nor the loss of its lock. */
  const whenThawed = (run: () => void) => {
    if (frozen) late.push(run)
    else run()
  }
  class Freezing extends BroadcastChannel {
    override addEventListener(name: string, listener: unknown) {
      const listen = listener as (event: Event) => void
      super.addEventListener(name, (event: Event) => whenThawed(() => listen(event)))
    }
  }
  const locks = {
    async request(...parameters: Parameters<LockManager['request']>) {
      try {
        return await navigator.locks.request(...parameters)
      } catch (cause) {
        await new Promise<void>((resolve) => whenThawed(resolve))
        throw cause
      }
    },
  } as TabPlatform['locks']
  const first = shared.tab({ locks, BroadcastChannel: Freezing })
  await first.ready()
  const second = shared.tab()
  await second.ready()
  frozen = true
  expect(await second.run({ add: 1, repeat: true })).toEqual({ sum: 1 })
  expect([first.isLeader(), second.isLeader()]).toEqual([true, true])
  frozen = false
  for (const run of late.splice(0)) run()
  await expect.poll(() => first.isLeader()).toBe(false)
  expect(await first.run({ add: 2 })).toEqual({ sum: 3 })
  expect(shared.done).toHaveLength(2)
})

/** Simulates a frozen tab, which may hold the lock but sends nothing. */
class Frozen extends BroadcastChannel {
  override postMessage() {}
}

test('a new tab replaces a leader that is already frozen', async () => {
  const shared = createShared('frozen before')
  const first = shared.tab({ ...platform, BroadcastChannel: Frozen })
  await first.ready()
  const second = shared.tab()
  await second.ready()
  expect(await second.run({ add: 1 })).toEqual({ sum: 1 })
  expect([first.isLeader(), second.isLeader(), shared.running]).toEqual([false, true, 1])
})

test('a tab replaces a frozen tab that is next in the queue for the lock', async () => {
  const shared = createShared('frozen next')
  const first = shared.tab()
  await first.ready()
  const second = shared.tab({ ...platform, BroadcastChannel: Frozen })
  await second.ready()
  const third = shared.tab()
  await third.ready()
  await first.close()
  expect(await third.run({ add: 1 })).toEqual({ sum: 1 })
  expect([second.isLeader(), third.isLeader(), shared.running]).toEqual([false, true, 1])
})

test('a hidden tab replaces a frozen leader only once it is visible', async () => {
  const shared = createShared('hidden')
  const first = shared.tab({ ...platform, BroadcastChannel: Frozen })
  await first.ready()
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  vi.stubGlobal('document', document)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  let steals = 0
  const request = (name: string, options: LockOptions, held: () => Promise<void>) => {
    if (options.steal) steals += 1
    return navigator.locks.request(name, options, held)
  }
  const second = shared.tab({ ...platform, locks: { request } as TabPlatform['locks'] })
  vi.advanceTimersByTime(60_000)
  expect(steals).toBe(0)
  document.visibilityState = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  await second.ready()
  expect([steals, second.isLeader()]).toEqual([1, true])
  await expect.poll(() => first.isLeader()).toBe(false)
})

test('if a tab closes while its engine is starting, the engine is closed too', async () => {
  const shared = createShared('closed early')
  let begin = () => {}
  const slow = new Promise<void>((resolve) => (begin = resolve))
  const first: Tab = shared.tab(platform, async (listener) => {
    await slow
    return shared.start(listener)
  })
  await expect.poll(async () => (await navigator.locks.query()).held?.length).toBe(1)
  await first.close()
  await expect(first.ready()).rejects.toThrow('closed')
  begin()
  const second = shared.tab()
  await second.run({ add: 1 })
  expect([first.isLeader(), second.isLeader(), shared.running]).toEqual([false, true, 1])
})

test('error: an engine that fails to start is reported, and another tab can start one', async () => {
  const shared = createShared('broken')
  const broken = shared.tab(platform, () => Promise.reject(new Error('no disk')))
  await expect(broken.ready()).rejects.toThrow('no disk')
  expect(await broken.run({ add: 1 })).toEqual({ failed: 'not_started' })
  const working = shared.tab()
  await working.ready()
  await expect.poll(() => broken.run({ add: 1 })).toHaveProperty('sum')
})

test('error: a command that cannot be cloned is reported', async () => {
  const shared = createShared('not cloneable')
  const first = shared.tab()
  await first.ready()
  const second = shared.tab()
  await second.ready()
  expect(await second.run({ add: 1, callback() {} })).toEqual({ failed: 'not_plain' })
})

test.each([
  ['separate', 'none' as const],
  ['shared', platform],
])('close() stops a %s engine and fails commands in flight', async (name, where) => {
  const shared = createShared(`close ${name}`)
  const tab = shared.tab(where)
  expect(tab.snapshot()).toEqual({ sum: -1 })
  await tab.ready()
  const received = record(tab)
  expect(await tab.run({ add: 3 })).toEqual({ sum: 3 })
  expect(received).toEqual([{ event: 'now 3', sum: 3 }])
  const outcome = tab.run({ add: 1, slow: true })
  await tab.close()
  expect(await outcome).toEqual({ failed: 'closed' })
  expect(await tab.run({ add: 1 })).toEqual({ failed: 'closed' })
  expect(shared.running).toBe(0)
  expect(received).toHaveLength(1)
})

test('a page without access to locks or channels runs a separate engine', async () => {
  const shared = createShared('denied')
  const refuse = () => new DOMException('Access is denied.', 'SecurityError')
  const locks = { request: () => Promise.reject(refuse()) } as never
  function Denied() {
    throw refuse()
  }
  const without = [
    { locks, BroadcastChannel },
    { locks: navigator.locks, BroadcastChannel: Denied as never },
  ]
  for (const [index, where] of without.entries()) {
    const tab = shared.tab(where)
    await tab.ready()
    expect(await tab.run({ add: 1 })).toEqual({ sum: index + 1 })
    expect(tab.isLeader()).toBe(true)
    await tab.close()
  }
  expect([shared.engines, shared.running]).toEqual([2, 0])
})
