import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  AnalyticsEvent,
  isRpcRequest,
  maxEventBatchBytes,
  maxEventBytes,
  maxRpcBodyBytes,
  RpcRequest,
  WalletsQuery,
  WalletsResponse,
} from './index.ts'

/** Joins the field and the message of every problem, in the words that error responses contain. */
function problem(schema: v.GenericSchema, value: unknown) {
  const { issues } = v.safeParse(schema, value)
  return issues?.map((issue) => `${v.getDotPath(issue) ?? 'body'} ${issue.message}`).join(', ')
}

describe('a JSON-RPC request', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }

  test.each([[{}], [{ id: null }], [{ params: [1, 'a'] }], [{ params: { to: '0x' } }]])(
    'may have %j',
    (change) => {
      const changed = { ...request, ...change }
      expect(v.parse(RpcRequest, changed)).toEqual(changed)
      expect(isRpcRequest(changed)).toBe(true)
    },
  )

  test.each([
    [{ jsonrpc: '1.0' }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: '' }, 'jsonrpc must be "2.0"'],
    [{ id: {} }, 'id must be a string or a number'],
    [{ id: undefined }, 'id must be a string or a number'],
    [{ id: true }, 'id must be a string or a number'],
    [{ method: 7 }, 'method must be a string'],
    [{ method: '' }, 'method must not be empty'],
    [{ params: 'a' }, 'params must be an array or an object'],
    [{ params: null }, 'params must be an array or an object'],
  ])('error: with %j, %s', (change, expected) => {
    expect(problem(RpcRequest, { ...request, ...change })).toBe(expected)
    expect(isRpcRequest({ ...request, ...change })).toBe(false)
  })

  test('error: must be an object, and its id has at most 256 characters', () => {
    expect(problem(RpcRequest, 'text')).toBe('body must be a JSON-RPC request object')
    expect([isRpcRequest('text'), isRpcRequest(null)]).toEqual([false, false])
    for (const length of [0, 256, 257])
      expect(isRpcRequest({ ...request, id: 'x'.repeat(length) })).toBe(length <= 256)
    expect(problem(RpcRequest, { ...request, id: 'x'.repeat(256) })).toBeUndefined()
    expect(problem(RpcRequest, { ...request, id: 'x'.repeat(257) })).toBe(
      'id must be at most 256 characters long',
    )
  })
})

describe('§7.7.1 an analytics event', () => {
  const event = {
    eventId: 'a',
    url: 'https://page.example/',
    domain: 'page.example',
    timestamp: 1_800_000_000_000,
    props: { type: 'track', event: 'MODAL_OPEN', properties: { connected: true } },
  }
  const time = 'timestamp must be milliseconds since 1970 or an ISO 8601 time'

  test.each([
    [{}],
    [{ timestamp: '2026-11-23T12:00:00.000Z' }],
    [{ url: undefined, domain: undefined, props: { event: 'MODAL_OPEN' } }],
  ])('may have %j', (change) =>
    expect(v.parse(AnalyticsEvent, { ...event, ...change })).toEqual({ ...event, ...change }),
  )

  test.each([
    [{ eventId: 7 }, 'eventId must be a string'],
    [{ eventId: '' }, 'eventId must not be empty'],
    [{ timestamp: 'yesterday' }, time],
    [{ timestamp: Infinity }, time],
    [{ timestamp: null }, time],
    [{ props: 'MODAL_OPEN' }, 'props must be an object with an event name'],
    [{ props: { event: 7 } }, 'props.event must be a string'],
    [{ props: { event: '' } }, 'props.event must not be empty'],
    [{ props: { event: 'a', type: 7 } }, 'props.type must be a string'],
  ])('error: with %j, %s', (change, expected) =>
    expect(problem(AnalyticsEvent, { ...event, ...change })).toBe(expected),
  )

  test('error: must be an object', () => {
    expect(problem(AnalyticsEvent, 'text')).toBe('body must be an object')
  })

  test.each([
    ['eventId', 100],
    ['url', 4_096],
    ['domain', 253],
  ])('error: its %s has at most %d characters', (field, limit) => {
    const withLength = (length: number) => ({ ...event, [field]: 'x'.repeat(length) })
    expect(problem(AnalyticsEvent, withLength(limit))).toBeUndefined()
    expect(problem(AnalyticsEvent, withLength(limit + 1))).toBe(
      `${field} must be at most ${limit} characters long`,
    )
  })
})

describe('a query for wallets', () => {
  test.each([
    [{}, { page: 1, entries: 40 }],
    [
      { page: '999999', entries: '100' },
      { page: 999_999, entries: 100 },
    ],
    [{ search: ' rain bow ' }, { search: 'rain bow' }],
    [
      { badge_type: 'none', badge: 'certified' },
      { badge_type: 'none', badge: 'certified' },
    ],
    [{ badge: 'none' }, { badge: 'none' }],
    [{ include: ' a ,,b:c.d-e_f, ' }, { include: ['a', 'b:c.d-e_f'] }],
    [{ exclude: 'a1' }, { exclude: ['a1'] }],
    [{ chains: 'eip155:1' }, { chains: ['eip155:1'] }],
    [{ names: 'Börse (beta)' }, { names: ['Börse (beta)'] }],
    [{ rdns: 'io.metamask' }, { rdns: ['io.metamask'] }],
    [{ include_pay_only: 'true' }, { include_pay_only: 'true' }],
    [{ include_pay_only: 'false' }, { include_pay_only: 'false' }],
    [{ unknown: 'x' }, {}],
  ])('%j is read as %j', (query, expected) =>
    expect(v.parse(WalletsQuery, query)).toEqual({ page: 1, entries: 40, ...expected }),
  )

  const page = 'page must be a whole number of at least 1'
  const entries = 'entries must be a whole number from 1 to 100'
  const include = 'include must be a comma-separated list of wallet ids'
  const chains = 'chains must be a comma-separated list of CAIP-2 network ids such as eip155:1'
  const names = 'names must be a comma-separated list of wallet names'

  test.each([
    [{ page: '0' }, page],
    [{ page: '1.5' }, page],
    [{ page: '-1' }, page],
    [{ page: '1e3' }, page],
    [{ page: 'x1' }, page],
    [{ page: '1234567' }, page],
    [{ entries: '0' }, entries],
    [{ entries: '101' }, entries],
    [{ entries: '1x' }, entries],
    [{ entries: 'x1' }, entries],
    [{ page: 'x', entries: '101' }, `${page}, ${entries}`],
    [{ entries: '-1' }, entries],
    [{ entries: '20000' }, entries],
    [{ badge_type: 'gold' }, 'badge_type must be certified or none'],
    [{ badge: 'gold' }, 'badge must be certified or none'],
    [{ include: 'a,b c' }, include],
    [{ include: '(a' }, include],
    [{ include: 'a)' }, include],
    [{ exclude: '?' }, 'exclude must be a comma-separated list of wallet ids'],
    [{ chains: 'eip155' }, chains],
    [{ chains: '(eip155:1' }, chains],
    [{ chains: 'eip155:1)' }, chains],
    [{ names: 'a\nb' }, names],
    [{ names: 'a\u0007' }, names],
    [{ names: '\u0007a' }, names],
    [{ rdns: '?' }, 'rdns must be a comma-separated list of reverse domain names'],
    [{ include_pay_only: 'yes' }, 'include_pay_only must be true or false'],
  ])('error: in %j, %s', (query, expected) => expect(problem(WalletsQuery, query)).toBe(expected))

  test.each([
    ['search', 100, 'search must be at most 100 characters long'],
    ['include', 128, include],
    ['names', 100, names],
  ])('error: the text in %s has at most %d characters', (field, limit, expected) => {
    expect(problem(WalletsQuery, { [field]: 'x'.repeat(limit) })).toBeUndefined()
    expect(problem(WalletsQuery, { [field]: 'x'.repeat(limit + 1) })).toBe(expected)
  })

  test('error: a list has at most 1,000 items', () => {
    expect(problem(WalletsQuery, { include: ids(1_000) })).toBeUndefined()
    expect(problem(WalletsQuery, { include: ids(1_001) })).toBe(
      'include must have at most 1000 items',
    )
  })

  test('a page may have more than 100 entries only if as many ids are included', () => {
    expect(problem(WalletsQuery, { entries: '150', include: ids(150) })).toBeUndefined()
    expect(problem(WalletsQuery, { entries: '151', include: ids(150) })).toBe(entries)
    expect(problem(WalletsQuery, { entries: '100', include: ids(2) })).toBeUndefined()
  })
})

function ids(count: number) {
  return Array.from({ length: count }, (_, index) => `id${index}`).join()
}

test('the response to a query for wallets contains their total number and the listings', () => {
  const response = { count: 2, data: [{ id: 'a', name: 'A' }] }
  expect(v.parse(WalletsResponse, response)).toEqual(response)
  expect(v.is(WalletsResponse, { ...response, count: null })).toBe(false)
  expect(v.is(WalletsResponse, { ...response, data: [{ id: 'a' }] })).toBe(false)
})

test('a JSON-RPC body may have 1 MiB, an event 8 KiB and a batch of events 64 KiB', () => {
  expect([maxRpcBodyBytes, maxEventBytes, maxEventBatchBytes]).toEqual([1_048_576, 8_192, 65_536])
})
