import { expect, test } from 'vitest'

import { lazy } from './lazy.ts'

test('a module is loaded once and, once loaded, used in the same task', async () => {
  let loads = 0
  const module = lazy(async () => ({ number: ++loads }))
  const both = await Promise.all([module(async ({ number }) => number), module(async () => 0)])
  expect(both).toEqual([1, 0])
  let used = 0
  void module(async ({ number }) => (used = number))
  expect(used).toBe(1)
})

test('error: a failed load is retried on the next use', async () => {
  const results = [Promise.reject(new TypeError('offline')), Promise.resolve('module')]
  const module = lazy(() => results.shift()!)
  await expect(module(async (text) => text)).rejects.toMatchObject({
    code: 'kit.chunk_not_loaded',
    cause: { message: 'offline' },
  })
  expect(await module(async (text) => text)).toBe('module')
})
