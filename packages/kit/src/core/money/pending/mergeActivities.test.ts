import { mainnet } from 'viem/chains'
import { expect, test } from 'vitest'

import { toNetwork } from '../../networks/Network.ts'
import type { Activity } from '../activity.ts'
import { mergeActivities } from './mergeActivities.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

const network = toNetwork(mainnet)
const listed = (hash: string, time: number) =>
  ({ id: `history-${hash}`, hash, time, network, status: 'confirmed' }) as Activity
const own = (hash: string, time: number, change: Partial<PendingTransaction> = {}) =>
  ({
    id: hash,
    hash,
    time,
    networkId: 'eip155:1',
    type: 'send',
    status: 'pending',
    ...change,
  }) as PendingTransaction
const merge = (activities: Activity[], submitted: PendingTransaction[]) =>
  mergeActivities(activities, submitted, [network]).map(({ id, status }) => `${id} ${status}`)

test('pending transactions come first; those that ended are sorted by time', () => {
  expect(
    merge(
      [listed('b', 4), listed('a', 1)],
      [own('old', 0), own('done', 2, { status: 'confirmed', endedAt: 3 })],
    ),
  ).toEqual(['old pending', 'history-b confirmed', 'done confirmed', 'history-a confirmed'])
})

test('a transaction that the history lists has one row, which keeps its id', () => {
  expect(merge([listed('a', 5)], [own('a', 4)])).toEqual(['a confirmed'])
  // Sped up: the history contains the hash of the version that was included.
  expect(merge([listed('fast', 5)], [own('first', 4, { hash: 'fast' })])).toEqual([
    'first confirmed',
  ])
})

test('a canceled transaction keeps its own row; a replaced one is listed next to its replacement', () => {
  const ended = { hash: 'other', endedAt: 2 } as const
  expect(merge([listed('other', 3)], [own('a', 1, { ...ended, status: 'canceled' })])).toEqual([
    'a canceled',
  ])
  expect(merge([listed('other', 3)], [own('a', 1, { ...ended, status: 'replaced' })])).toEqual([
    'history-other confirmed',
    'a replaced',
  ])
})

test('a transaction on a network that the site no longer has is omitted', () => {
  expect(merge([], [own('a', 1, { networkId: 'eip155:7' })])).toEqual([])
})
