import { expect, test } from 'vitest'

import { toFrameLanguage } from './language.ts'

test.each([
  [['de'], 'de'],
  [['de-AT'], 'de'],
  [['DE-at'], 'de'],
  [['fr-CH', 'ar-EG', 'de'], 'ar'],
  [['fr'], 'en'],
  [[], 'en'],
])('the language for %j is %s', (tags, expected) => {
  expect(toFrameLanguage(tags)).toBe(expected)
})

test('attack: a tag that is a path, an object key or markup selects English', () => {
  for (const tag of ['../de', 'de/../ar', '__proto__', 'constructor', '<b>de</b>', 'de_AT', ''])
    expect(toFrameLanguage([tag])).toBe('en')
})
