import { expect, test } from 'vitest'
import { ValidationError } from '../errors.ts'
import { createRecap, decodeRecap, encodeRecap } from './recap.ts'
import { readAuthenticate } from './readAuthenticate.ts'

const valid = {
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'f0e1d2c3',
}
const now = Date.parse('2026-01-01T00:00:00Z')

test('the payload to sign contains the requested fields and the current time', () => {
  const input = { ...valid, pairingTopic: 'a'.repeat(64) }
  expect(readAuthenticate({ ...input, signal: new AbortController().signal }, now)).toEqual({
    ...input,
    authPayload: {
      type: 'caip122',
      version: '1',
      chains: valid.chains,
      domain: valid.domain,
      aud: valid.uri,
      nonce: valid.nonce,
      iat: '2026-01-01T00:00:00.000Z',
      statement: '',
      resources: [],
    },
  })
})

test('the payload contains optional fields only if they are given', () => {
  const [nbf, exp] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  const more = { statement: 'Hi.', exp, nbf, requestId: 'r', resources: ['https://a'] }
  expect(readAuthenticate({ ...valid, ...more }, now).authPayload).toMatchObject(more)
  const { authPayload } = readAuthenticate(valid, now)
  for (const field of ['exp', 'nbf', 'requestId']) expect(authPayload).not.toHaveProperty(field)
})

test('methods become a ReCap after the resources, merged with a given ReCap', () => {
  const resources = ['https://a', 'https://b']
  const payloadOf = (more: object) => readAuthenticate({ ...valid, ...more }, now).authPayload
  const methods = ['personal_sign']
  expect(payloadOf({ resources, methods }).resources).toEqual([
    ...resources,
    createRecap('eip155', methods),
  ])
  expect(payloadOf({ methods }).resources).toEqual([createRecap('eip155', methods)])
  expect(payloadOf({ resources, methods: [] }).resources).toEqual(resources)

  const own = encodeRecap({ att: { eip155: { 'request/eth_sign': [{ chains: ['eip155:1'] }] } } })
  const merged = payloadOf({ resources: [...resources, own], methods }).resources!
  expect(merged.slice(0, -1)).toEqual(resources)
  expect(decodeRecap(merged.at(-1)!)).toEqual({
    att: {
      eip155: { 'request/eth_sign': [{ chains: ['eip155:1'] }], 'request/personal_sign': [{}] },
    },
  })
})

test.each<[unknown, string, string]>([
  [undefined, 'Missing or invalid. authenticate() params: undefined', 'sign.missing_or_invalid'],
  [null, 'Missing or invalid. authenticate() params: null', 'sign.missing_or_invalid'],
  [[], 'Missing or invalid. authenticate() params: []', 'sign.missing_or_invalid'],
  [
    { ...valid, nbf: 1n },
    'Missing or invalid. authenticate() params cannot be serialized',
    'sign.missing_or_invalid',
  ],
  [
    { ...valid, chains: undefined },
    'chains is required and must be a non-empty array',
    'sign.missing_or_invalid',
  ],
  [
    { ...valid, chains: 'eip155:1' },
    'chains is required and must be a non-empty array',
    'sign.missing_or_invalid',
  ],
  [
    { ...valid, chains: [] },
    'chains is required and must be a non-empty array',
    'sign.missing_or_invalid',
  ],
  [{ ...valid, uri: ' ' }, 'uri is required parameter', 'sign.missing_or_invalid'],
  [{ ...valid, domain: '' }, 'domain is required parameter', 'sign.missing_or_invalid'],
  [{ ...valid, nonce: 7 }, 'nonce is required parameter', 'sign.missing_or_invalid'],
  [
    { ...valid, chains: ['eip155:1', 'eip155'] },
    'Missing or invalid. authenticate() chain should be a CAIP-2 id: eip155',
    'sign.missing_or_invalid',
  ],
  [{ ...valid, exp: '1767225600' }, 'authenticate() exp: 1767225600', 'sign.missing_or_invalid'],
  [{ ...valid, statement: 'a\nb' }, 'authenticate() statement: a\nb', 'sign.missing_or_invalid'],
  [{ ...valid, uri: 'https://a\t' }, 'authenticate() aud: https://a\t', 'sign.missing_or_invalid'],
  [{ ...valid, chains: ['eip155:1', 'solana:1'] }, 'Multi-namespace requests', 'sign.unsupported'],
  [{ ...valid, chains: ['solana:1'] }, 'Only eip155 namespace', 'sign.unsupported'],
])('§5.12.4 error: parameters %o are rejected', (parameters, message, code) => {
  const read = () => readAuthenticate(parameters as never, now)
  expect(read).toThrow(ValidationError)
  expect(read).toThrow(message)
  expect(read).toThrow(expect.objectContaining({ code }))
})
