import { expect, test } from 'vitest'

import { buyState } from './buyState.ts'
import type { OnrampQuote } from './onramp.ts'

const method = { id: 'card', min: '10.00', max: '7500.00' } as const
const quoteOf = (provider: string) => ({ provider }) as OnrampQuote
const [best, second] = [quoteOf('toll'), quoteOf('quay')]
const quotes = { quotes: [best, second], refusals: [] }
const none = { quotes: [], refusals: [] }
const base = { text: '250', method, quotes: undefined, isFailed: false, provider: undefined }

test.each([
  ['', 'noAmount', undefined],
  ['.', 'noAmount', undefined],
  ['0.00', 'noAmount', undefined],
  ['250.001', 'decimals', undefined],
  ['9.99', 'tooLittle', undefined],
  ['10', 'quoting', '10'],
  ['250.50', 'quoting', '250.5'],
  ['7500', 'quoting', '7500'],
  ['7500.01', 'tooMuch', undefined],
  ['99999999999999999999', 'tooMuch', undefined],
])('§9.5 the payment %j is %s', (text, status, amount) => {
  expect(buyState({ ...base, text })).toEqual({ status, amount, quote: undefined })
})

test('with prices, the best one is chosen, unless the visitor has chosen another', () => {
  expect(buyState({ ...base, quotes })).toMatchObject({ status: 'ready', quote: best })
  const chosen = { ...base, quotes, provider: 'quay' }
  expect(buyState(chosen)).toMatchObject({ status: 'ready', quote: second })
  expect(buyState({ ...base, quotes, provider: 'gone' })).toMatchObject({ quote: best })
})

test('without prices, it is refused, or they failed to load', () => {
  expect(buyState({ ...base, quotes: none })).toMatchObject({ status: 'refused' })
  expect(buyState({ ...base, isFailed: true })).toMatchObject({ status: 'failed' })
})
