import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toBase64 } from '@gatefold/protocol/relay'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { attestInFrame } from './attestInFrame.ts'
import { createVerify } from './createVerify.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const id = 'a'.repeat(64)
const decryptedId = 'b'.repeat(64)
const origin = 'https://harbor.example'
const start = Date.UTC(2030, 0, 1)
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function createSigner() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])
  const encode = (value: unknown) => toBase64(Buffer.from(JSON.stringify(value)), 'base64url')
  return {
    jwk: await crypto.subtle.exportKey('jwk', publicKey),
    async sign(claims: object = {}, header: object = {}) {
      const usual = { exp: start / 1000 + 300, id, origin, isScam: false, isVerified: true }
      const text = `${encode({ alg: 'ES256', typ: 'JWT', ...header })}.${encode({ ...usual, ...claims })}`
      const signature = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(text))
      return `${text}.${toBase64(new Uint8Array(signature), 'base64url')}`
    },
  }
}

type Signer = Awaited<ReturnType<typeof createSigner>>

/** Starts a verify service with scripted failures. `tests/verify` uses the real service. */
async function startService(signer: Signer) {
  const service = {
    url: '',
    requests: [] as string[],
    keys: { publicKey: signer.jwk, expiresAt: start / 1000 + 3_600 } as unknown,
    lookups: new Map<string, unknown>(),
    behavior: 'ok' as 'ok' | 'hang' | 'cut' | 'bad_body' | 'status_500',
  }
  const server = createServer(answer)
  function answer({ url = '', socket }: IncomingMessage, response: ServerResponse) {
    service.requests.push(url)
    if (service.behavior === 'hang') return
    if (service.behavior === 'cut') return void socket.destroy()
    if (service.behavior === 'bad_body') return void response.end('<html>')
    const found = url === '/v3/public-key' ? service.keys : service.lookups.get(url)
    response.statusCode = service.behavior === 'status_500' ? 500 : found ? 200 : 404
    response.end(JSON.stringify(found ?? {}))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return service
}

async function setUp() {
  const signer = await createSigner()
  const service = await startService(signer)
  const clock = createManualClock(start)
  const storage = createMemoryStore()
  const create = () => {
    const verify = createVerify({
      verifyUrl: `${service.url}/`,
      projectId: 'harbor',
      storage,
      clock,
    })
    cleanups.push(() => verify.close())
    return verify
  }
  const verify = create()
  const check = async (attestation: string | undefined, peerUrl = `${origin}/app`) =>
    (await verify.check({ attestation, encryptedId: id, decryptedId, peerUrl })).verified
  return { signer, service, clock, storage, create, verify, check }
}

const unknown = { validation: 'UNKNOWN', origin: `${origin}/app` }

describe('§3.19.5 validation of an attestation', () => {
  test('returns VALID if the attested origin is the origin of the peer’s URL', async () => {
    const { signer, check, service } = await setUp()
    expect(await check(await signer.sign())).toEqual({
      verifyUrl: service.url,
      validation: 'VALID',
      origin,
      isScam: false,
    })
  })

  test.each([
    'https://evil.test',
    'http://harbor.example',
    'https://harbor.example:8443',
    'harbor.example',
    '',
  ])('returns INVALID if the peer’s URL is “%s”', async (peerUrl) => {
    const { signer, check } = await setUp()
    expect(await check(await signer.sign(), peerUrl)).toMatchObject({
      validation: 'INVALID',
      origin,
    })
  })

  test.each<[string, object, object?]>([
    ['for another message', { id: 'c'.repeat(64) }],
    ['expired for more than five minutes', { exp: start / 1000 - 301 }],
    ['not verified', { isVerified: false }],
    ['missing a claim', { origin: undefined }],
    ['signed with another algorithm', {}, { alg: 'none' }],
  ])('attack: returns UNKNOWN if it is %s', async (_, claims, header) => {
    const { signer, check } = await setUp()
    expect(await check(await signer.sign(claims, header))).toMatchObject(unknown)
  })

  test('returns VALID until five minutes after the expiry, because the wallet’s clock may be ahead', async () => {
    const { signer, check } = await setUp()
    expect(await check(await signer.sign({ exp: start / 1000 - 299 }))).toMatchObject({
      validation: 'VALID',
    })
  })

  test.each(['', 'x', 'a.b.c', 'e30.e30.e30', '....', 'x'.repeat(5_000)])(
    'returns UNKNOWN for “%s”',
    async (text) => {
      const { check, service } = await setUp()
      expect(await check(text)).toMatchObject(unknown)
      expect(service.requests).toEqual([])
    },
  )

  test.each([
    [{ isScam: true }, { validation: 'VALID', isScam: true }],
    [
      { isScam: true, isVerified: false },
      { validation: 'UNKNOWN', isScam: true },
    ],
    [{ isScam: null }, { validation: 'VALID' }],
  ])('returns the signed isScam: %j', async (claims, expected) => {
    const { signer, check } = await setUp()
    const verified = await check(await signer.sign(claims))
    expect(verified).toMatchObject(expected)
    expect('isScam' in verified).toBe('isScam' in expected)
  })
})

describe('the public key', () => {
  test('is fetched once and stored until it expires', async () => {
    const { signer, check, service, create, clock } = await setUp()
    const token = await signer.sign({ exp: start / 1000 + 9_000 })
    await Promise.all([check(token), check(token)])
    await check(token)
    expect(service.requests).toEqual(['/v3/public-key'])
    const again = create()
    const parameters = { attestation: token, encryptedId: id, decryptedId, peerUrl: origin }
    expect((await again.check(parameters)).verified.validation).toBe('VALID')
    expect(service.requests).toHaveLength(1)
    clock.advance(3_600_000)
    expect((await again.check(parameters)).verified.validation).toBe('VALID')
    expect(service.requests).toHaveLength(2)
  })

  test('is fetched again if a signature does not verify', async () => {
    const { signer, check, service } = await setUp()
    await check(await signer.sign())
    const next = await createSigner()
    service.keys = { publicKey: next.jwk, expiresAt: start / 1000 + 3_600 }
    expect(await check(await next.sign())).toMatchObject({ validation: 'VALID' })
    expect(service.requests).toHaveLength(2)
    const forger = await createSigner()
    expect(await check(await forger.sign())).toMatchObject(unknown)
    expect(service.requests).toHaveLength(3)
  })

  test('may be any of the published keys', async () => {
    const { signer, check, service } = await setUp()
    const next = await createSigner()
    service.keys = {
      publicKey: next.jwk,
      expiresAt: start / 1000 + 9,
      keys: [next.jwk, signer.jwk],
    }
    expect(await check(await signer.sign())).toMatchObject({ validation: 'VALID' })
  })

  test('is fetched if storage is damaged or fails', async () => {
    const { signer, service, storage, clock } = await setUp()
    const token = await signer.sign()
    const parameters = { attestation: token, encryptedId: id, decryptedId, peerUrl: origin }
    for (const text of ['{', '{}', '{"publicKey":{},"expiresAt":9e9}']) {
      await storage.setItem(`gatefold:verify:${service.url}`, text)
      const verify = createVerify({ verifyUrl: service.url, storage, clock })
      expect((await verify.check(parameters)).verified.validation).toBe('VALID')
    }
    const broken = {
      ...storage,
      getItem: () => Promise.reject(new Error('denied')),
      setItem: () => Promise.reject(new Error('denied')),
    }
    const verify = createVerify({ verifyUrl: service.url, storage: broken, clock })
    expect((await verify.check(parameters)).verified.validation).toBe('VALID')
  })
})

describe('a message without an attestation', () => {
  const path = `/attestation/${decryptedId}?v2Supported=true`

  test('is looked up, because older apps register their attestations with the service', async () => {
    const { check, service } = await setUp()
    service.lookups.set(path, { origin, isScam: true, attestationId: decryptedId })
    expect(await check(undefined)).toMatchObject({ validation: 'VALID', origin, isScam: true })
    service.lookups.set(path, { origin: 'https://evil.test', isScam: null })
    expect(await check(undefined)).toMatchObject({ validation: 'INVALID' })
    service.lookups.set(path, { origin: 1 })
    expect(await check(undefined)).toMatchObject(unknown)
    expect(service.requests).toEqual([path, path, path])
  })

  test('is UNKNOWN if the lookup finds nothing; the next message is looked up too', async () => {
    const { check, service } = await setUp()
    expect(await check(undefined)).toMatchObject(unknown)
    expect(await check(undefined)).toMatchObject(unknown)
    expect(service.requests).toHaveLength(2)
  })
})

test('the service receives neither cookies nor the URL of the page, and no cache answers for it', async () => {
  const { check, signer } = await setUp()
  const fetched = vi.spyOn(globalThis, 'fetch')
  cleanups.push(() => fetched.mockRestore())
  await check(await signer.sign())
  await check(undefined)
  expect(fetched.mock.calls).toHaveLength(2)
  for (const [, init] of fetched.mock.calls)
    expect(init).toMatchObject({
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    })
})

test.each(['an answer', 'an abort'])(
  'the frame that requests an attestation names its page, and is removed after %s',
  async (end) => {
    const [window, contentWindow] = [new EventTarget(), {}]
    const remove = vi.fn<() => void>()
    const frame = { contentWindow, referrerPolicy: '', style: {}, setAttribute() {}, remove }
    vi.stubGlobal('window', window)
    vi.stubGlobal('document', { createElement: () => frame, body: { append() {} } })
    cleanups.push(() => vi.unstubAllGlobals())
    const abort = new AbortController()
    const { signal } = abort
    const attesting = attestInFrame({ url: 'https://verify.example/attestation', id, signal })
    // In browsers without `ancestorOrigins`, the referrer identifies the page.
    expect(frame.referrerPolicy).toBe('origin')
    expect(remove).not.toHaveBeenCalled()
    const attestation = await (await createSigner()).sign()
    const answer = {
      source: contentWindow,
      origin: 'https://verify.example',
      data: JSON.stringify({ type: 'verify_attestation', attestation }),
    }
    if (end === 'an answer') window.dispatchEvent(Object.assign(new Event('message'), answer))
    else abort.abort()
    expect(await attesting).toBe(end === 'an answer' ? attestation : undefined)
    expect(remove).toHaveBeenCalledOnce()
    const listeners = [getEventListeners(window, 'message'), getEventListeners(signal, 'abort')]
    expect(listeners).toEqual([[], []])
  },
)

describe('a service that fails', () => {
  test('gets no requests for a minute after a timeout of 1.5 s', async () => {
    const { check, service, clock, signer } = await setUp()
    service.behavior = 'hang'
    for (const attestation of [undefined, await signer.sign()]) {
      const checking = check(attestation)
      await expect.poll(() => service.requests.length).toBe(1)
      clock.advance(1_499)
      expect(await Promise.race([checking, Promise.resolve('waits')])).toBe('waits')
      clock.advance(1)
      expect(await checking).toMatchObject(unknown)
      expect(await check(attestation)).toMatchObject(unknown)
      expect(service.requests.splice(0)).toHaveLength(1)
      expect(clock.pending()).toBe(0)
      clock.advance(60_000)
    }
    service.behavior = 'ok'
    expect(await check(await signer.sign())).toMatchObject({ validation: 'VALID' })
  })

  test.each(['cut', 'bad_body', 'status_500'] as const)(
    'makes the result UNKNOWN: %s',
    async (behavior) => {
      const { check, service, signer } = await setUp()
      service.behavior = behavior
      expect(await check(undefined)).toMatchObject(unknown)
      expect(await check(await signer.sign())).toMatchObject(unknown)
    },
  )

  test('gets no more requests after close(), which aborts requests in flight', async () => {
    const { check, service, clock, verify } = await setUp()
    service.behavior = 'hang'
    const checking = check(undefined)
    await expect.poll(() => service.requests.length).toBe(1)
    verify.close()
    expect(await checking).toMatchObject(unknown)
    expect(clock.pending()).toBe(0)
    await check(undefined)
    expect(service.requests).toHaveLength(1)
  })
})

test('attest() returns undefined outside a page', async () => {
  const { verify, service, clock } = await setUp()
  expect(await verify.attest({ encryptedId: id, decryptedId })).toBeUndefined()
  expect(service.requests).toEqual([])
  expect(clock.pending()).toBe(0)
})
