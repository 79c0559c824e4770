import { expect, test } from 'vitest'
import { createPace } from './createPace.ts'

test('attack: calls wait until they fit into the rate', async () => {
  let now = 5_000
  const waits: number[] = []
  const pace = createPace(100, {
    now: () => now,
    wait: async (ms) => {
      waits.push(ms)
      now += ms
    },
  })
  for (const calls of [60, 40]) await pace(calls)
  expect(waits).toEqual([])
  for (const calls of [50, 10]) await pace(calls)
  expect(waits).toEqual([500, 100])
  now += 60_000
  await pace(100)
  expect(waits).toHaveLength(2)
})
