import { beforeEach, expect, test, vi } from 'vitest'
import { randomTopic } from '../../testing/startRelay.ts'
import { pass, useHub } from '../../testing/useHub.ts'

const { current, publish, attach } = useHub()

/** It is the turn of an address once a test calls the next of these functions. */
let turns: (() => void)[]
beforeEach(() => {
  turns = []
  current.nextTurn = () => new Promise((resolve) => turns.push(resolve))
})

/** Ends a turn, and waits until it has done its work. */
async function endTurn() {
  turns.shift()!()
  await pass()
}

/** Ends all turns, including those that the work of one adds. */
async function endTurns() {
  while (turns.length > 0) await endTurn()
}

const newTopics = (count: number) => Array.from({ length: count }, randomTopic)

test('attack: many stored subscriptions are added and removed in turns', async () => {
  const topics = newTopics(600)
  const { driver } = current.store
  const [watched, unwatched] = [vi.spyOn(driver, 'watch'), vi.spyOn(driver, 'unwatch')]
  const counts = (calls: readonly [topics: readonly string[], ...unknown[]][]) =>
    calls.map(([some]) => some.length)
  expect(current.hub.topicsOf('wallet')).toBeUndefined()
  const { client, socket } = attach({ topics })
  const known = () => {
    const all = current.hub.topicsOf('wallet')!
    return [all.size, all.has(topics[0]!), all.has(topics[599]!), all.has(randomTopic())]
  }
  for (const sum of [250, 500, 600]) {
    expect(client.topics.size).toBe(sum)
    expect(known()).toEqual([600, true, true, false])
    if (sum < 600) await endTurn()
  }
  expect(counts(watched.mock.calls)).toEqual([250, 250, 100])

  current.hub.detach(client, socket)
  expect(current.hub.isConnected('wallet')).toBe(false)
  expect(counts(unwatched.mock.calls)).toEqual([250])
  await endTurn()
  await endTurn()
  expect(counts(unwatched.mock.calls)).toEqual([250, 250, 100])
  expect(turns).toEqual([])
})

test('messages are delivered on subscriptions that are added in turns, except those that were unsubscribed meanwhile', async () => {
  const topics = newTopics(501)
  const [early, later, last] = [topics[0]!, topics[499]!, topics[500]!]
  const { client, socket } = attach({ topics })
  publish(last, 'waiting')
  current.hub.unsubscribed('wallet', [early, later])
  await endTurn()
  await endTurn()
  expect(client.topics.has(early) || client.topics.has(later)).toBe(false)
  expect([client.topics.size, current.hub.topicsOf('wallet')?.size]).toEqual([499, 499])
  await pass(1_000)
  await endTurns()
  expect(socket.texts).toEqual(['waiting'])
  publish(last, 'new')
  await pass()
  expect(socket.texts).toEqual(['waiting', 'new'])
})

test('a subscription that is repeated while it is still being added counts once, and is delivered', async () => {
  const topics = newTopics(501)
  const { socket } = attach({ topics })
  const last = topics[500]!
  publish(last, 'waiting')
  current.hub.subscribed('wallet', [last])()
  expect(current.hub.topicsOf('wallet')?.size).toBe(501)
  await endTurns()
  expect(socket.texts).toEqual(['waiting'])
  expect(current.hub.topicsOf('wallet')?.size).toBe(501)
  attach({ topics })
  expect(current.hub.topicsOf('wallet')?.size).toBe(501)
})

test('no more subscriptions are added for a client that disconnects', async () => {
  const { client, socket } = attach({ topics: newTopics(600) })
  current.hub.detach(client, socket)
  await endTurns()
  expect(client.topics.size).toBe(0)
})
