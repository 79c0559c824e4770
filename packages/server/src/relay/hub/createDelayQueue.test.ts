import { expect, test } from 'vitest'
import { createDelayQueue } from './createDelayQueue.ts'

test('items are handed on after their time, together and in order', async () => {
  const handed: { items: number[]; tookMs: number }[] = []
  const start = performance.now()
  const delay = createDelayQueue<number>({
    ms: 20,
    onDue: (items) => handed.push({ items, tookMs: performance.now() - start }),
  })
  for (let item = 0; item < 1_000; item += 1) delay.push(item)
  await expect.poll(() => handed.flatMap(({ items }) => items).length).toBe(1_000)
  expect(handed.flatMap(({ items }) => items)).toEqual(Array.from({ length: 1_000 }, (_, i) => i))
  expect(handed[0]!.tookMs).toBeGreaterThanOrEqual(20)
  expect(handed.length).toBeLessThan(20)
})

test('cleared, it hands nothing on', async () => {
  const handed: string[] = []
  const cleared = createDelayQueue<string>({ ms: 1, onDue: (items) => handed.push(...items) })
  cleared.push('cleared')
  cleared.clear()
  const later = createDelayQueue<string>({ ms: 5, onDue: (items) => handed.push(...items) })
  later.push('later')
  await expect.poll(() => handed).toEqual(['later'])
})
