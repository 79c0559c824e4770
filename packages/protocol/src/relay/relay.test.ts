import { generateKeyPairSync, sign, verify, createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  fromDidKey,
  InvalidDidKeyError,
  InvalidJwtError,
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
  attestationTooLarge,
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
/** Signs a token with any header and payload. */
const signed = (header: unknown, payload: unknown) => {
  const text = [header, payload].map((part) => encode(JSON.stringify(part))).join('.')
  return `${text}.${encode(sign(null, Buffer.from(text), privateKey))}`
}
const encode = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')
const refusalOf = (text: string) => {
  try {
    check(text)
  } catch (error) {
    return (error as InvalidJwtError).refusal
  }
  return undefined
}

/** The name, code and message of an error. */
function thrownBy(action: () => unknown) {
  try {
    return action()
  } catch (error) {
    const { name, code, message } = error as InvalidJwtError
    return { name, code, message }
  }
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
    `${known}!`,
    `x${known}`,
    known.replace('did:key:z', 'did:key:z1'), // not canonical
    'did:key:z',
    `did:web:relay.example`,
    '',
  ])('error: %s is not a did:key of an Ed25519 key', (text) => {
    expect(() => fromDidKey(text)).toThrow(InvalidDidKeyError)
  })
})

test('error: the message for an invalid did:key states the expected form', () => {
  expect(thrownBy(() => fromDidKey(''))).toMatchInlineSnapshot(`
    {
      "code": "relay.invalid_did_key",
      "message": "The client id is not the did:key of an Ed25519 key.
    Expected “did:key:z6Mk…” with a 32-byte public key.",
      "name": "InvalidDidKeyError",
    }
  `)
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
    ['is issued too far in the future', { iat: now + 311, exp: now + 86_711 }, 'jwtNotYetValid'],
    ['expired too long ago', { iat: now - 86_711, exp: now - 311 }, 'jwtExpired'],
    ['is valid for more than 25 h', { exp: now + 25 * 3_600 + 1 }, 'jwtInvalid'],
    ['expires when it is issued', { iat: now, exp: now }, 'jwtInvalid'],
    ['expires before it is issued', { iat: now, exp: now - 1 }, 'jwtInvalid'],
  ])('is refused if it %s', (_, claims, refusal) => {
    expect(refusalOf(token(claims))).toBe(refusal)
  })

  test.each([
    ['5 min fast', { iat: now + 302, exp: now + 86_702 }],
    ['5 min slow', { iat: now - 86_702, exp: now - 302 }],
    ['10 s more than 5 min fast', { iat: now + 310, exp: now + 86_710 }],
    ['10 s more than 5 min slow', { iat: now - 86_710, exp: now - 310 }],
  ])('is accepted if the client’s clock is %s', (_, claims) => {
    expect(refusalOf(token(claims))).toBeUndefined()
  })

  test('may be valid for 25 h', () => {
    expect(refusalOf(token({ exp: now + 25 * 3_600 }))).toBeUndefined()
  })

  test('must have the required purpose', () => {
    const options = { audiences: [defaultClaims.aud], nowSeconds: now, verify: verifyEd25519 }
    const checkWatch = (claims: Partial<RelayClaims>) =>
      verifyRelayJwt(token(claims), { ...options, act: 'watch' })
    expect(checkWatch({ act: 'watch' })).toMatchObject({ act: 'watch' })
    for (const act of ['client_auth', undefined])
      expect(() => checkWatch({ act })).toThrow(expect.objectContaining({ refusal: 'jwtInvalid' }))
  })

  const jwtHeader = { alg: 'EdDSA', typ: 'JWT' }
  const payload = { ...defaultClaims, iss: toDidKey(publicKey) }

  test('may have other claims, and no type', () => {
    expect(refusalOf(signed({ alg: 'EdDSA' }, { ...payload, whu: 'https://a.example' }))).toBe(
      undefined,
    )
  })

  test.each([
    ['another algorithm', signed({ ...jwtHeader, alg: 'none' }, payload)],
    ['no algorithm', signed({ typ: 'JWT' }, payload)],
    ['another type', signed({ ...jwtHeader, typ: 'JWS' }, payload)],
    ['an empty type', signed({ ...jwtHeader, typ: '' }, payload)],
    ['no subject', signed(jwtHeader, { ...payload, sub: undefined })],
    ['an issuer that is not a key', signed(jwtHeader, { ...payload, iss: 'me' })],
    ['a purpose that is not a text', signed(jwtHeader, { ...payload, act: 7 })],
    ['times that are not numbers', token({ iat: String(now) as never })],
    ['fractions of seconds', token({ exp: now + 0.5 })],
    ['negative times', token({ iat: -1 })],
    ['four parts', `${token()}.a`],
    ['padding', `${token()}==`],
    ['whitespace', ` ${token()}`],
    ['whitespace before its signature', token().replace(/\.(?=[^.]*$)/, '. ')],
  ])('is refused with %s', (_, text) => expect(refusalOf(text)).toBe('jwtInvalid'))

  test('is refused if it is not UTF-8', () => {
    const claims = Buffer.from(JSON.stringify({ ...payload, sub: 'ÿ' }), 'latin1')
    const text = `${encode(JSON.stringify(jwtHeader))}.${encode(claims)}`
    expect(refusalOf(`${text}.${encode(sign(null, Buffer.from(text), privateKey))}`)).toBe(
      'jwtInvalid',
    )
  })

  test('has at most 4,096 characters', () => {
    // The header has 36 characters, the signature 86, and a payload of 2,979 bytes has 3,972.
    const space = 2_979 - JSON.stringify({ ...payload, note: '' }).length
    const longest = token({ note: 'x'.repeat(space) })
    expect([longest.length, refusalOf(longest)]).toEqual([4_096, undefined])
    expect(refusalOf(token({ note: 'x'.repeat(space + 1) }))).toBe('jwtInvalid')
  })

  test('is refused if its signature does not have 64 bytes, even if the verifier accepts it', () => {
    const short = token().slice(0, -2)
    const verifyAny = () => true
    const options = { audiences: [defaultClaims.aud], nowSeconds: now, verify: verifyAny }
    expect(verifyRelayJwt(token(), options)).toMatchObject(defaultClaims)
    expect(() => verifyRelayJwt(short, options)).toThrow(InvalidJwtError)
  })

  test.each(['jwtInvalid', 'jwtNotYetValid', 'jwtExpired'] as const)(
    'error: the message for %s says what to do',
    (refusal) => {
      const { name, code, message } = new InvalidJwtError(refusal)
      expect({ name, code }).toEqual({ name: 'InvalidJwtError', code: 'relay.invalid_jwt' })
      expect(message).toBe(
        refusal === 'jwtInvalid'
          ? 'The relay token is not valid.\nIt must be an EdDSA token that names this relay’s URL, signed with the key of its issuer.'
          : 'The relay token is not valid.\nThe times in the token do not match the clock. Set the clock of this device.',
      )
    },
  )

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
  ['ws://relay.example:443', true],
  ['wss://relay.example:80', true],
  ['wss://relay.example//', true],
  ['relay.example?page=https://page.example', true],
  ['wss://relay.example:8443', false],
  ['wss://relay.example/other', false],
  ['wss://evil.example', false],
  ['wss://relay.example@evil.example', false],
  ['wss://:password@relay.example', false],
  ['not a url', false],
])('the audience %s names the relay: %s', (audience, expected) => {
  expect(isRelayAudience(audience, ['wss://relay.example'])).toBe(expected)
  expect(isRelayAudience(audience, ['also not a url', 'relay.example'])).toBe(expected)
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
  ['not a url', false],
])('the origin %j is that of the relay: %s', (origin, expected) => {
  for (const own of ['wss://relay.example', 'wss://relay.example/at/a/path', 'relay.example'])
    expect(isRelayOrigin(origin, ['wss://other.example', 'not a url', own])).toBe(expected)
})

test.each([
  ['origin', isRelayOrigin, (slashes: string) => `https://relay.example${slashes}x`],
  ['audience', isRelayAudience, (slashes: string) => `wss://relay.example${slashes}x`],
])('attack: an %s with 100,000 slashes takes linear time', (_, isRelay, format) => {
  const start = performance.now()
  isRelay(format('/'.repeat(100_000)), ['relay.example'])
  // A regular expression for trailing slashes takes several seconds.
  expect(performance.now() - start).toBeLessThan(500)
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
    ['a topic that is a number', { topic: 7 }, 'must be a string'],
    ['a message that is a number', { message: 7 }, 'must be a string'],
    ['a tag that is a string', { tag: '1100' }, 'must be an integer from 0 to 4294967295'],
    ['an attestation over 4 KiB', { attestation: 'x'.repeat(4_097) }, attestationTooLarge],
    ['an attestation of 4 KiB', { attestation: 'x'.repeat(4_096) }, undefined],
    ['the largest tag', { tag: 2 ** 32 - 1 }, undefined],
    ['a tag that is too large', { tag: 2 ** 32 }, 'must be an integer from 0 to 4294967295'],
    ['a negative tag', { tag: -1 }, 'must be an integer from 0 to 4294967295'],
    ['a fraction as its tag', { tag: 0.5 }, 'must be an integer from 0 to 4294967295'],
    ['an infinite ttl', { ttl: Infinity }, 'must be a number of seconds'],
  ])('with %s: the validation issue is %j', (_, change, message) => {
    expect(issue({ ...publish, ...change })).toBe(message)
  })

  test.each<[keyof typeof relayMethods, unknown, string]>([
    ['irn_subscribe', {}, 'topic'],
    ['irn_unsubscribe', { id: 'a' }, 'topic'],
    ['irn_batchSubscribe', { topics: 'a' }, 'must be an array'],
    ['irn_batchSubscribe', { topics: [] }, 'must not be empty'],
    ['irn_batchReceive', { receipts: [{}] }, 'must be a topic and a messageId'],
    ['irn_watchRegister', { registerAuth: 7 }, 'must be a token'],
    ['irn_watchUnregister', { unregisterAuth: '' }, 'must be a token'],
  ])('error: the issue names the problem with the params of %s: %j', (method, params, expected) => {
    const [issue] = v.safeParse(relayMethods[method], params).issues!
    expect(`${v.getDotPath(issue)} ${issue.message}`).toContain(expected)
  })

  test('the issues state the largest sizes', () => {
    expect(tooLarge).toBe('must be at most 1048576 bytes long')
    expect(attestationTooLarge).toBe('must be at most 4096 bytes long')
  })

  test('lists have 1 to 500 items', () => {
    const topics = (length: number) => ({ topics: Array(length).fill('a'.repeat(64)) as string[] })
    const { irn_batchSubscribe } = relayMethods
    expect(v.is(irn_batchSubscribe, topics(500))).toBe(true)
    expect(v.is(irn_batchSubscribe, topics(0))).toBe(false)
    expect(v.safeParse(irn_batchSubscribe, topics(501)).issues?.[0].message).toBe(tooMany)
    expect(tooMany).toBe('must have at most 500 entries')
  })

  test.each(['messageId', 'message_id'])('attack: a %s has at most 64 characters', (name) => {
    const parse = (id: string) =>
      v.safeParse(relayMethods.irn_batchReceive, {
        receipts: [{ topic: 'a'.repeat(64), [name]: id }],
      })
    expect(parse('f'.repeat(64)).success).toBe(true)
    expect(parse('f'.repeat(65)).issues?.[0].message).toBe('must have at most 64 characters')
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
