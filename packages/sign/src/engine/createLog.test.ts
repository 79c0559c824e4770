import { expect, test } from 'vitest'
import { createManualClock } from '../testing/createManualClock.ts'
import { createLog } from './createLog.ts'

test('an entry has a time, and the first 8 characters of its topic', () => {
  const log = createLog({ clock: createManualClock(5) })
  expect(log.text()).toBe('')
  log.add({ what: 'connect' })
  log.add({ what: 'connect failed', topic: 'ab'.repeat(32), id: 1, reason: 'r' })
  expect(log.text().split('\n')).toEqual([
    '{"time":"1970-01-01T00:00:00.005Z","what":"connect"}',
    '{"time":"1970-01-01T00:00:00.005Z","what":"connect failed","id":1,"reason":"r","topic":"abababab"}',
  ])
})

test('§9.10.3/2 the log keeps its last megabyte', () => {
  const log = createLog({ clock: createManualClock(0) })
  // With its line break, each of the lines has 10,000 characters.
  const fixed = '{"time":"1970-01-01T00:00:00.000Z","what":""}\n'.length
  const add = (letter: string) => log.add({ what: letter.repeat(10_000 - fixed) })
  add('a')
  for (let count = 1; count < 100; count += 1) add('b')
  expect(log.text()).toHaveLength(999_999)
  expect(log.text()).toContain('aaa')
  add('c')
  expect(log.text()).toHaveLength(999_999)
  expect(log.text()).not.toContain('aaa')
  expect(log.text().endsWith('ccc"}')).toBe(true)
  // A longer entry evicts several lines, even all of them.
  log.add({ what: 'd'.repeat(20_000 - fixed) })
  expect(log.text()).toHaveLength(999_999)
  log.add({ what: 'e'.repeat(1_000_000) })
  expect(log.text()).toBe('')
  add('f')
  expect(log.text()).toHaveLength(9_999)
})
