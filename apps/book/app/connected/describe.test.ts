import { expect, test } from 'vitest'
import type { Entry } from '../wallet/money.ts'
import { describeEntry, formatAge, formatMoney } from './describe.ts'

const entry = (changes: Partial<Entry>): Entry => ({
  id: '1',
  action: 'send',
  status: 'confirmed',
  time: 0,
  moves: [{ direction: 'out', amount: '12.5', name: 'USDC' }],
  ...changes,
})

test.each([
  [entry({}), 'Sent', '−12.5 USDC'],
  [entry({ status: 'pending' }), 'Sending', '−12.5 USDC'],
  [entry({ status: 'failed' }), 'Failed: Sent', '12.5 USDC'],
  [
    entry({
      action: 'trade',
      moves: [
        { direction: 'out', amount: '1', name: 'ETH' },
        { direction: 'in', amount: '2750.25', name: 'USDC' },
      ],
    }),
    'Swapped',
    '+2,750.25 USDC',
  ],
  [
    entry({ action: 'mint', moves: [{ direction: 'in', amount: '1', name: 'Plate 8' }] }),
    'Minted',
    '+Plate 8',
  ],
  [entry({ action: 'execute', moves: [] }), 'Contract call', ''],
])('describes %o as %s %s', (given, title, amount) => {
  expect(describeEntry(given)).toMatchObject({ title, amount })
})

test.each([
  ['0', 'USD', '$0.00'],
  ['0.004', 'USD', '<$0.01'],
  ['1234.999', 'USD', '$1,234.99'],
  ['1234.999', 'EUR', '€1,234.99'],
  ['1234.999', 'JPY', '¥1,234'],
  ['0.4', 'JPY', '<¥1'],
  ['123456789012345678.99', 'USD', '$123,456,789,012,345,678.99'],
])('formats %s %s as %s, never rounded up', (value, currency, shown) => {
  expect(formatMoney(value, currency)).toBe(shown)
})

test.each([
  [30_000, 'just now'],
  [-30_000, 'just now'],
  [150_000, '2 minutes ago'],
  [26 * 3_600_000, 'yesterday'],
])('formats an age of %i ms as %s', (age, shown) => {
  expect(formatAge(1_700_000_000_000 - age, 1_700_000_000_000)).toBe(shown)
})
