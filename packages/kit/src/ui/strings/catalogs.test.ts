import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import ar from './ar.ts'
import de from './de.ts'
import { en } from './en.ts'

const ui = fileURLToPath(new URL('..', import.meta.url))

/** The source code of the UI, except the strings. */
function sources(): string {
  return readdirSync(ui, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('strings'))
    .map((name) => readFileSync(`${ui}/${name}`, 'utf8'))
    .join('\n')
}

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()

describe.each([
  ['de', de],
  ['ar', ar],
])('%s', (_, catalog) => {
  test('has the same keys as the English catalog', () => {
    expect(Object.keys(catalog).toSorted()).toEqual(Object.keys(en).toSorted())
  })

  test('has the same placeholders as the English catalog', () => {
    const wrong = Object.entries(en).filter(
      ([key, text]) =>
        placeholders(text).join() !== placeholders(catalog[key as keyof typeof en]).join(),
    )
    expect(wrong).toEqual([])
  })

  test('has no empty string', () => {
    expect(Object.values(catalog).filter((text) => text.trim() === '')).toEqual([])
  })
})

test('every key that a component passes to `t` as a literal exists', () => {
  const used = [...sources().matchAll(/\bt\(\s*'([a-zA-Z]+\.[a-zA-Z]+)'/g)].map(
    (match) => match[1] ?? '',
  )
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter((key) => !(key in en))).toEqual([])
})

test('tone: no “please”, “oops”, “successfully” or “invalid”, and no exclamation mark', () => {
  const unfit = Object.values(en).filter((text) => /please|oops|successfully|invalid|!/i.test(text))
  expect(unfit).toEqual([])
})
