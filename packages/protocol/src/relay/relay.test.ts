import { generateKeyPairSync, sign, verify, createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  fromDidKey,
  InvalidDidKeyError,
  type InvalidJwtError,
  isOwnUserAgent,
  isRelayAudience,
  isRelayOrigin,
  parseRelayJwt,
  relayMethods,
  relayRefusals,
  signRelayJwt,
  toDidKey,
  toRelayMethod,
  toRelayUserAgent,
  formatSubscription,
  tooLarge,
  tooMany,
  verifyRelayJwt,
  type RelayClaims,
} from './index.ts'

const { privateKey, publicKey: keyObject } = generateKeyPairSync('ed25519')
const publicKey = Uint8Array.from(keyObject.export({ format: 'der', type: 'spki' }).subarray(-32))
const spki = Buffer.from('302a300506032b6570032100', 'hex')
const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, key: Uint8Array) =>
  verify(
    null,
    message,
    createPublicKey({ key: Buffer.concat([spki, key]), format: 'der', type: 'spki' }),
    signature,
  )

const now = 1_800_000_000
const defaultClaims = {
  sub: 'ab'.repeat(32),
  aud: 'wss://relay.example',
  iat: now,
  exp: now + 86_400,
}
const token = (claims: Partial<RelayClaims> = {}) =>
  signRelayJwt({
    publicKey,
    sign: (message) => sign(null, message, privateKey),
    claims: { ...defaultClaims, ...claims },
  })
const check = (text: string) =>
  verifyRelayJwt(text, {
    audiences: ['wss://relay.example'],
    nowSeconds: now,
    verify: verifyEd25519,
  })
const refusalOf = (text: string) => {
  try {
    check(text)
  } catch (error) {
    return (error as InvalidJwtError).refusal
  }
  return undefined
}

describe('the did:key', () => {
  // https://w3c-ccg.github.io/did-key-spec/#ed25519-x25519
  const known = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
  const bytes = '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29'

  test('from the specification is parsed and formatted', () => {
    expect(Buffer.from(fromDidKey(known)).toString('hex')).toBe(bytes)
    expect(toDidKey(Buffer.from(bytes, 'hex'))).toBe(known)
  })

  test.each([
    'did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc', // X25519
    `${known}1`,
    'did:key:z',
    `did:web:relay.example`,
    '',
  ])('error: %s is not a did:key of an Ed25519 key', (text) => {
    expect(() => fromDidKey(text)).toThrow(InvalidDidKeyError)
  })
})

describe('the token', () => {
  test('identifies its signer', () => {
    expect(check(token())).toEqual({ ...defaultClaims, iss: toDidKey(publicKey) })
    expect(parseRelayJwt(token()).publicKey).toEqual(publicKey)
    expect(check(token({ act: 'client_auth' }))).toMatchObject({ act: 'client_auth' })
  })

  test.each([
    ['names another audience', { aud: 'wss://relay.elsewhere.example' }, 'jwtAudience'],
    ['names another purpose', { act: 'service_auth' }, 'jwtInvalid'],
    ['was issued an hour in the future', { iat: now + 3_600, exp: now + 90_000 }, 'jwtNotYetValid'],
    ['expired an hour ago', { iat: now - 90_000, exp: now - 3_600 }, 'jwtExpired'],
    ['is valid for more than 25 h', { exp: now + 25 * 3_600 + 1 }, 'jwtInvalid'],
    ['expires before it is issued', { iat: now, exp: now - 1 }, 'jwtInvalid'],
  ])('is refused if it %s', (_, claims, refusal) => {
    expect(refusalOf(token(claims))).toBe(refusal)
  })

  test.each([
    ['fast', { iat: now + 302, exp: now + 86_702 }],
    ['slow', { iat: now - 86_702, exp: now - 302 }],
  ])('is accepted if the client’s clock is 5 min %s', (_, claims) => {
    expect(refusalOf(token(claims))).toBeUndefined()
  })

  test('is refused if its payload or signature was changed', () => {
    const [header, payload, signature] = token().split('.')
    const other = token({ sub: 'cd'.repeat(32) }).split('.')[1]
    expect(refusalOf(`${header}.${other}.${signature}`)).toBe('jwtInvalid')
    expect(refusalOf(`${header}.${payload}.${signature?.slice(2)}`)).toBe('jwtInvalid')
  })

  test.each(['', 'a.b.c', 'a.b', `${'a'.repeat(5_000)}.b.c`, 'eyJhbGciOiJub25lIn0.e30.aa'])(
    'error: “%s” is not a token',
    (text) => expect(refusalOf(text)).toBe('jwtInvalid'),
  )
})

test.each([
  ['wss://relay.example', true],
  ['wss://relay.example/', true],
  ['ws://relay.example', true],
  ['wss://RELAY.example:443/', true],
  ['wss://relay.example/?region=eu', true],
  ['https://relay.example', true],
  ['wss://relay.example:8443', false],
  ['wss://relay.example/other', false],
  ['wss://evil.example', false],
  ['wss://relay.example@evil.example', false],
  ['not a url', false],
])('the audience %s names the relay: %s', (audience, expected) => {
  expect(isRelayAudience(audience, ['wss://relay.example'])).toBe(expected)
  expect(isRelayAudience(audience, ['relay.example'])).toBe(expected)
})

test.each([
  ['https://relay.example', true],
  ['http://relay.example', true],
  ['wss://relay.example:443', true],
  ['https://relay.example:8443', false],
  ['https://page.relay.example', false],
  ['https://relay.example.evil.example', false],
  ['https://user@relay.example', false],
  ['null', false],
])('the origin %j is that of the relay: %s', (origin, expected) => {
  for (const own of ['wss://relay.example', 'wss://relay.example/at/a/path', 'relay.example'])
    expect(isRelayOrigin(origin, ['wss://other.example', own])).toBe(expected)
})

test('a subscription is formatted as its topic and client id', () => {
  const topic = 'a'.repeat(64)
  expect(formatSubscription({ topic, clientId: 'did:key:z' })).toBe(`${topic}did:key:z`)
})

test('methods with older prefixes are aliases', () => {
  expect(toRelayMethod('iridium_batchSubscribe')).toBe('irn_batchSubscribe')
  expect(toRelayMethod('waku_publish')).toBe('irn_publish')
  expect(toRelayMethod('irn_toString')).toBeUndefined()
  expect(toRelayMethod('waku_irn_publish')).toBeUndefined()
  expect(toRelayMethod('constructor')).toBeUndefined()
})

describe('params', () => {
  const publish = { topic: 'a'.repeat(64), message: 'text', ttl: 300, tag: 1100, prompt: true }
  const issue = (params: unknown) =>
    v.safeParse(relayMethods.irn_publish, params).issues?.[0].message

  test('analytics fields, flat or nested, are dropped', () => {
    const parsed = v.parse(relayMethods.irn_publish, {
      ...publish,
      correlationId: 1,
      rpcMethods: ['eth_sendTransaction'],
      txHashes: 'anything',
      tvf: { chainId: 'eip155:1' },
    })
    expect(parsed).toEqual(publish)
  })

  test.each([
    ['an upper-case topic', { topic: 'A'.repeat(64) }, 'must be 64 lower-case hex digits'],
    ['a NUL in the message', { message: 'a\0b' }, 'must be well-formed text'],
    ['a lone surrogate in the message', { message: '\ud800' }, 'must be well-formed text'],
    ['a message over 1 MiB', { message: 'ü'.repeat(512 * 1024 + 1) }, tooLarge],
    ['a message of 1 MiB', { message: 'ü'.repeat(512 * 1024) }, undefined],
    ['a ttl that is a string', { ttl: '300' }, 'must be a number of seconds'],
  ])('with %s: the validation issue is %j', (_, change, message) => {
    expect(issue({ ...publish, ...change })).toBe(message)
  })

  test('lists have 1 to 500 items', () => {
    const topics = (length: number) => ({ topics: Array(length).fill('a'.repeat(64)) as string[] })
    const { irn_batchSubscribe } = relayMethods
    expect(v.is(irn_batchSubscribe, topics(500))).toBe(true)
    expect(v.is(irn_batchSubscribe, topics(0))).toBe(false)
    expect(v.safeParse(irn_batchSubscribe, topics(501)).issues?.[0].message).toBe(tooMany)
  })

  test('a receipt may use messageId or message_id', () => {
    const topic = 'a'.repeat(64)
    expect(
      v.parse(relayMethods.irn_batchReceive, {
        receipts: [
          { topic, messageId: 'x' },
          { topic, message_id: 'y' },
        ],
      }),
    ).toEqual({
      receipts: [
        { topic, messageId: 'x' },
        { topic, messageId: 'y' },
      ],
    })
  })
})

test('the three reasons that official modals match are unchanged', () => {
  expect(relayRefusals).toMatchObject({
    originNotAllowed: 'Unauthorized: origin not allowed',
    invalidKey: 'Unauthorized: invalid key',
    jwtNotYetValid: 'JWT validation error: JWT Token is not yet valid',
  })
})

test('Gatefold’s clients are recognized by their user agent', () => {
  const own = toRelayUserAgent({ version: '0.1.0', environment: 'node' })
  expect(own).toBe('wc-2/gatefold-0.1.0/node')
  expect(isOwnUserAgent(own)).toBe(true)
  for (const other of ['wc-2/js-2.21.8/linux-24.1.0/node', 'gatefold', '', undefined])
    expect(isOwnUserAgent(other)).toBe(false)
})
