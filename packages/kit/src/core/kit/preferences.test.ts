import { expect, test } from 'vitest'

import { defaultPreferences, parsePreferences } from './preferences.ts'

test('by default, amounts are in US dollars or in the site’s currency, and small balances are hidden', () => {
  expect(defaultPreferences()).toEqual({ currency: 'USD', showsSmall: false })
  expect(defaultPreferences('EUR')).toEqual({ currency: 'EUR', showsSmall: false })
})

test.each([
  [
    { currency: 'EUR', showsSmall: true },
    { currency: 'EUR', showsSmall: true },
  ],
  [{ showsSmall: false }, { showsSmall: false }],
  [{ currency: 'EUR', other: 1 }, { currency: 'EUR' }],
  [{ currency: 'eur', showsSmall: 'yes' }, {}],
  [{ currency: 'EURO', showsSmall: 1 }, {}],
  [{ currency: 'xEUR' }, {}],
  [{ currency: ['EUR'] }, {}],
  [7, {}],
  [null, {}],
  [undefined, {}],
])('attack: of the stored preferences %j, only %j are used', (stored, used) => {
  expect(parsePreferences(stored)).toEqual(used)
})
