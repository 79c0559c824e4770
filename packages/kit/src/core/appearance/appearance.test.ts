import { expect, test } from 'vitest'

import { useKits } from '../testing/useKits.ts'
import { setLocale, setTheme } from './appearance.ts'
import { themeVariables } from './theme.ts'
import type { ThemeVariables } from './theme.ts'

const { start } = useKits()

test('§2.15.1 changing the theme keeps a mode and variables that are not given', () => {
  const { kit } = start({ themeMode: 'dark', themeVariables: { '--gf-accent': 'red' } })
  setTheme(kit, { variables: { '--w3m-z-index': 5 } })
  expect(kit.getState().theme).toEqual({
    mode: 'dark',
    variables: { '--gf-accent': 'red', '--gf-z-index': '5' },
  })
  setTheme(kit, { mode: 'light', variables: { '--gf-accent': undefined } })
  expect(kit.getState().theme).toEqual({
    mode: 'light',
    variables: { '--gf-accent': 'red', '--gf-z-index': '5' },
  })
})

test('the language is English until it is changed', () => {
  const { kit } = start({ locales: { ar: async () => ({ default: {} }) } })
  expect(kit.getState().locale).toBe('en')
  setLocale(kit, 'ar')
  expect(kit.getState().locale).toBe('ar')
})

test('error: a language without a catalog is rejected, and the current language is kept', () => {
  const { kit } = start({ locales: { ar: async () => ({ default: {} }) } })
  expect(() => setLocale(kit, 'fr')).toThrow('There is no catalog for the locale')
  expect(kit.getState().locale).toBe('en')
})

test('§2.15.1 a site can set every variable, by both of its names', () => {
  const values = {
    accent: 'red',
    background: '#fff',
    'color-mix': 'blue',
    'color-mix-strength': 20,
    'font-family': 'serif',
    'font-size-master': 12,
    'border-radius-master': '2px',
    'z-index': 5,
  }
  const named = (prefix: string): ThemeVariables =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]))
  const expected = { '--gf-color-mix-strength': '20%', '--gf-font-size-master': '12px' }
  for (const prefix of ['--gf-', '--w3m-']) {
    const { variables } = start({ themeVariables: named(prefix) }).kit.getState().theme
    expect(variables).toEqual({ ...named('--gf-'), '--gf-z-index': '5', ...expected })
  }
})

test.each([
  ['no variables', undefined, {}],
  ['a number, in pixels', { '--gf-font-size-master': 12 }, { '--gf-font-size-master': '12px' }],
  ['a string, unchanged', { '--gf-font-size-master': '1em' }, { '--gf-font-size-master': '1em' }],
  [
    'a mix strength, in percent',
    { '--gf-color-mix-strength': 8 },
    { '--gf-color-mix-strength': '8%' },
  ],
  ['a z-index, without a unit', { '--gf-z-index': 5 }, { '--gf-z-index': '5' }],
  [
    'AppKit’s names',
    { '--w3m-z-index': 5, '--w3m-accent': 'red' },
    { '--gf-z-index': '5', '--gf-accent': 'red' },
  ],
  [
    'our name after AppKit’s',
    { '--w3m-accent': 'red', '--gf-accent': 'blue' },
    { '--gf-accent': 'blue' },
  ],
  [
    'our name before AppKit’s',
    { '--gf-accent': 'blue', '--w3m-accent': 'red' },
    { '--gf-accent': 'blue' },
  ],
  [
    'an undefined variable',
    { '--gf-accent': undefined, '--w3m-accent': 'red' },
    { '--gf-accent': 'red' },
  ],
])('§2.15.1 §9.11.1 CSS variables are created from %s', (_, variables, expected) => {
  expect(themeVariables(variables)).toEqual(expected)
})
