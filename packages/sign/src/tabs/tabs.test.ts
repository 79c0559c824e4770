import { afterEach, expect, test } from 'vitest'
import { createTabCoordinator } from './createTabCoordinator.ts'
import type { TabCoordinator, FailureReason, TabPlatform, Tell } from './TabCoordinator.ts'

// Node has Web Locks and BroadcastChannel too: hosts here share them as tabs do. In Chromium: tests/sign.

type Command = { add: number; slow?: boolean; repeat?: boolean; silly?: () => void }
type Outcome = { sum: number } | { lost: FailureReason }
type Tab = TabCoordinator<Command, Outcome, string, { sum: number }>

const page: TabPlatform = { locks: navigator.locks, BroadcastChannel }
const open = new Set<Tab>()
afterEach(async () => {
  for (const tab of open) await tab.close()
  open.clear()
})

/** A place that outlives engines, as storage does. */
function createPlace(name: string) {
  const place = { sum: 0, engines: 0, running: 0, done: [] as Command[], release: () => {} }

  function start(tell: Tell<string>) {
    place.engines += 1
    place.running += 1
    let snapshot = { sum: place.sum }
    let ended = () => {}
    const end = new Promise<void>((resolve) => (ended = resolve))
    return Promise.resolve({
      async run(command: Command) {
        place.done.push(command)
        if (command.slow)
          await Promise.race([new Promise<void>((resolve) => (place.release = resolve)), end])
        place.sum += command.add
        snapshot = { sum: place.sum }
        tell.event(`now ${place.sum}`)
        return snapshot
      },
      snapshot: () => snapshot,
      async close() {
        place.running -= 1
        ended()
      },
    })
  }

  function tab(where: TabPlatform | 'none' = page, begin = start): Tab {
    const opened = createTabCoordinator<Command, Outcome, string, { sum: number }>({
      name,
      initial: { sum: -1 },
      start: begin,
      isRepeatable: ({ repeat }) => repeat === true,
      lost: (lost) => ({ lost }),
      page: where,
    })
    open.add(opened)
    return opened
  }

  return Object.assign(place, { tab, start })
}

function record(tab: Tab) {
  const heard: { event: string; sum: number }[] = []
  tab.onEvent((event) => heard.push({ event, sum: tab.snapshot().sum }))
  return heard
}

test('tabs share one engine, its state, events and outcomes', async () => {
  const place = createPlace('share')
  const tabs = [place.tab(), place.tab(), place.tab()] as const
  const heard = tabs.map(record)
  await Promise.all(tabs.map((tab) => tab.ready()))
  expect(place.engines).toBe(1)
  expect(tabs.map((tab) => tab.isLeader()).filter(Boolean)).toHaveLength(1)
  expect(tabs.map((tab) => tab.snapshot())).toEqual(tabs.map(() => ({ sum: 0 })))

  for (const tab of tabs) {
    const outcome = await tab.run({ add: 1 })
    // Whoever asked has the state that belongs to the outcome.
    expect(tab.snapshot()).toEqual(outcome)
  }
  const expected = [1, 2, 3].map((sum) => ({ event: `now ${sum}`, sum }))
  await expect.poll(() => heard).toEqual([expected, expected, expected])
})

test('a tab that comes late has the state, even of a command given before there was an engine', async () => {
  const place = createPlace('late')
  const first = place.tab()
  await first.run({ add: 5 })
  const second = place.tab()
  await second.ready()
  await expect.poll(() => second.snapshot()).toEqual({ sum: 5 })
  expect(second.isLeader()).toBe(false)
})

test('when the leader goes the next tab takes over from what is stored', async () => {
  const place = createPlace('over')
  const first = place.tab()
  await first.ready()
  const second = place.tab()
  await second.ready()
  let engines = 0
  second.onLeader(() => (engines += 1))
  await first.run({ add: 2 })

  const repeated = second.run({ add: 10, slow: true, repeat: true })
  const single = second.run({ add: 100, slow: true })
  await expect.poll(() => place.done.length).toBe(3)
  await first.close()
  // What the first engine did with them while it ended is not the last word.
  place.sum = 2
  await expect.poll(() => place.done.length).toBe(4)
  expect(await single).toEqual({ lost: 'tab_gone' })
  place.release()
  expect(await repeated).toEqual({ sum: 12 })
  expect(second.isLeader()).toBe(true)
  expect(engines).toBe(2)
  expect(place.running).toBe(1)
})

test('commands given while nobody leads are done once somebody does', async () => {
  const place = createPlace('early')
  const tabs = [place.tab(), place.tab()] as const
  const outcomes = await Promise.all(tabs.map((tab) => tab.run({ add: 1 })))
  expect(new Set(outcomes)).toEqual(new Set([{ sum: 1 }, { sum: 2 }]))
})

test('a leader that is frozen loses its lead and steps down', async () => {
  const place = createPlace('frozen')
  let frozen = false
  class Freezing extends BroadcastChannel {
    override postMessage(message: unknown) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      if (!frozen) super.postMessage(message)
    }
  }
  const first = place.tab({ ...page, BroadcastChannel: Freezing })
  await first.ready()
  const second = place.tab()
  await second.ready()
  frozen = true
  // A frozen tab neither hears nor answers; this one hears, and what it says is lost.
  const outcome = second.run({ add: 1, repeat: true })
  await expect.poll(() => second.isLeader()).toBe(true)
  expect(await outcome).toMatchObject({ sum: expect.any(Number) })
  await expect.poll(() => first.isLeader()).toBe(false)
  await expect.poll(() => place.running).toBe(1)
  frozen = false
  const last = await first.run({ add: 1 })
  await expect.poll(() => second.snapshot()).toEqual(last)
})

/** A frozen tab may have the lock, but nothing it says is heard. */
class Frozen extends BroadcastChannel {
  override postMessage() {}
}

test('a new tab does not wait for ever for a leader that was frozen before it came', async () => {
  const place = createPlace('frozen before')
  const first = place.tab({ ...page, BroadcastChannel: Frozen })
  await first.ready()
  const second = place.tab()
  await second.ready()
  expect(await second.run({ add: 1 })).toEqual({ sum: 1 })
  expect([first.isLeader(), second.isLeader(), place.running]).toEqual([false, true, 1])
})

test('a tab does not wait for ever for a frozen one that is next', async () => {
  const place = createPlace('frozen next')
  const first = place.tab()
  await first.ready()
  const second = place.tab({ ...page, BroadcastChannel: Frozen })
  await second.ready()
  const third = place.tab()
  await third.ready()
  await first.close()
  expect(await third.run({ add: 1 })).toEqual({ sum: 1 })
  expect([second.isLeader(), third.isLeader(), place.running]).toEqual([false, true, 1])
})

test('a tab that is closed while its engine starts leaves none behind', async () => {
  const place = createPlace('closed early')
  let begin = () => {}
  const slow = new Promise<void>((resolve) => (begin = resolve))
  const first: Tab = place.tab(page, async (tell) => {
    await slow
    return place.start(tell)
  })
  await expect.poll(async () => (await navigator.locks.query()).held?.length).toBe(1)
  await first.close()
  await expect(first.ready()).rejects.toThrow('closed')
  begin()
  const second = place.tab()
  await second.run({ add: 1 })
  expect([first.isLeader(), second.isLeader(), place.running]).toEqual([false, true, 1])
})

test('error: an engine that does not start is told, and leaves room for another', async () => {
  const place = createPlace('broken')
  const broken = place.tab(page, () => Promise.reject(new Error('no disk')))
  await expect(broken.ready()).rejects.toThrow('no disk')
  expect(await broken.run({ add: 1 })).toEqual({ lost: 'not_started' })
  const sound = place.tab()
  await sound.ready()
  await expect.poll(() => broken.run({ add: 1 })).toHaveProperty('sum')
})

test('error: what cannot be sent to another tab is told', async () => {
  const place = createPlace('silly')
  const first = place.tab()
  await first.ready()
  const second = place.tab()
  await second.ready()
  expect(await second.run({ add: 1, silly() {} })).toEqual({ lost: 'not_plain' })
})

test.each([
  ['alone', 'none' as const],
  ['shared', page],
])('closing a host that is %s ends its engine and what is on its way', async (name, where) => {
  const place = createPlace(`close ${name}`)
  const tab = place.tab(where)
  expect(tab.snapshot()).toEqual({ sum: -1 })
  await tab.ready()
  const heard = record(tab)
  expect(await tab.run({ add: 3 })).toEqual({ sum: 3 })
  expect(heard).toEqual([{ event: 'now 3', sum: 3 }])
  const outcome = tab.run({ add: 1, slow: true })
  await tab.close()
  expect(await outcome).toEqual({ lost: 'closed' })
  expect(await tab.run({ add: 1 })).toEqual({ lost: 'closed' })
  expect(place.running).toBe(0)
  expect(heard).toHaveLength(1)
})

test('a page that may use no locks, or no channel, runs an engine of its own', async () => {
  const place = createPlace('denied')
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
    const tab = place.tab(where)
    await tab.ready()
    expect(await tab.run({ add: 1 })).toEqual({ sum: index + 1 })
    expect(tab.isLeader()).toBe(true)
    await tab.close()
  }
  expect([place.engines, place.running]).toEqual([2, 0])
})
