import { setImmediate } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { combineReads, type Read } from './combineReads.ts'

const read = (index: number): Read => ({
  to: '0x0000000000000000000000000000000000000001',
  data: numberToHex(index),
})

test('reads of the same turn of the event loop are sent together, and equal ones once', async () => {
  const sent: (readonly Read[])[] = []
  const find = combineReads(async (reads) => {
    sent.push(reads)
    return reads.map(({ data }) => Number(data))
  })
  expect(await Promise.all([2, 1, 2].map((index) => find(read(index))))).toEqual([2, 1, 2])
  expect(await find(read(1))).toBe(1)
  expect(sent).toEqual([[read(2), read(1)], [read(1)]])
})

test('attack: at most 50 results of a call are handled in one iteration of the event loop', async () => {
  const find = combineReads(async (reads) => reads.map(({ data }) => Number(data)))
  let iteration = 0
  const handled: number[] = []
  const all = Array.from({ length: 120 }, async (_, index) => {
    const value = await find(read(index))
    handled[iteration] = (handled[iteration] ?? 0) + 1
    return value
  })
  while (handled.reduce((sum, count) => sum + count, 0) < all.length) {
    await setImmediate()
    iteration += 1
  }
  expect(await Promise.all(all)).toEqual(Array.from({ length: 120 }, (_, index) => index))
  expect(handled.filter((count) => count > 0)).toEqual([50, 50, 20])
})

test('if the call fails, all its reads fail', async () => {
  const find = combineReads(async () => Promise.reject(new Error('the node is gone')))
  const results = await Promise.allSettled([find(read(1)), find(read(2))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
