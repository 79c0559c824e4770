import { expect, test } from 'vitest'
import { createRecentlyDeleted } from './recentlyDeleted.ts'

test('§4.18.7/1 §4.18.7/2 §8.9.3 deleted ids are rejected; at the limit, the older half is evicted', () => {
  const deleted = createRecentlyDeleted()
  for (let id = 0; id < 199; id++) deleted.add(id, 'request')
  expect(() => deleted.assertNotDeleted(0)).toThrow(
    'Missing or invalid. Record was recently deleted - request: 0',
  )
  expect(() => deleted.assertNotDeleted(199)).not.toThrow()

  // This id was deleted a second time, so it is not in the older half.
  deleted.add(0, 'request')
  deleted.add('topic', 'session')
  expect([1, 100].map((id) => deleted.has(id))).toEqual([false, false])
  expect([101, 198, 0, 'topic'].map((id) => deleted.has(id))).toEqual([true, true, true, true])
})
