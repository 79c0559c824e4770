import { expect, test } from 'vitest'
import { relayMethods, type RelayMethod } from '@gatefold/protocol/relay'
import { costOf } from './costOf.ts'

test.each<[RelayMethod, string, number]>([
  ['irn_publish', 'publish', 1],
  ['irn_batchPublish', 'publish', 7],
  ['irn_subscribe', 'topic', 1],
  ['irn_subscribeBlocking', 'topic', 1],
  ['irn_batchSubscribe', 'topic', 5],
  ['irn_batchSubscribeBlocking', 'topic', 5],
  ['irn_unsubscribe', 'topic', 1],
  ['irn_batchUnsubscribe', 'topic', 3],
  ['irn_fetchMessages', 'topic', 1],
  ['irn_batchFetchMessages', 'topic', 5],
  ['irn_batchReceive', 'topic', 2],
  ['irn_watchRegister', 'topic', 50],
  ['irn_watchUnregister', 'topic', 50],
  ['wc_createTopic', 'topic', 1],
  ['wc_proposeSession', 'publish', 1],
  ['wc_approveSession', 'publish', 2],
])('attack: %s is charged as %s × %i', (method, kind, units) => {
  const list = (length: number) => Array.from({ length }, () => 'x')
  const params = {
    messages: list(7),
    topics: list(5),
    subscriptions: list(3),
    receipts: list(2),
  }
  expect(costOf({ method, params })).toEqual({ kind, units })
})

test.each([undefined, null, {}, [], 'text', { topics: 'all' }])(
  'a batch with invalid params (%j) costs one unit',
  (params) => {
    expect(costOf({ method: 'irn_batchSubscribe', params })).toEqual({ kind: 'topic', units: 1 })
  },
)

test('an empty batch costs nothing', () => {
  expect(costOf({ method: 'irn_batchSubscribe', params: { topics: [] } }).units).toBe(0)
})

test('every method has a cost', () => {
  for (const method of Object.keys(relayMethods) as RelayMethod[])
    expect(costOf({ method, params: {} }).units).toBeGreaterThan(0)
})
