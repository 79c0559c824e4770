import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import ar from './ar.ts'
import de from './de.ts'
import { en } from './en.ts'

const ui = fileURLToPath(new URL('..', import.meta.url))

/** The source of every view, part and button. */
function sources(): string {
  return readdirSync(ui, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('strings'))
    .map((name) => readFileSync(`${ui}/${name}`, 'utf8'))
    .join('\n')
}

const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()

describe.each([
  ['de', de],
  ['ar', ar],
])('%s', (_, catalogue) => {
  test('has every text of the English one, and no other', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(en).toSorted())
  })

  test('fills the same holes', () => {
    const wrong = Object.entries(en).filter(
      ([key, text]) => holes(text).join() !== holes(catalogue[key as keyof typeof en]).join(),
    )
    expect(wrong).toEqual([])
  })

  test('leaves no text empty', () => {
    expect(Object.values(catalogue).filter((text) => text.trim() === '')).toEqual([])
  })
})

test('every text that is asked for exists', () => {
  const asked = [...sources().matchAll(/\bt\(\s*'([a-zA-Z]+\.[a-zA-Z]+)'/g)].map(
    (match) => match[1] ?? '',
  )
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.filter((key) => !(key in en))).toEqual([])
})

test('texts are plain: no please, no oops, no exclamation mark', () => {
  const rude = Object.values(en).filter((text) => /please|oops|successfully|invalid|!/i.test(text))
  expect(rude).toEqual([])
})
