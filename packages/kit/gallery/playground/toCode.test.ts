import { expect, test } from 'vitest'

import { defaults, galleryUrl, readSettings, toQuery } from './settings.ts'
import type { Settings } from './settings.ts'
import { toCode } from './toCode.ts'

const changed: Settings = {
  scene: 'Networks.failed',
  theme: 'dark',
  variables: { accent: '#E11D48', font: "'Inter', sans-serif" },
  locale: 'de',
  mirrored: true,
  wide: true,
  size: 'phone',
}

test('the code contains the options that differ from their defaults', () => {
  expect(toCode(defaults)).not.toMatch(/theme|locale|modalSize|kit\.open/)
  const code = toCode(changed)
  expect(code).toContain("  modalSize: 'wide',")
  expect(code).toContain("  themeMode: 'dark',\n  themeVariables: {\n    '--gf-accent': '#E11D48',")
  expect(code).toContain("    '--gf-font-family': '\\'Inter\\', sans-serif',")
  expect(code).toContain(
    "  locale: 'de',\n  locales: {\n    de: () => import('@gatefold/kit/locales/de'),",
  )
  expect(code).toContain("void kit.open({ view: 'Networks' })")
})

test('a URL contains the settings', () => {
  expect(readSettings(new URLSearchParams(toQuery(changed)))).toEqual(changed)
  expect(toQuery(defaults)).toBe('')
  expect(readSettings(new URLSearchParams('theme=auto&locale=xx&viewport=9'))).toEqual(defaults)
})

test('the gallery receives the settings', () => {
  const query = (settings: Settings) => new URLSearchParams(galleryUrl(settings).slice(3))
  expect(Object.fromEntries(query(changed))).toMatchObject({
    view: 'Networks',
    state: 'failed',
    theme: 'dark',
    accent: '#E11D48',
    locale: 'de',
    wide: '',
  })
  expect(query({ ...defaults, mirrored: true }).get('dir')).toBe('rtl')
})
