import { expect, test } from 'vitest'

import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'
import { groupByDay } from './groupByDay.ts'

const texts = { today: 'Today', yesterday: 'Yesterday' }
const now = new Date(2026, 10, 20, 1, 30).getTime()
const at = (...parts: [number, number, number, number?]) =>
  ({ id: parts.join('-'), time: new Date(...parts).getTime() }) as ActivityEntry

test('groups transactions by local day; from last year on, by month', () => {
  const groups = groupByDay(
    [
      at(2026, 10, 20, 1),
      at(2026, 10, 20, 0),
      at(2026, 10, 19, 23),
      at(2026, 10, 18, 12),
      at(2025, 11, 31),
      at(2025, 11, 1),
      at(2024, 11, 1),
    ],
    'en',
    texts,
    now,
  )
  expect(groups.map(({ day, activities }) => [day, activities.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Wednesday, November 18', 1],
    ['December 2025', 2],
    ['December 2024', 1],
  ])
})

test('uses the language of the visitor', () => {
  expect(groupByDay([at(2026, 10, 18)], 'de', texts, now)[0]?.day).toBe('Mittwoch, 18. November')
})
