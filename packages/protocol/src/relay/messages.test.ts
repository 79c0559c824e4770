import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  RelayAnswer,
  relayErrorCodes,
  relayErrorPrefixes,
  relayInvitationTags,
  RelayPush,
  relayPushMethod,
} from './index.ts'

describe('a client recognizes a push', () => {
  const data = { topic: 'a'.repeat(64), message: 'text', publishedAt: 1, tag: 1108 }
  const push = { id: 1, jsonrpc: '2.0', method: relayPushMethod, params: { id: 'sub', data } }

  test.each([
    ['the method of this relay', {}],
    ['a method with the prefix irn_', { method: 'irn_subscription' }],
    ['a method with the prefix iridium_', { method: 'iridium_subscription' }],
    ['a method with the prefix waku_', { method: 'waku_subscription' }],
    ['a text as its id', { id: 'a' }],
    ['an attestation', { params: { id: 'sub', data: { ...data, attestation: 'jwt' } } }],
    ['no attestation', { params: { id: 'sub', data: { ...data, attestation: null } } }],
  ])('with %s', (_, change) =>
    expect(v.parse(RelayPush, { ...push, ...change })).toEqual({ ...push, ...change }),
  )

  test.each([
    ['another method', { method: 'irn_publish' }],
    ['an empty method', { method: '' }],
    ['another version', { jsonrpc: '1.0' }],
    ['an empty version', { jsonrpc: '' }],
    ['no id', { id: null }],
    ['no data', { params: { id: 'sub' } }],
    ['no subscription', { params: { data } }],
    ['no topic', { params: { id: 'sub', data: { ...data, topic: undefined } } }],
    [
      'a topic that is too long',
      { params: { id: 'sub', data: { ...data, topic: 'a'.repeat(65) } } },
    ],
    [
      'a topic that is too short',
      { params: { id: 'sub', data: { ...data, topic: 'a'.repeat(63) } } },
    ],
    [
      'a topic in other text',
      { params: { id: 'sub', data: { ...data, topic: `x${data.topic}` } } },
    ],
    ['a message that is not a text', { params: { id: 'sub', data: { ...data, message: 1 } } }],
    ['a tag that is not a number', { params: { id: 'sub', data: { ...data, tag: '1108' } } }],
  ])('error: not with %s', (_, change) =>
    expect(v.is(RelayPush, { ...push, ...change })).toBe(false),
  )
})

describe('a client recognizes a response', () => {
  const response = { id: 1, jsonrpc: '2.0' }

  test.each([
    [{ result: true }],
    [{ result: null }],
    [{ error: { code: 3000, message: 'Auth error', data: 'InvalidJwt' } }],
    [{ error: { code: -32_603, message: 'Internal error' } }],
    [{ id: 'a', result: true }],
  ])('with %j', (change) =>
    expect(v.parse(RelayAnswer, { ...response, ...change })).toEqual({ ...response, ...change }),
  )

  test.each([
    [{}],
    [{ error: 'text' }],
    [{ error: { message: 'Auth error' } }],
    [{ error: { code: 3000, message: 'Auth error', data: 7 } }],
    [{ id: null, result: true }],
    [{ jsonrpc: '', result: true }],
    [{ jsonrpc: '', error: { code: 3000, message: 'Auth error' } }],
    [{ method: 'irn_subscription', params: {} }],
  ])('error: not with %j', (change) =>
    expect(v.is(RelayAnswer, { ...response, ...change })).toBe(false),
  )
})

test('the error codes, their prefixes and the invitation tags are those of the contract', () => {
  const kinds = Object.entries(relayErrorPrefixes).map(([kind, prefix]) => [
    relayErrorCodes[kind as keyof typeof relayErrorCodes],
    prefix,
  ])
  expect(kinds).toEqual([
    [3000, 'Auth error'],
    [3001, 'Too many requests'],
    [-32_600, 'Invalid payload'],
    [-32_000, 'Request handler error'],
    [-32_603, 'Internal error'],
  ])
  expect(relayInvitationTags).toEqual([1100, 1116])
})
