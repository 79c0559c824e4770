import { expect, test } from 'vitest'
import { createCommitCache } from './createCommitCache.ts'

const stored = {
  topic: 'topic',
  id: 'id',
  seq: 7,
  digest: 1,
  message: 'text',
  bytes: 4,
  attestation: null,
  tag: 1108,
  publisher: 'app',
  published_at: 1_000,
  expires_at: 2_000,
  forget_at: 2_000,
  charge: '',
}
const found = { topic: 'topic', id: 'id', seq: 7, publisher: 'app', tag: 1108, charge: '' }

test('returns a message while its row is certain to exist', () => {
  const cache = createCommitCache({ knownMs: 100 })
  expect(cache.message(7, 1_000)).toBeUndefined()
  cache.stored(stored)
  expect(cache.message(7, 1_099)).toMatchObject(found)
  expect(cache.message(8, 1_099)).toBeUndefined()
  expect(cache.message(7, 1_100)).toBeUndefined()
})

test('adds a stored message to the weight of its topic, if that is cached', () => {
  const cache = createCommitCache({ knownMs: 100 })
  cache.stored(stored)
  expect(cache.weights.get('topic')).toBeUndefined()
  cache.weights.set('topic', { messages: 2, bytes: 8 })
  cache.stored({ ...stored, id: 'next', seq: 8, bytes: 5 })
  expect(cache.weights.get('topic')).toEqual({ messages: 3, bytes: 13 })
})

test('`clear` removes messages, weights and subscribers', () => {
  const cache = createCommitCache({ knownMs: 100 })
  cache.weights.set('topic', { messages: 2, bytes: 8 })
  cache.subscribers.set('topic', ['app', 'wallet'])
  cache.stored(stored)
  cache.clear()
  expect(cache.message(7, 1_000)).toBeUndefined()
  expect(cache.weights.size + cache.subscribers.size).toBe(0)
})
