import { expect, test } from 'vitest'
import { createManualClock } from '../testing/createManualClock.ts'
import { createLog } from './createLog.ts'

test('§9.10.3/2 the log keeps its last megabyte', () => {
  const log = createLog({ clock: createManualClock(0) })
  for (let id = 1; id <= 30_000; id += 1)
    log.add({ what: 'session_ping', topic: 'ab'.repeat(32), id })
  const lines = log.text().split('\n')
  expect(lines.at(-1)).toBe(
    '{"time":"1970-01-01T00:00:00.000Z","what":"session_ping","id":30000,"topic":"abababab"}',
  )
  expect(log.text().length).toBeLessThanOrEqual(1_000_000)
  expect(log.text().length).toBeGreaterThan(999_000)
})
