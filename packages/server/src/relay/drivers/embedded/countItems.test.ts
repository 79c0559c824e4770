import { expect, test } from 'vitest'
import { countItems, laneOf } from './countItems.ts'

test.each<[Parameters<typeof countItems>[0], items: number, clientId: string]>([
  [
    { address: 'home', kind: 'publish', messages: [{ publisher: 'app' }, { publisher: 'other' }] },
    2,
    'app',
  ],
  [{ address: 'home', kind: 'publish', messages: [] }, 0, ''],
  [
    { address: 'home', kind: 'subscribe', clientId: 'wallet', topics: ['a', 'b', 'c'] },
    3,
    'wallet',
  ],
  [{ address: 'home', kind: 'unsubscribe', clientId: 'wallet', topics: ['a'] }, 1, 'wallet'],
  [{ address: 'home', kind: 'acknowledge', clientId: 'wallet', receipts: [{}, {}] }, 2, 'wallet'],
])('%j has %i items of the client %j', (write, items, clientId) => {
  expect(countItems(write)).toBe(items)
  expect(laneOf(write)).toEqual({ address: 'home', clientId })
})
