import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './createTurns.ts'

test('gives each job a turn of the event loop, in order', async () => {
  const turns = createTurns()
  const done: number[] = []
  for (let job = 0; job < 5; job += 1) void turns.next().then(() => done.push(job))
  const seen: number[] = []
  while (done.length < 5) {
    await turn()
    seen.push(done.length)
  }
  expect(done).toEqual([0, 1, 2, 3, 4])
  // No two jobs run in one turn.
  for (const [at, count] of seen.entries()) expect(count - (seen[at - 1] ?? 0)).toBeLessThan(2)
})
