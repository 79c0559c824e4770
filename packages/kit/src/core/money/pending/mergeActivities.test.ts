import { mainnet, optimism } from 'viem/chains'
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

test('a transaction is the same only on the same network', () => {
  const other = own('a', 4, { networkId: 'eip155:10' })
  expect(
    mergeActivities([listed('a', 5)], [other], [network, toNetwork(optimism)]).map(({ id }) => id),
  ).toEqual(['a', 'history-a'])
})

test('a row of a submitted transaction has its values and the time at which it ended', () => {
  const transfers = [{ direction: 'out', name: 'ETH', amount: '1', isNft: false, image: undefined }]
  const ended = own('a', 1, {
    status: 'failed',
    endedAt: 2,
    account: '0xfrom',
    to: '0xto',
    transfers: transfers as PendingTransaction['transfers'],
  })
  expect(mergeActivities([], [ended], [network])).toEqual([
    {
      id: 'a',
      type: 'send',
      status: 'failed',
      hash: 'a',
      network,
      time: 2,
      from: '0xfrom',
      to: '0xto',
      transfers,
      isSpam: false,
      submitted: ended,
    },
  ])
})

test('a canceled transaction has the time of the transaction that canceled it', () => {
  const canceled = own('a', 1, { hash: 'other', endedAt: 2, status: 'canceled' })
  expect(mergeActivities([listed('other', 3)], [canceled], [network])).toMatchObject([
    { id: 'a', time: 3, submitted: canceled },
  ])
})

test('a transaction on a network that the site no longer has is omitted', () => {
  expect(merge([], [own('a', 1, { networkId: 'eip155:7' })])).toEqual([])
})
