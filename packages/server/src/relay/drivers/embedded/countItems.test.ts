import { expect, test } from 'vitest'
import { countItems, laneOf } from './countItems.ts'

test.each<[Parameters<typeof countItems>[0], items: number, lane: string]>([
  [{ kind: 'publish', messages: [{ publisher: 'app' }, { publisher: 'other' }] }, 2, 'app'],
  [{ kind: 'publish', messages: [] }, 0, ''],
  [{ kind: 'subscribe', clientId: 'wallet', topics: ['a', 'b', 'c'] }, 3, 'wallet'],
  [{ kind: 'unsubscribe', clientId: 'wallet', topics: ['a'] }, 1, 'wallet'],
  [{ kind: 'acknowledge', clientId: 'wallet', receipts: [{}, {}] }, 2, 'wallet'],
])('%j has %i items of the client %j', (write, items, lane) => {
  expect([countItems(write), laneOf(write)]).toEqual([items, lane])
})
