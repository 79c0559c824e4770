import { expect, test, vi } from 'vitest'
import { createDelayQueue } from './createDelayQueue.ts'

test('items are emitted after their delay, together and in order', async () => {
  const emitted: { items: number[]; tookMs: number }[] = []
  const start = performance.now()
  const delay = createDelayQueue<number>({
    ms: 20,
    onDue: (items) => emitted.push({ items, tookMs: performance.now() - start }),
  })
  for (let item = 0; item < 1_000; item += 1) delay.push(item)
  await expect.poll(() => emitted.flatMap(({ items }) => items).length).toBe(1_000)
  expect(emitted.flatMap(({ items }) => items)).toEqual(Array.from({ length: 1_000 }, (_, i) => i))
  expect(emitted[0]!.tookMs).toBeGreaterThanOrEqual(20)
  expect(emitted.length).toBeLessThan(20)
})

test('a cleared queue emits nothing', async () => {
  const emitted: string[] = []
  const cleared = createDelayQueue<string>({ ms: 1, onDue: (items) => emitted.push(...items) })
  cleared.push('cleared')
  cleared.clear()
  const later = createDelayQueue<string>({ ms: 5, onDue: (items) => emitted.push(...items) })
  later.push('later')
  await expect.poll(() => emitted).toEqual(['later'])
})

test('a cleared queue keeps no timer, and can be used again', async () => {
  vi.useFakeTimers()
  try {
    const emitted: string[][] = []
    const queue = createDelayQueue<string>({ ms: 10, onDue: (items) => emitted.push(items) })
    queue.push('cleared')
    await vi.advanceTimersByTimeAsync(5)
    queue.clear()
    // A timer would keep the process running.
    expect(vi.getTimerCount()).toBe(0)
    queue.push('one')
    await vi.advanceTimersByTimeAsync(9)
    expect(emitted).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(emitted).toEqual([['one']])
  } finally {
    vi.useRealTimers()
  }
})
