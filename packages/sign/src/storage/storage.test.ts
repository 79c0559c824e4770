import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { KeyValueStore } from './KeyValueStore.ts'
import { createCollection } from './createCollection.ts'
import { createDocument } from './createDocument.ts'
import { createMemoryStore } from './createMemoryStore.ts'
import { createFallbackStore } from './createFallbackStore.ts'
import { storageKeys } from './storageKeys.ts'

const Entry = v.looseObject({ topic: v.string(), expiry: v.number() })
const key = storageKeys('mine').client('session')

function open(store: KeyValueStore, damaged: string[] = []) {
  return createCollection({
    store,
    key,
    schema: Entry,
    idOf: (entry) => entry.topic,
    onDamaged: (name) => void damaged.push(name),
  })
}

test('keys equal those of the official client', () => {
  expect(key).toBe('wc@2:client:0.3:mine//session')
  expect(storageKeys().core('keychain')).toBe('wc@2:core:0.3//keychain')
})

test('a collection is stored as a list of values, and keeps unknown fields', async () => {
  const entry = { topic: 'a', expiry: 1, later: true }
  const store = createMemoryStore([[key, JSON.stringify([entry])]])
  const sessions = await open(store)
  const before = sessions.values()
  await sessions.set({ topic: 'b', expiry: 2 })
  await sessions.set({ ...entry, expiry: 3 })
  await sessions.delete('c')
  expect(before).toEqual([entry])
  expect(JSON.parse((await store.getItem(key)) ?? '')).toEqual([
    { topic: 'a', expiry: 3, later: true },
    { topic: 'b', expiry: 2 },
  ])
  await sessions.delete('a', 'b')
  expect((await open(store)).values()).toEqual([])
})

test.each([
  ['one damaged entry', '[{"topic":"a","expiry":1},{"topic":"b"}]', ['a'], [`${key}[1]`]],
  ['two damaged entries', '[null,7,{"topic":"a","expiry":1}]', ['a'], [`${key}[0]`, `${key}[1]`]],
  ['truncated JSON', '[{"topic":"a","exp', [], [key]],
  ['a string instead of a list', '"text"', [], [key]],
  ['an empty list', '[]', [], []],
])(
  'damage is reported once, and all other entries are kept: %s',
  async (_, text, topics, expected) => {
    const damaged: string[] = []
    const store = createMemoryStore([[key, text]])
    const sessions = await open(store, damaged)
    expect(sessions.values().map((entry) => entry.topic)).toEqual(topics)
    expect(damaged).toEqual(expected)
    // Dropped entries are reported once, not at every start.
    await open(store, damaged)
    expect(damaged).toEqual(expected)
  },
)

test('pending writes to a key are coalesced, and the last value is stored', async () => {
  const memory = createMemoryStore()
  const written: string[] = []
  let finish = () => {}
  const slow: KeyValueStore = {
    ...memory,
    async setItem(name, value) {
      await new Promise<void>((resolve) => (finish = resolve))
      written.push(value)
      await memory.setItem(name, value)
    },
  }
  const document = await createDocument({ store: slow, key, schema: v.number(), empty: 0 })
  const writes = [1, 2, 3].map((value) => document.set(value))
  expect(document.get()).toBe(3)
  await expect.poll(() => (finish(), written.length)).toBeGreaterThan(0)
  const late = document.set(4)
  await expect.poll(() => (finish(), written)).toEqual(['3', '4'])
  await Promise.all([...writes, late])
  expect(await memory.getItem(key)).toBe('4')
})

test('a failed write does not affect the next write', async () => {
  const memory = createMemoryStore()
  let full = true
  const setItem: KeyValueStore['setItem'] = (name, value) =>
    full ? Promise.reject(new Error('quota')) : memory.setItem(name, value)
  const document = await createDocument({
    store: { ...memory, setItem },
    key,
    schema: v.number(),
    empty: 0,
  })
  await expect(document.set(1)).rejects.toThrow('quota')
  full = false
  await document.set(2)
  expect(await memory.getItem(key)).toBe('2')
})

test('a store that cannot be written to falls back to memory and reports this once', async () => {
  const memory = createMemoryStore([
    ['old', '1'],
    ['gone', '1'],
  ])
  let denied = false
  const reported: string[] = []
  const guard = <result>(act: () => Promise<result>) =>
    denied ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : act()
  const store = createFallbackStore(
    {
      getItem: (name) => guard(() => memory.getItem(name)),
      setItem: (name, value) => guard(() => memory.setItem(name, value)),
      removeItem: (name) => guard(() => memory.removeItem(name)),
      getKeys: () => guard(() => memory.getKeys()),
    },
    (name, cause) => void reported.push(`${name}: ${(cause as Error).name}`),
  )
  denied = true
  await store.setItem('new', '2')
  await store.removeItem('gone')
  expect(await store.getItem('new')).toBe('2')
  expect(await store.getItem('gone')).toBeUndefined()
  expect(reported).toEqual(['new: QuotaExceededError'])

  denied = false
  expect((await store.getKeys()).toSorted()).toEqual(['new', 'old'])
  await store.setItem('new', '3')
  expect(await memory.getItem('new')).toBe('3')
  denied = true
  await store.setItem('new', '4')
  // Not reported again, because the removal of the other key has not been retried and still counts as failing.
  expect(reported).toHaveLength(1)
  denied = false
  await store.removeItem('gone')
  await store.setItem('new', '5')
  denied = true
  await store.setItem('new', '6')
  expect(reported).toHaveLength(2)
})

test('a store that cannot be read is not written to', async () => {
  const memory = createMemoryStore([['keys', 'old']])
  let failures = 1
  const reported: string[] = []
  const open = () =>
    createFallbackStore(
      {
        ...memory,
        getItem: (name) =>
          failures-- > 0
            ? Promise.reject(new DOMException('server lost', 'UnknownError'))
            : memory.getItem(name),
      },
      (name) => void reported.push(name),
    )
  expect(await open().getItem('keys')).toBe('old')
  expect(reported).toEqual([])
  failures = 2
  const store = open()
  expect(await store.getItem('keys')).toBeUndefined()
  expect(reported).toEqual(['keys'])
  await store.setItem('keys', 'new')
  await store.setItem('other', 'new')
  expect(await store.getItem('keys')).toBe('new')
  expect([await memory.getItem('keys'), await memory.getItem('other')]).toEqual(['old', undefined])
})
