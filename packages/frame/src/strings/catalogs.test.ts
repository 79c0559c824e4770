import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { frameLanguages } from '@gatefold/protocol/frame'
import { describe, expect, it } from 'vitest'
import ar from './ar.ts'
import de from './de.ts'
import { en } from './en.ts'
import type { Catalog } from './language.ts'
import { translate } from './translate.ts'

const catalogs: Record<string, Catalog> = { de, ar }
const source = fileURLToPath(new URL('..', import.meta.url))

/** The source code of the frame, except the strings. */
function sources(): string {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('strings'))
    .map((name) => readFileSync(`${source}/${name}`, 'utf8'))
    .join('\n')
}

const placeholders = (text = '') => [...new Set(text.match(/\{\w+\}/g))].toSorted().join()

it('every language but English has a catalog', () => {
  expect(Object.keys(catalogs)).toEqual(frameLanguages.filter((tag) => tag !== 'en'))
})

describe.each(Object.entries(catalogs))('%s', (_, catalog) => {
  it('has the same keys as the English catalog', () => {
    expect(Object.keys(catalog).toSorted()).toEqual(Object.keys(en).toSorted())
  })

  it('has the same placeholders as the English catalog', () => {
    const wrong = Object.entries(en).filter(
      ([key, text]) => placeholders(text) !== placeholders(catalog[key]),
    )
    expect(wrong).toEqual([])
  })

  it('has no empty string', () => {
    expect(Object.values(catalog).filter((text) => text.trim() === '')).toEqual([])
  })
})

it('every key that the frame passes to `t` as a literal exists', () => {
  const used = [...sources().matchAll(/'([a-z]+\.[a-zA-Z_.]+)'/g)]
    .map((match) => match[1] ?? '')
    .filter((key) => Object.keys(en).some((one) => one.split('.')[0] === key.split('.')[0]))
  expect(used.length).toBeGreaterThan(150)
  expect(used.filter((key) => !(key in en) && !key.startsWith('frame.'))).toEqual([])
})

it('tone: no “please”, “oops”, “successfully” or “invalid”, and no exclamation mark', () => {
  const unfit = Object.values(en).filter((text) => /please|oops|successfully|invalid|!/i.test(text))
  expect(unfit).toEqual([])
})

it('attack: in a language from right to left, a value cannot reorder the sentence around it', () => {
  const t = translate(en, { tag: 'ar', catalog: ar })
  expect(t('approval.send', { amount: '2 ETH', to: '0x12…34' })).toBe(
    'إرسال \u20682 ETH\u2069 إلى \u20680x12…34\u2069',
  )
})
