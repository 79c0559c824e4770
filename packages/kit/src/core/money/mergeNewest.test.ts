import { expect, test } from 'vitest'

import type { Activity } from './activity.ts'
import { mergeNewest } from './mergeNewest.ts'

const page = (ids: string, next?: string) => ({
  activities: ids.split('').map((id) => ({ id }) as Activity),
  next,
  currency: 'USD',
})
const list = (...pages: ReturnType<typeof page>[]) => ({
  pages,
  pageParams: pages.map((_, index) => (index === 0 ? undefined : `after ${index}`)),
})
const idsOf = ({ pages }: ReturnType<typeof mergeNewest>) =>
  pages.map(({ activities }) => activities.map(({ id }) => id).join(''))

test('new transactions come first, and those that they push out of the page remain', () => {
  const merged = mergeNewest(list(page('cde', '1'), page('fg')), page('abc', 'x'))
  expect(idsOf(merged)).toEqual(['abcde', 'fg'])
  expect(merged.pages[0]?.next).toBe('1')
  expect(merged.pageParams).toEqual([undefined, 'after 1'])
})

test('a page that has not changed does not change the list', () => {
  const before = list(page('abc', '1'), page('de'))
  expect(mergeNewest(before, page('abc', '1'))).toEqual(before)
})

test('a transaction that the chain has dropped is removed', () => {
  expect(idsOf(mergeNewest(list(page('abcd', '1'), page('e')), page('acd', '1')))).toEqual([
    'acd',
    'e',
  ])
})

test('if every entry of a page is new, the list contains only that page', () => {
  const merged = mergeNewest(list(page('def', '1'), page('gh')), page('abc', '2'))
  expect(merged).toEqual({ pages: [page('abc', '2')], pageParams: [undefined] })
})

test('the first transaction of an account is added to an empty list', () => {
  expect(idsOf(mergeNewest(list(page('')), page('a')))).toEqual(['a'])
})
