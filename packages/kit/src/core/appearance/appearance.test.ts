import { expect, test } from 'vitest'

import { useKits } from '../testing/useKits.ts'
import { setLocale, setTheme } from './appearance.ts'

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
  const { kit } = start()
  expect(kit.getState().locale).toBe('en')
  setLocale(kit, 'ar')
  expect(kit.getState().locale).toBe('ar')
})
