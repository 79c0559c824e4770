import { expect, test } from 'vitest'
import { createRecall } from './createRecall.ts'

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
}
const found = { topic: 'topic', id: 'id', seq: 7, publisher: 'app', tag: 1108 }

test('a message is recalled while its row is kept for certain', () => {
  const recall = createRecall({ knownMs: 100 })
  expect(recall.message(7, 1_000)).toBeUndefined()
  recall.stored(stored)
  expect(recall.message(7, 1_099)).toMatchObject(found)
  expect(recall.message(8, 1_099)).toBeUndefined()
  expect(recall.message(7, 1_100)).toBeUndefined()
})

test('what is stored weighs on a topic that was counted', () => {
  const recall = createRecall({ knownMs: 100 })
  recall.stored(stored)
  expect(recall.weights.get('topic')).toBeUndefined()
  recall.weights.set('topic', { messages: 2, bytes: 8 })
  recall.stored({ ...stored, id: 'next', seq: 8, bytes: 5 })
  expect(recall.weights.get('topic')).toEqual({ messages: 3, bytes: 13 })
})

test('nothing is recalled after a commit whose outcome is open', () => {
  const recall = createRecall({ knownMs: 100 })
  recall.weights.set('topic', { messages: 2, bytes: 8 })
  recall.subscribers.set('topic', ['app', 'wallet'])
  recall.stored(stored)
  recall.clear()
  expect(recall.message(7, 1_000)).toBeUndefined()
  expect(recall.weights.size + recall.subscribers.size).toBe(0)
})
