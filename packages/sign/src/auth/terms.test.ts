import { describe, expect, test } from 'vitest'
import type { AuthPayload, Cacao } from '../Session.ts'
import { createRecap, encodeRecap } from './recap.ts'
import { findUnmetTerm, grantedChains } from './terms.ts'

const iss = 'did:pkh:eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const nowMs = Date.parse('2026-01-01T01:00:00Z')
const at = (ms: number) => new Date(nowMs + ms).toISOString()
const minute = 60_000
const recap = createRecap('eip155', ['eth_sign', 'personal_sign'])
const requested: AuthPayload = {
  type: 'caip122',
  version: '1',
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  aud: 'https://app.example/login',
  nonce: 'f0e1d2c3',
  iat: at(-minute),
  statement: 'Welcome.',
  resources: ['https://app.example/terms', recap],
}

/** Returns the first unmet term of an authorization that differs from the request by `signed`. */
function unmet(signed: Partial<Cacao['p']> = {}, request: Partial<AuthPayload> = {}) {
  const wanted = { ...requested, ...request }
  const { type: _type, chains: _chains, ...p } = wanted
  const cacao = { h: { t: 'caip122' }, p: { ...p, iss, ...signed }, s: { t: 'eip191', s: '0x' } }
  return findUnmetTerm(cacao as Cacao, wanted, nowMs)
}

test('§4.18.1 an authorization with the requested terms meets them', () => {
  expect(unmet()).toBeUndefined()
  expect(unmet({ exp: undefined, requestId: '' })).toBeUndefined()
  expect(unmet({ resources: undefined }, { resources: undefined })).toBeUndefined()
  for (const statement of [undefined, ''])
    for (const asked of [undefined, ''])
      expect(unmet({ statement }, { statement: asked, resources: [] })).toBeUndefined()
})

test.each<[keyof Cacao['p'], Partial<Cacao['p']>, Partial<AuthPayload>?]>([
  ['domain', { domain: 'evil.example' }],
  ['domain', { domain: '' }],
  ['nonce', { nonce: 'f0e1d2c4' }],
  ['aud', { aud: 'https://app.example/' }],
  ['version', { version: '2' as '1' }],
  ['exp', { exp: at(minute) }],
  ['exp', { exp: undefined }, { exp: at(minute) }],
  ['nbf', { nbf: at(-minute) }],
  ['requestId', { requestId: 'r1' }],
  ['requestId', { requestId: undefined }, { requestId: 'r1' }],
  ['iss', { iss: iss.replace('eip155:1:', 'eip155:137:') }],
  ['iss', { iss: iss.replace('did:pkh:', '') }],
  ['iss', { iss: 'did:pkh:unknown' }],
  ['statement', { statement: 'Welcome' }],
  ['statement', { statement: '' }],
  ['statement', { statement: undefined }],
  ['statement', { statement: 'Welcome.' }, { statement: '' }],
])('§4.18.1 attack: a different %s is reported: %j', (field, signed, request) => {
  expect(unmet(signed, request)).toBe(field)
})

describe('times', () => {
  test.each<[string, Partial<Cacao['p']>, Partial<AuthPayload>, string | undefined]>([
    ['issued 5 min in the future', { iat: at(5 * minute) }, {}, undefined],
    ['issued more than 5 min in the future', { iat: at(5 * minute + 1) }, {}, 'iat'],
    ['issued 5 min before the request', { iat: at(-6 * minute) }, {}, undefined],
    ['issued more than 5 min before the request', { iat: at(-6 * minute - 1) }, {}, 'iat'],
    ['with an invalid time of issue', { iat: 'now' }, {}, 'iat'],
    ['with a year of six digits', { iat: `+00${at(-minute)}` }, {}, 'iat'],
    ['not yet expired', {}, { exp: at(1) }, undefined],
    ['expired now', {}, { exp: at(0) }, 'exp'],
    ['with an invalid expiry', {}, { exp: 'never' }, 'exp'],
    ['not valid until 5 min from now', {}, { nbf: at(5 * minute) }, undefined],
    ['not valid until more than 5 min from now', {}, { nbf: at(5 * minute + 1) }, 'nbf'],
    ['with an invalid start', {}, { nbf: 'ever' }, 'nbf'],
  ])(
    '§4.18.1 authorization %s (%j, request: %j): unmet term %s',
    (_what, signed, request, field) => {
      expect(unmet(signed, request)).toBe(field)
    },
  )
})

test.each<[keyof Cacao['p'], Partial<AuthPayload>]>([
  [
    'iat',
    { iat: `${new Date(nowMs).toUTCString()} (\nResources:\n- https://evil.example/all\n- x)` },
  ],
  ['iat', { iat: `${new Date(nowMs).toUTCString()} (Request ID: admin)` }],
  ['iat', { iat: '2026-01-01T01:00:00' }],
  ['iat', { iat: '2026-01-01' }],
  ['iat', { iat: '' }],
  ['exp', { exp: `${new Date(nowMs + minute).toUTCString()} (\u2028Request ID: admin)` }],
  ['exp', { exp: '2099' }],
  ['nbf', { nbf: 'Thu, 01 Jan 2026 00:00:00 GMT' }],
  ['requestId', { requestId: 'r1\nResources:\n- https://evil.example/all' }],
  ['nonce', { nonce: 'f0e1d2c3\rIssued At: 2020-01-01T00:00:00Z' }],
  ['statement', { statement: 'Welcome.\u0085URI: https://evil.example' }],
  [
    'resources',
    { resources: ['https://app.example/terms', `${recap.slice(0, 30)}\n${recap.slice(30)}`] },
  ],
])('§4.18.1 attack: %s cannot add text to the signed message: %j', (field, terms) => {
  // Invalid even if the request contains the same text.
  expect(unmet({}, terms)).toBe(field)
  expect(unmet(terms)).toBe(field)
})

test.each(['2026-01-01T01:00:00Z', '2026-01-01t01:00:00.1234z', '2026-01-01T06:30:00+05:30'])(
  '§4.18.1 a time of issue may be the RFC 3339 date-time %s',
  (iat) => {
    expect(unmet({ iat })).toBeUndefined()
  },
)

describe('resources', () => {
  const terms = 'https://app.example/terms'
  const less = createRecap('eip155', ['personal_sign'])
  const opening =
    'I further authorize the stated URI to perform the following actions on my behalf:'

  test('§4.18.1 a wallet may grant fewer methods, with the sentence that lists them', () => {
    expect(unmet({ resources: [terms, less] })).toBeUndefined()
    const statement = `Welcome. ${opening} (1) 'request': 'personal_sign' for 'eip155'.`
    expect(unmet({ resources: [terms, less], statement })).toBeUndefined()
    // The sentence describes a ReCap that the authorization does not contain.
    expect(unmet({ statement })).toBe('statement')
    expect(unmet({ statement }, { resources: [terms] })).toBe('statement')
  })

  test.each<[string, string[] | undefined, string[] | undefined]>([
    ['a different method', [terms, createRecap('eip155', ['eth_call'])], [terms, recap]],
    [
      'an additional method',
      [terms, createRecap('eip155', ['eth_call', 'eth_sign', 'personal_sign'])],
      [terms, recap],
    ],
    ['a different namespace', [terms, createRecap('solana', ['eth_sign'])], [terms, recap]],
    [
      'a method named like an inherited property',
      [terms, encodeRecap({ att: { eip155: { toString: [{}] } } })],
      [terms, recap],
    ],
    ['the ReCap without the other resource', [recap], [terms, recap]],
    ['no resources', undefined, [terms, recap]],
    ['no ReCap', [terms, 'https://b'], [terms, recap]],
    ['a ReCap that was not requested', [terms, less], [terms, 'https://b']],
    ['a resource that was not requested', [terms], undefined],
    ['a different resource before the ReCap', ['https://b', less], [terms, recap]],
    ['an additional resource', [terms, terms, less], [terms, recap]],
    ['a different second resource', [terms, 'https://b', less], [terms, 'https://c', recap]],
    [
      'an additional namespace',
      [terms, encodeRecap({ att: { eip155: { 'request/eth_sign': [{}] }, all: { m: [{}] } } })],
      [terms, recap],
    ],
  ])('§4.18.1 attack: %s is reported', (_what, resources, wanted) => {
    expect(unmet({ resources }, { resources: wanted })).toBe('resources')
  })
})

test('the granted chains are those of the account and the ReCap, without duplicates', () => {
  const limited = (...chains: string[]) =>
    encodeRecap({ att: { eip155: { 'request/personal_sign': [{ chains }] } } })
  const p = { ...requested, iss }
  expect(grantedChains({ ...p, resources: undefined })).toEqual(['eip155:1'])
  expect(grantedChains({ ...p, resources: [limited('eip155:10', 'eip155:1')] })).toEqual([
    'eip155:1',
    'eip155:10',
  ])
  expect(grantedChains({ ...p, iss: 'eip155:1:0x' })).toBeUndefined()
  const both = [limited('eip155:10')]
  expect(unmet({ resources: both }, { resources: both })).toBeUndefined()
  const other = [limited('eip155:10', 'eip155:137')]
  expect(unmet({ resources: other }, { resources: other })).toBe('iss')
})
