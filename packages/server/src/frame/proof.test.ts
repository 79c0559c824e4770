import { limits } from '@gatefold/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteExpired as removeExpired } from '../storage/frame/codes.ts'
import { testSet } from '../testing/createTestDevice.ts'
import {
  createClock,
  createTestFrame,
  frameUrl,
  type TestFrame,
} from '../testing/createTestFrame.ts'

let frame: TestFrame
const clock = createClock()
beforeEach(async () => {
  frame = await createTestFrame({}, { now: clock.now })
})
afterEach(() => frame.stop())

/** Runs the periodic job that deletes expired rows. */
async function deleteExpired() {
  const now = clock.now()
  await removeExpired(frame.context.storage.db, { now, auditBefore: 0 })
}

describe('a request', () => {
  test.each<[string, Record<string, unknown>]>([
    ['for another path', { htu: `${frameUrl}/api/devices` }],
    ['for another server', { htu: 'https://evil.example/api/user' }],
    ['for another method', { htm: 'GET' }],
    ['from the past', { iat: Math.floor(clock.now() / 1000) - limits.proofSkewSeconds - 2 }],
    ['from the future', { iat: Math.floor(clock.now() / 1000) + limits.proofSkewSeconds + 2 }],
    ['for another access token', { ath: 'x'.repeat(43) }],
    ['for no access token', { ath: undefined }],
    ['with a short id', { jti: 'short' }],
    ['without an id', { jti: undefined }],
  ])('attack: with a proof %s is refused', async (_, claims) => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const { accessToken } = session
    expect((await device.post('/api/user', {}, { accessToken })).status).toBe(200)
    const { status, reason } = await device.post('/api/user', {}, { accessToken, claims })
    expect([status, reason?.code]).toEqual([401, 'invalid_dpop_proof'])
  })

  test('attack: with something that is not a proof is refused', async () => {
    const device = await frame.device()
    const other = await frame.device()
    const { session } = await device.login('ada@example.com')
    const { accessToken } = session
    const good = await device.prove('/api/user', { accessToken })
    const [header, payload] = good.split('.')
    const proofs = [
      '',
      'x',
      `${header}.${payload}.`,
      `${Buffer.from('{"alg":"none","typ":"dpop+jwt"}').toString('base64url')}.${payload}.`,
      await device.prove('/api/user', { accessToken }, { typ: 'JWT' }),
      await device.prove('/api/user', { accessToken }, { jwk: other.jwk }),
      await device.prove('/api/user', { accessToken }, { jwk: device.privateJwk }),
      `${good}${'x'.repeat(2_048)}`,
    ]
    for (const proof of proofs) {
      const { status, reason } = await device.post('/api/user', {}, { accessToken, proof })
      expect([proof.slice(-8), status, reason?.code]).toEqual([
        proof.slice(-8),
        401,
        'invalid_dpop_proof',
      ])
    }
    expect((await device.post('/api/user', {}, { accessToken, proof: good })).status).toBe(200)
  })

  test('attack: with a proof that was used before is refused, even if both arrive at once', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const { accessToken } = session
    const proof = await device.prove('/api/user', { accessToken })
    const answers = await Promise.all(
      [1, 2, 3].map(async () => device.post('/api/user', {}, { accessToken, proof })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    clock.advance(limits.proofSkewSeconds - 2)
    expect((await device.post('/api/user', {}, { accessToken, proof })).reason?.code).toBe(
      'invalid_dpop_proof',
    )
  })

  test('attack: with a proof or a nonce that was used is refused, even after expired rows are deleted', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const { accessToken } = session
    const claims = { iat: Math.floor(clock.now() / 1000) + limits.proofSkewSeconds - 2 }
    const early = await device.prove('/api/user', { accessToken, claims })
    const send = async (path: string, more: object) =>
      device.post(path, {}, { accessToken, withNonce: false, ...more })
    const first = await send('/api/user', { proof: early })
    expect(first.status).toBe(200)
    const nonce = first.headers.get('dpop-nonce')!
    const share = async () => send('/api/wallet/share', { claims: { nonce } })
    expect((await share()).reason?.code).toBe('no_set')

    clock.advance(55)
    await deleteExpired()
    expect((await share()).reason?.code).toBe('use_dpop_nonce')
    // The proof's time is ahead of the server's, so the proof stays valid for
    // that much longer.
    clock.advance(limits.proofSkewSeconds)
    await deleteExpired()
    expect((await send('/api/user', { proof: early })).reason?.code).toBe('invalid_dpop_proof')
  })

  test('a proof of another device may have the same id', async () => {
    const devices = [await frame.device(), await frame.device()]
    const claims = { jti: 'x'.repeat(22) }
    for (const { post } of devices) {
      const body = { refreshToken: 'x'.repeat(43) }
      const { reason } = await post('/api/session/refresh', body, { claims })
      expect(reason?.code).toBe('session_ended')
    }
  })

  test('attack: with a proof of more than 2,048 characters is refused before it is checked', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const { accessToken } = session
    const claims = { padding: 'x'.repeat(2_048) }
    const { reason } = await device.post('/api/user', {}, { accessToken, claims })
    expect(reason?.description).toBe('the DPoP proof is too long')
  })

  test('attack: with a stolen token and the key of another device is refused', async () => {
    const [device, thief] = [await frame.device(), await frame.device()]
    const { session } = await device.login('ada@example.com')
    const { accessToken, refreshToken } = session
    const used = await thief.post('/api/user', {}, { accessToken })
    expect([used.status, used.reason?.code]).toEqual([401, 'session_ended'])
    const refreshed = await thief.post('/api/session/refresh', { refreshToken })
    expect([refreshed.status, refreshed.reason?.code]).toEqual([401, 'session_ended'])
    // The owner's session continues.
    expect((await device.post('/api/session/refresh', { refreshToken })).status).toBe(200)
  })

  test('attack: from a page of another origin is refused', async () => {
    const device = await frame.device()
    const refused: Record<string, string>[] = [
      { origin: 'http://localhost:3000' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of refused)
      expect((await device.requestCode('ada@example.com', {}, { headers })).status).toBe(403)
    const headers = { origin: frameUrl, 'sec-fetch-site': 'same-origin' }
    expect((await device.requestCode('ada@example.com', {}, { headers })).status).toBe(200)
    const preflight = await frame.send('/api/user', {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(null)
  })
})

describe('a request that releases or stores shares', () => {
  const paths: [path: string, body: object][] = [
    ['/api/wallet/stage', testSet()],
    ['/api/wallet/staged', { setId: 'x'.repeat(22) }],
    ['/api/wallet/commit', { setId: 'x'.repeat(22) }],
    ['/api/wallet/share', {}],
    ['/api/wallet/recovery', {}],
    ['/api/wallet/escrow', { setId: 'x'.repeat(22) }],
    ['/api/wallet/methods', {}],
    ['/api/handover/start', { publicKey: 'x'.repeat(87) }],
    ['/api/handover/take', { handoverId: 'x'.repeat(22) }],
  ]

  test.each(paths)(
    'attack: without a new nonce of the server is refused: %s',
    async (path, body) => {
      const device = await frame.device()
      const { session } = await device.login('ada@example.com')
      const { accessToken } = session
      const send = async (claims?: Record<string, unknown>) =>
        device.post(path, body, { accessToken, withNonce: false, ...(claims && { claims }) })
      const first = await send()
      expect([first.status, first.reason?.code]).toEqual([401, 'use_dpop_nonce'])
      const nonce = first.headers.get('dpop-nonce')!
      expect((await send({ nonce })).reason?.code).not.toBe('use_dpop_nonce')
      // Accepted once.
      expect((await send({ nonce })).reason?.code).toBe('use_dpop_nonce')
      // Valid for 60 s.
      const late = (await send()).headers.get('dpop-nonce')!
      clock.advance(61)
      expect((await send({ nonce: late })).reason?.code).toBe('use_dpop_nonce')
      // Signed.
      const [, random, mac] = (await send()).headers.get('dpop-nonce')!.split('.')
      const forged = `${(clock.now() - 1).toString(36)}.${random}.${mac}`
      expect((await send({ nonce: forged })).reason?.code).toBe('use_dpop_nonce')
      expect(
        (await send({ nonce: `${clock.now().toString(36)}.x.${'x'.repeat(43)}` })).status,
      ).toBe(401)
    },
  )
})
