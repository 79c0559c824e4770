import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSlots, NoSlotError } from './createSlots.ts'

const patience = new AbortController().signal

/** Work that the test ends. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const job = { isRunning: false, end: resolve, run: async () => ((job.isRunning = true), promise) }
  return job
}

test('a key that waits for its own slots does not delay other keys', async () => {
  const slots = createSlots({ all: 2, perKey: 1, waiting: 10, waitingPerKey: 10 })
  const [first, second, other, last] = [work(), work(), work(), work()]
  const done = [
    slots.run('a', patience, first.run),
    slots.run('a', patience, second.run),
    slots.run('b', patience, other.run),
    slots.run('c', patience, last.run),
  ]
  await settle()
  expect([first, second, other, last].map((it) => it.isRunning)).toEqual([true, false, true, false])
  other.end()
  await done[2]
  await settle()
  expect(last.isRunning).toBe(true)
  first.end()
  await done[0]
  await settle()
  expect(second.isRunning).toBe(true)
  second.end()
  last.end()
  await Promise.all(done)
})

test('attack: work of a key does not wait for all the work of another key', async () => {
  const slots = createSlots({ all: 1, perKey: 1, waiting: 100, waitingPerKey: 100 })
  const order: string[] = []
  const run = (key: string) => slots.run(key, patience, async () => void order.push(key))
  await Promise.all('aaaabbbc'.split('').map(run))
  expect(order.join('')).toBe('aabcabab')
})

test('refuses work beyond the limits, and frees the slot of work that gave up', async () => {
  const slots = createSlots({ all: 1, perKey: 1, waiting: 2, waitingPerKey: 1 })
  const [first, second] = [work(), work()]
  const impatient = new AbortController()
  const running = slots.run('a', patience, first.run)
  const waiting = slots.run('a', impatient.signal, work().run)
  await expect(slots.run('a', patience, work().run)).rejects.toThrow('The server is busy')
  impatient.abort(new Error('too late'))
  await expect(waiting).rejects.toThrow(NoSlotError)
  const next = slots.run('a', patience, second.run)
  const other = slots.run('b', patience, async () => 'b')
  await expect(slots.run('c', patience, async () => 'c')).rejects.toThrow('The server is busy')
  first.end()
  second.end()
  await Promise.all([running, next])
  expect(await other).toBe('b')
})

test('work that fails frees its slot', async () => {
  const slots = createSlots({ all: 1, perKey: 1, waiting: 0, waitingPerKey: 0 })
  const fail = async () => {
    throw new Error('failed')
  }
  await expect(slots.run('a', patience, fail)).rejects.toThrow('failed')
  expect(await slots.run('a', patience, async () => 'ok')).toBe('ok')
})
