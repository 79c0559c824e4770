import { expect, it } from 'vitest'
import { pageTexts } from './pageTexts.ts'
import { preferredLanguages } from './readPageLanguage.ts'

it.each([
  ['de-DE,de;q=0.9,en;q=0.8', ['de-DE', 'de', 'en']],
  ['en;q=0.5, ar', ['ar', 'en']],
  ['fr;q=0, de;q=0.1', ['de']],
  ['', ['']],
])('of “%s”, the languages are %j', (header, tags) => {
  expect(preferredLanguages(header)).toEqual(tags)
})

const placeholders = (text: string) => text.match(/\{\w+\}/g)

it.each(['de', 'ar'] as const)('%s has the same placeholders as English', (tag) => {
  for (const [key, text] of Object.entries(pageTexts.en))
    expect(placeholders(pageTexts[tag][key as keyof typeof pageTexts.en]), key).toEqual(
      placeholders(text),
    )
})
