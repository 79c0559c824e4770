import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createRelayToken, toClientId } from './clientKey.ts'
import { createKeychain } from './createKeychain.ts'
import { createNobleCurves } from './createNobleCurves.ts'
import { createPlatformCurves } from './createPlatformCurves.ts'
import { CryptoError } from './CryptoError.ts'
import { parseEnvelope, seal, unseal, wrapPlain } from './envelope.ts'
import { createKeyPair, deriveSymKey, hashKey, hashMessage, hashSealed } from './keys.ts'
import { openCurves } from './openCurves.ts'

/** Created with @walletconnect/utils 2.21.8 and @walletconnect/relay-auth 1.1.0. */
const official = {
  privateA: '11'.repeat(32),
  publicA: '7b4e909bbe7ffe44c465a220037d608ee35897d31ef972f07f74892cb0f73f13',
  privateB: '22'.repeat(32),
  publicB: '0faa684ed28867b97f4a6a2dee5df8ce974e76b7018e3f22a1c4cf2678570f20',
  symKey: 'dc5774cb6f12055709d3faed4fbe6b36f192c9a610a9fa0ad748c9f89975083f',
  topic: 'b2bfbfd11c76cffd30bfd6c29163d24eeb5612ad7280ef7fea544d406a81f084',
  text: '{"id":1,"jsonrpc":"2.0","method":"wc_sessionPing","params":{"ü":"€"}}',
  hash: 'f16dea8e5faa15344aaafdd9f79e46c5e6bc2f1c78265ac749a7b255316d3960',
  type0:
    'AAECAwQFBgcICQoLDBU6Zmuw8l019B8dWdbpuaC3HDbrcyFMmMK8kFSXJ9gglzukXKZ/zLQBQ0hw7N1PrGherCsmuqaELvSxEccmqgOvi/KyYDt5RXqiTAR4SfAaLh+/aEw4lLo=',
  type0Url:
    'AAECAwQFBgcICQoLDBU6Zmuw8l019B8dWdbpuaC3HDbrcyFMmMK8kFSXJ9gglzukXKZ_zLQBQ0hw7N1PrGherCsmuqaELvSxEccmqgOvi_KyYDt5RXqiTAR4SfAaLh-_aEw4lLo',
  type1:
    'AXtOkJu+f/5ExGWiIAN9YI7jWJfTHvly8H90iSyw9z8TAQIDBAUGBwgJCgsMFTpma7DyXTX0Hx1Z1um5oLccNutzIUyYwryQVJcn2CCXO6Rcpn/MtAFDSHDs3U+saF6sKya6poQu9LERxyaqA6+L8rJgO3lFeqJMBHhJ8BouH79oTDiUug==',
  type2:
    'AnsiaWQiOjEsImpzb25ycGMiOiIyLjAiLCJtZXRob2QiOiJ3Y19zZXNzaW9uUGluZyIsInBhcmFtcyI6eyLDvCI6IuKCrCJ9fQ',
  seed: '33'.repeat(32),
  clientId: 'did:key:z6Mkg49NtQR2LyYRDCQFK4w1VVHqhypZSSRo7HsyuN7SV7v5',
  token:
    'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJkaWQ6a2V5Ono2TWtnNDlOdFFSMkx5WVJEQ1FGSzR3MVZWSHFoeXBaU1NSbzdIc3l1TjdTVjd2NSIsInN1YiI6IjQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQiLCJhdWQiOiJ3c3M6Ly9yZWxheS5leGFtcGxlIiwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjE3MDAwODY0MDB9.lr5DzfVdPPwrbSbJBV-DUNAYazTNjzxnRGrOiBz6nG7zayPzKajvQUKa49l2ASgNqdzF7I7a1JuBaVDgaUlxCQ',
}
const iv = Uint8Array.from({ length: 12 }, (_, index) => index + 1)
const { symKey, text } = official

afterEach(() => void vi.unstubAllGlobals())

const curvesOf = { platform: createPlatformCurves(crypto.subtle), library: createNobleCurves() }

test('envelopes equal those of the official client', () => {
  expect(seal({ text, symKey, iv })).toBe(official.type0)
  expect(seal({ text, symKey, iv, alphabet: 'base64url' })).toBe(official.type0Url)
  expect(seal({ text, symKey, iv, senderPublicKey: official.publicA })).toBe(official.type1)
  expect(wrapPlain(text)).toBe(official.type2)
})

test.each([
  ['0', {}],
  ['1', { senderPublicKey: official.publicA }],
])('an envelope of type %s has a random nonce', (type, more) => {
  const envelopes = Array.from({ length: 20 }, () => seal({ text, symKey, ...more }))
  const nonces = envelopes.map((encoded) => {
    const envelope = parseEnvelope(encoded)
    if (envelope.type === 2) throw new Error('unexpected')
    expect([String(envelope.type), unseal(envelope, symKey)]).toEqual([type, text])
    return envelope.iv
  })
  expect(new Set(nonces.map(String)).size).toBe(nonces.length)
  // The probability that any byte is 0 in all 20 nonces is about 10^-47.
  expect(iv.map((_, index) => Math.max(...nonces.map((nonce) => nonce[index]!)))).not.toContain(0)
})

test('topics and hashes equal those of the official client', async () => {
  expect(await hashKey(symKey)).toBe(official.topic)
  expect(await hashMessage(text)).toBe(official.hash)
})

describe.each(Object.entries(curvesOf))('%s curves', (_, curves) => {
  test('derive the same keys as the official client', async () => {
    expect(await deriveSymKey(curves, official.privateA, official.publicB)).toBe(symKey)
    expect(await deriveSymKey(curves, official.privateB, official.publicA)).toBe(symKey)
  })

  test('create the same client id and token as the official client', async () => {
    expect(await toClientId(curves, official.seed)).toBe(official.clientId)
    const nowMs = 1_700_000_000_999
    const options = { sub: '44'.repeat(32), relayUrl: 'wss://relay.example', nowMs }
    expect(await createRelayToken(curves, { seed: official.seed, ...options })).toBe(official.token)
  })

  test('derive the same shared key as other implementations, and create unique key pairs', async () => {
    const [a, b] = await Promise.all([createKeyPair(curves), createKeyPair(curvesOf.library)])
    const theirs = await deriveSymKey(curvesOf.library, b.privateKey, a.publicKey)
    expect(await deriveSymKey(curves, a.privateKey, b.publicKey)).toBe(theirs)
    expect(a.privateKey).not.toBe(b.privateKey)
  })

  test.each([
    ['zero', '00'.repeat(32)],
    ['one', `01${'00'.repeat(31)}`],
    // A point of order 8. @see RFC 7748 §6.1
    ['of small order', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
    ['too short', '11'.repeat(31)],
    ['not hex', 'xx'.repeat(32)],
  ])('error: a peer key that is %s is rejected', async (_kind, key) => {
    await expect(deriveSymKey(curves, official.privateA, key)).rejects.toMatchObject({
      name: 'CryptoError',
      code: 'sign.bad_key',
      docsPath: 'docs/sign.md#errors',
    })
  })
})

test('an all-zero shared secret from the platform is rejected', async () => {
  const lax = {
    importKey: crypto.subtle.importKey.bind(crypto.subtle),
    deriveBits: async () => new ArrayBuffer(32),
  }
  const curves = createPlatformCurves(lax as unknown as SubtleCrypto)
  await expect(deriveSymKey(curves, official.privateA, official.publicB)).rejects.toThrow(
    CryptoError,
  )
})

test.each([
  ['WebCrypto', undefined],
  [
    'Ed25519',
    {
      importKey: (...[format, data, name, ...rest]: [never, never, unknown, never, never]) =>
        name === 'Ed25519'
          ? Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError'))
          : crypto.subtle.importKey(format, data, name as string, ...rest),
      exportKey: crypto.subtle.exportKey.bind(crypto.subtle),
      deriveBits: crypto.subtle.deriveBits.bind(crypto.subtle),
    } as unknown as SubtleCrypto,
  ],
])('if the platform lacks %s, the library’s curves are used', async (_, subtle) => {
  const curves = await openCurves(subtle)
  expect(await toClientId(curves, official.seed)).toBe(official.clientId)
})

/** The platform's WebCrypto; `calls` are the names of the methods called. */
function recordSubtle() {
  const calls: string[] = []
  const subtle = new Proxy(crypto.subtle, {
    get(target, name: keyof SubtleCrypto) {
      calls.push(name)
      return (target[name] as () => unknown).bind(target)
    },
  })
  return { subtle, calls }
}

test('the platform’s curves are used if it has both', async () => {
  const { subtle, calls } = recordSubtle()
  const curves = await openCurves(subtle)
  expect([...new Set(calls)].sort()).toEqual(['deriveBits', 'exportKey', 'importKey', 'sign'])
  calls.length = 0
  await deriveSymKey(curves, official.privateA, official.publicB)
  expect(calls).toContain('deriveBits')
})

test('hashes are computed by the platform, or by a library on pages without TLS', async () => {
  const { subtle, calls } = recordSubtle()
  vi.stubGlobal('crypto', { subtle })
  expect([await hashMessage(text), calls]).toEqual([official.hash, ['digest']])
  vi.stubGlobal('crypto', {})
  expect(await hashMessage(text)).toBe(official.hash)
})

test('an attestation covers the hashes of the envelope and of the text', async () => {
  expect(await hashSealed({ text, message: official.type0 })).toEqual({
    decryptedId: official.hash,
    encryptedId: await hashMessage(official.type0),
  })
})

test.each([
  ['an unknown type', 'AwECAwQFBgcICQoLDA==', 'sign.unknown_envelope'],
  ['an empty string', '', 'sign.unknown_envelope'],
  ['text that is not base64', '{}', 'sign.unreadable_envelope'],
  ['a truncated envelope', official.type0.slice(0, 36), 'sign.unreadable_envelope'],
  ['a truncated UTF-8 character', wrapPlain('ü').slice(0, 3), 'sign.unreadable_envelope'],
])('error: %s is rejected', (_, encoded, code) => {
  expect(() => parseEnvelope(encoded)).toThrow(expect.objectContaining({ code }))
})

test('an envelope has only the parts of its type; its text may be empty or start with a BOM', () => {
  expect(parseEnvelope(official.type0)).toEqual({
    type: 0,
    iv,
    box: expect.any(Uint8Array) as unknown,
  })
  for (const text of ['', '\uFEFFtext']) {
    const envelope = parseEnvelope(seal({ text, symKey }))
    if (envelope.type === 2) throw new Error('unexpected')
    expect(unseal(envelope, symKey)).toBe(text)
  }
  expect(wrapPlain('~~~???')).toBe('An5-fj8_Pw')
})

test('error: a modified box or a wrong key is rejected', () => {
  const envelope = parseEnvelope(official.type0.replace('8BouH', '8BouG').replace('/zLQ', '/zLR'))
  if (envelope.type === 2) throw new Error('unexpected')
  expect(() => unseal(envelope, symKey)).toThrow(CryptoError)
  const whole = parseEnvelope(official.type0)
  if (whole.type === 2) throw new Error('unexpected')
  expect(unseal(whole, symKey)).toBe(text)
  expect(() => unseal(whole, official.topic)).toThrow(CryptoError)
})

const key = 'wc@2:core:0.3//keychain'

test('a keychain stores keys in the official client’s format', async () => {
  const store = createMemoryStore()
  const keychain = await createKeychain({ store, key })
  const clientId = await keychain.clientId()
  const publicKey = await keychain.createKeyPair()
  const { topic, stored: kept } = await keychain.agree(publicKey, official.publicA)
  await kept
  const encoded = keychain.encode(topic, text)

  const stored = JSON.parse((await store.getItem(key)) ?? '') as Record<string, string>
  expect(Object.keys(stored).sort()).toEqual(['client_ed25519_seed', publicKey, topic].sort())

  const again = await createKeychain({ store, key })
  expect(await again.clientId()).toBe(clientId)
  expect(await again.decode(topic, encoded)).toEqual({ type: 0, text })
  await again.remove(topic)
  expect(again.has(topic)).toBe(false)
  await expect(again.decode(topic, encoded)).rejects.toMatchObject({ code: 'sign.no_key' })
})

test('a message that was encrypted for a public key is decrypted only if the receiver names that key', async () => {
  const [sender, receiver] = await Promise.all(
    [0, 1].map(() => createKeychain({ store: createMemoryStore(), key })),
  )
  if (!sender || !receiver) throw new Error('unexpected')
  const publicKey = await sender.createKeyPair()
  const receiverPublicKey = await receiver.createKeyPair()
  const encoded = await sender.encodeFor({ publicKey, receiverPublicKey, text })
  expect(await receiver.decode('', encoded, { publicKey: receiverPublicKey })).toEqual({
    type: 1,
    text,
    senderPublicKey: publicKey,
  })
  await expect(receiver.decode('', encoded)).rejects.toThrow(CryptoError)
})

test('plain envelopes are accepted only in links', async () => {
  const keychain = await createKeychain({ store: createMemoryStore(), key })
  const encoded = keychain.encodePlain(text)
  expect(await keychain.decode('', encoded, { plain: true })).toEqual({ type: 2, text })
  await expect(keychain.decode('', encoded)).rejects.toMatchObject({
    code: 'sign.unknown_envelope',
  })
})

test('a damaged key is dropped and reported, and all other keys are kept', async () => {
  const damaged: string[] = []
  const stored = JSON.stringify({ client_ed25519_seed: official.seed, [official.topic]: 'torn' })
  const store = createMemoryStore([[key, stored]])
  const options = { store, key, onDamaged: (name: string) => void damaged.push(name) }
  const keychain = await createKeychain(options)
  expect(await keychain.clientId()).toBe(official.clientId)
  expect(keychain.has(official.topic)).toBe(false)
  expect(damaged).toEqual([`${key}[${official.topic}]`])
  await createKeychain(options)
  expect(damaged).toHaveLength(1)
})
