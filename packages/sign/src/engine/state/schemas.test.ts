import * as v from 'valibot'
import { expect, test } from 'vitest'
import { AuthenticateResult } from '../authenticate/AuthenticateResult.ts'
import * as params from '../wallet/params.ts'
import * as schemas from './schemas.ts'

const byName = { ...schemas, ...params, AuthenticateResult }
type Name = {
  [name in keyof typeof byName]: (typeof byName)[name] extends v.GenericSchema ? name : never
}[keyof typeof byName]

const key = 'ab'.repeat(32)
const metadata = { name: 'n', description: 'd', url: 'u', icons: ['i'] }
const participant = { publicKey: key, metadata }
const proposed = { eip155: { chains: ['eip155:1'], methods: ['m'], events: ['e'] } }
const granted = { eip155: { accounts: ['eip155:10:0xa'], methods: ['m'], events: ['e'] } }
const relay = { protocol: 'irn' }
const of = (change: object) => ({ eip155: { ...granted.eip155, ...change } })
const expiry = 1_700_000_000
const claims = {
  domain: 'a.example',
  aud: 'https://a.example',
  version: '1',
  nonce: 'n',
  iat: '2026-01-01T00:00:00Z',
}
const optionalClaims = {
  nbf: '2026-01-01T00:00:00Z',
  exp: '2026-01-02T00:00:00Z',
  statement: 's',
  requestId: 'r',
  resources: ['urn:recap:a'],
}
const authPayload = { type: 'caip122', chains: ['eip155:1'], ...claims }

/** A valid message, or a valid part of one. A change of `undefined` removes the field. */
const valid = {
  Metadata: {
    ...metadata,
    verifyUrl: 'v',
    redirect: { native: 'n', universal: 'u', linkMode: true },
  },
  Participant: participant,
  ProposedNamespaces: proposed,
  Namespaces: granted,
  Reason: { code: 5000, message: 'No.', data: 'x' },
  RpcRequest: { id: 1, jsonrpc: '2.0', method: 'm', params: [1] },
  RpcResponse: { id: 1, jsonrpc: '2.0', result: 0 },
  ProposeParams: {
    expiryTimestamp: expiry,
    requiredNamespaces: proposed,
    optionalNamespaces: { 'eip155:1': { methods: [], events: [] } },
    relays: [{ protocol: 'other' }],
    proposer: participant,
    sessionProperties: { a: 0 },
    scopedProperties: { eip155: { b: 'c' } },
  },
  ProposeResult: { relay, responderPublicKey: key },
  SettleParams: {
    relay: { protocol: 'other' },
    controller: participant,
    namespaces: granted,
    expiry,
    sessionProperties: { a: false },
    scopedProperties: { b: '' },
    sessionConfig: { disableDeepLink: true },
  },
  UpdateParams: { namespaces: granted },
  RequestParams: {
    chainId: 'eip155:1',
    request: { method: 'm', params: null, expiryTimestamp: expiry },
  },
  EventParams: { chainId: 'eip155:1', event: { name: 'e', data: 0 } },
  AuthPayload: { ...authPayload, ...optionalClaims },
  AuthenticateParams: { authPayload, requester: participant, expiryTimestamp: expiry },
  Cacao: {
    h: { t: 'caip122' },
    p: { iss: 'did:pkh:eip155:10:0xab', ...claims, ...optionalClaims },
    s: { t: 'eip191', s: '0x00Ff', m: 'text' },
  },
} satisfies Partial<Record<Name, object>>

type Valid = keyof typeof valid

/** JSON, as in storage and messages, has no `undefined`. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function parse(name: Name, input: unknown) {
  const { success, output } = v.safeParse(byName[name], toJson(input))
  return success ? toJson(output) : 'rejected'
}

test.each(Object.entries(valid))('a valid %s is kept', (name, value) => {
  expect(parse(name as Valid, value)).toEqual(value)
})

// The keys of the others are namespaces.
test.each(Object.entries(valid).filter(([name]) => !name.endsWith('Namespaces')))(
  'unknown fields of a %s are dropped',
  (name, value) => {
    expect(parse(name as Valid, { ...value, unknown: 1 })).toEqual(value)
  },
)

const cacao = (part: 'h' | 'p' | 's', change: object) => ({
  [part]: { ...valid.Cacao[part], ...change },
})

test.each<[name: Valid, change: object, restored: object]>([
  ['Metadata', { name: 5, description: 5, url: 5 }, { name: '', description: '', url: '' }],
  ['Metadata', { icons: 'i' }, { icons: [] }],
  ['Metadata', { icons: [5] }, { icons: [] }],
  [
    'Metadata',
    { verifyUrl: 5, redirect: { native: 5 } },
    { verifyUrl: undefined, redirect: undefined },
  ],
  ['Metadata', { redirect: {} }, { redirect: {} }],
  ['Metadata', { redirect: { other: 1 } }, { redirect: {} }],
  ['Participant', { publicKey: 'AB'.repeat(32) }, { publicKey: key }],
  ['Reason', { data: 5 }, { data: undefined }],
  ['RpcRequest', { params: undefined }, { params: {} }],
  ['RpcResponse', { result: null }, { result: null }],
  ['ProposeParams', { expiryTimestamp: undefined }, { expiryTimestamp: undefined }],
  [
    'ProposeParams',
    { requiredNamespaces: undefined, optionalNamespaces: undefined, relays: undefined },
    { requiredNamespaces: {}, optionalNamespaces: {}, relays: [relay] },
  ],
  ['ProposeParams', { expiryTimestamp: 0 }, { expiryTimestamp: 0 }],
  ['ProposeResult', { relay: undefined }, { relay: undefined }],
  ['SettleParams', { relay: undefined }, { relay }],
  ['RequestParams', { request: { method: 'm' } }, { request: { method: 'm' } }],
  ['EventParams', { event: { name: 'e' } }, { event: { name: 'e' } }],
  ['AuthPayload', { type: undefined, version: undefined }, { type: 'caip122', version: '1' }],
  ['Cacao', cacao('s', { t: 'eip1271' }), cacao('s', { t: 'eip1271' })],
  ['Cacao', cacao('s', { t: 'eip6492', m: undefined }), cacao('s', { t: 'eip6492', m: undefined })],
])('%s with %o becomes %o', (name, change, restored) => {
  expect(parse(name, { ...valid[name], ...change })).toEqual(
    toJson({ ...valid[name], ...restored }),
  )
})

test.each<[name: Valid, change: object]>([
  ['Participant', { publicKey: key.slice(1) }],
  ['Participant', { publicKey: `${key}a` }],
  ['Participant', { publicKey: `${key.slice(1)}g` }],
  ['Participant', { metadata: undefined }],
  ['ProposedNamespaces', { eip155: { ...proposed.eip155, chains: ['eip155'] } }],
  ['ProposedNamespaces', { eip155: { methods: [] } }],
  ['ProposedNamespaces', { eip155: { events: [] } }],
  ['ProposedNamespaces', { '': proposed.eip155 }],
  ['Namespaces', { eip155: undefined }],
  ['Namespaces', of({ accounts: ['eip155:1'] })],
  ['Namespaces', of({ accounts: ['eip155:1:0xa:b'] })],
  ['Namespaces', of({ accounts: ['eip155:1:0xa b'] })],
  ['Namespaces', of({ accounts: ['eip155:1:0xa', 'solana:1:a'] })],
  ['Namespaces', of({ chains: ['eip155:1', 'solana:1'] })],
  ['Namespaces', of({ chains: ['eip155'] })],
  ['Namespaces', { eip15: granted.eip155 }],
  ['Namespaces', { 'eip155:1': granted.eip155 }],
  ['Reason', { code: 1.5 }],
  ['Reason', { message: undefined }],
  ['RpcRequest', { id: 0 }],
  ['RpcRequest', { id: 2 ** 53 }],
  ['RpcRequest', { jsonrpc: '' }],
  ['RpcRequest', { method: '' }],
  ['RpcResponse', { jsonrpc: '' }],
  ['RpcResponse', { id: 0 }],
  ['RpcResponse', { result: undefined }],
  ['RpcResponse', { result: undefined, error: null }],
  ['ProposeParams', { expiryTimestamp: -1 }],
  ['ProposeParams', { relays: [{}] }],
  ['ProposeParams', { proposer: {} }],
  ['ProposeParams', { sessionProperties: { a: null } }],
  ['ProposeParams', { scopedProperties: { a: null } }],
  ['ProposeResult', { responderPublicKey: 'a' }],
  ['ProposeResult', { relay: {} }],
  ['SettleParams', { namespaces: {} }],
  ['SettleParams', { expiry: 1.5 }],
  ['SettleParams', { sessionProperties: { a: 1, b: null } }],
  ['SettleParams', { sessionConfig: 5 }],
  ['UpdateParams', { namespaces: {} }],
  ['RequestParams', { chainId: 'eip155' }],
  ['RequestParams', { request: { method: '' } }],
  ['EventParams', { chainId: 'eip155' }],
  ['EventParams', { event: { name: '' } }],
  ['AuthPayload', { type: '' }],
  ['AuthPayload', { version: '' }],
  ['AuthPayload', { chains: [] }],
  ['AuthPayload', { exp: 5 }],
  ['AuthPayload', { resources: 'urn:recap:a' }],
  ['AuthenticateParams', { authPayload: {} }],
  ['AuthenticateParams', { requester: {} }],
  ['AuthenticateParams', { expiryTimestamp: undefined }],
  ['Cacao', cacao('h', { t: '' })],
  ['Cacao', cacao('p', { iss: 'did:pkh:eip155:1' })],
  ['Cacao', cacao('p', { iss: 'did:pkh:eip155:1:0xa:b' })],
  ['Cacao', cacao('p', { iss: 'x did:pkh:eip155:1:0xa' })],
  ['Cacao', cacao('p', { version: '' })],
  ['Cacao', cacao('p', { statement: 5 })],
  ['Cacao', cacao('s', { t: '' })],
  ['Cacao', cacao('s', { s: '0x' })],
  ['Cacao', cacao('s', { s: '0x000' })],
  ['Cacao', cacao('s', { s: 'a0x00' })],
  ['Cacao', cacao('s', { s: '0x0g' })],
  ['Cacao', cacao('s', { m: 5 })],
])('%s with %o is rejected', (name, change) => {
  expect(parse(name, { ...valid[name], ...change })).toBe('rejected')
})

test.each<[namespaces: object]>([
  [{ 'eip155:10': granted.eip155, solana: { accounts: ['solana:a:b'], methods: [], events: [] } }],
  [of({ chains: ['eip155:1', 'eip155:10'] })],
  [of({ accounts: [] })],
])('the namespaces %o are valid', (namespaces) => {
  expect(parse('Namespaces', namespaces)).toEqual(namespaces)
})

test.each([
  [
    { code: 5, message: 'No.' },
    { code: 5, message: 'No.' },
  ],
  ['No.', { code: -32_000, message: 'No.' }],
  [{}, { code: -32_000, message: expect.any(String) as string }],
])('an error response with %o has the reason %o', (error, reason) => {
  const response = { id: 1, jsonrpc: '2.0' }
  expect(parse('RpcResponse', { ...response, error })).toEqual({ ...response, error: reason })
})

test.each([
  [0, false],
  [1, true],
  [100, true],
  [101, false],
])('attack: whether %i signatures in one response are verified: %s', (count, isAccepted) => {
  const cacaos = Array.from({ length: count }, () => valid.Cacao)
  const result = { cacaos, responder: participant }
  expect(parse('AuthenticateResult', result)).toEqual(isAccepted ? result : 'rejected')
})
