import { beforeEach, expect, test } from 'vitest'
import { createProjectCache, type ProjectCache } from './projectCache.ts'
import type { Project } from './projects.ts'
import { StorageUnavailableError } from './StorageUnavailableError.ts'

let time: number
let reads: string[]
let isDown: boolean
let cache: ProjectCache
beforeEach(() => {
  time = 0
  reads = []
  isDown = false
  cache = createProjectCache({
    now: () => time,
    freshMs: 1_000,
    find: async (id) => {
      reads.push(id)
      if (isDown) throw new Error('the database is down')
      return id === 'known' ? ({ id, name: `read ${reads.length}` } as Project) : undefined
    },
  })
})

test('a fresh entry is returned synchronously', async () => {
  await cache.get('known')
  expect(cache.get('known')).toEqual({ id: 'known', name: 'read 1' })
  time = 1_000
  expect(await cache.get('known')).toMatchObject({ name: 'read 2' })
})

test('concurrent requests share one read', async () => {
  await Promise.all([cache.get('known'), cache.get('known'), cache.get('known')])
  expect(reads).toEqual(['known'])
})

test('an unknown id is cached too', async () => {
  expect(await cache.get('unknown')).toBeUndefined()
  expect(cache.get('unknown')).toBeUndefined()
  expect(reads).toEqual(['unknown'])
})

test('uses stale entries while the database is down', async () => {
  await cache.get('known')
  isDown = true
  time = 1_000
  expect(await cache.get('known')).toMatchObject({ name: 'read 1' })
  // The database is not queried again on every request.
  expect(cache.get('known')).toMatchObject({ name: 'read 1' })
  expect(reads).toHaveLength(2)
  isDown = false
  time = 2_000
  expect(await cache.get('known')).toMatchObject({ name: 'read 3' })
})

test('attack: requests with unknown ids do not remove entries, which are needed while the database is down', async () => {
  await cache.get('known')
  for (let index = 0; index <= 10_000; index += 1) await cache.get(`unknown${index}`)
  isDown = true
  time = 1_000
  await expect(cache.get('known')).resolves.toMatchObject({ name: 'read 1' })
})

test('a project that is created or deleted is read once its entry is stale', async () => {
  const projects = new Set<string>()
  const changing = createProjectCache({
    now: () => time,
    freshMs: 1_000,
    find: async (id) => (projects.has(id) ? ({ id } as Project) : undefined),
  })
  expect(await changing.get('new')).toBeUndefined()
  projects.add('new')
  expect(changing.get('new')).toBeUndefined()
  time = 1_000
  expect(await changing.get('new')).toEqual({ id: 'new' })
  projects.clear()
  time = 2_000
  expect(await changing.get('new')).toBeUndefined()
  expect(changing.get('new')).toBeUndefined()
})

test('error: without a cached entry, StorageUnavailableError is thrown while the database is down', async () => {
  isDown = true
  await expect(cache.get('known')).rejects.toThrow(StorageUnavailableError)
})

test.each(['', 'a\0b', 'a b', 'x'.repeat(65)])(
  'attack: the text %j, which is no project id, is not looked up',
  (id) => {
    expect(cache.get(id)).toBeUndefined()
    expect(reads).toEqual([])
  },
)
