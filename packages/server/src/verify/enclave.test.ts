import { describe, expect, test } from 'vitest'
import { addScamDomains } from '../storage/verify.ts'
import { hashOf, ownPage, type TestVerify } from '../testing/createTestVerify.ts'
import {
  addProject,
  csrfToken,
  harbor,
  local,
  noon,
  startVerify,
} from '../testing/verifyFixture.ts'

describe('older clients', () => {
  const body = JSON.stringify({ attestationId: hashOf('open'), origin: local })
  const lookup = `/attestation/${hashOf('open')}?v2Supported=true`

  test('the enclave registers a hash, and a wallet can look up its origin once', async () => {
    const verify = await startVerify()
    const page = await verify.send('/default')
    expect(page.headers.get('content-security-policy')).toContain(
      "script-src 'self'; connect-src 'self'",
    )
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    const token = await csrfToken(verify)
    const script = await verify.send(`/index.js?token=${token}`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('no-store')
    const headers = { ...ownPage, 'x-csrf-token': token }
    const sent = await verify.send('/attestation', { method: 'POST', body, headers })
    expect([sent.status, await sent.json()]).toEqual([200, {}])
    const found = await verify.send(lookup)
    expect(found.headers.get('access-control-allow-origin')).toBe('*')
    expect(await found.json()).toEqual({
      origin: local,
      isScam: false,
      attestationId: hashOf('open'),
    })
    const again = await verify.send(lookup)
    expect([again.status, await again.json()]).toMatchObject([
      404,
      { reasons: [{ field: 'hash' }] },
    ])
    expect(await outcomes(verify)).toEqual([
      'attestations verified 1',
      'lookups found 1',
      'lookups missing 1',
    ])
  })

  test('the origin of a page on the scam list is marked', async () => {
    const verify = await startVerify()
    await addProject(verify, harbor)
    await addScamDomains(verify.context.storage.db, ['harbor.example'], noon)
    const headers = { ...ownPage, 'x-csrf-token': await csrfToken(verify, 'harbor') }
    const origin = 'https://harbor.example'
    const body = JSON.stringify({ attestationId: hashOf('open'), origin })
    await verify.send('/attestation', { method: 'POST', body, headers })
    expect(await (await verify.send(lookup)).json()).toMatchObject({ origin, isScam: true })
    expect(await outcomes(verify)).toEqual(['attestations scam 1', 'lookups found 1'])
  })

  test('a registered hash expires after five minutes', async () => {
    let now = noon
    const verify = await startVerify({}, { now: () => now })
    const headers = { ...ownPage, 'x-csrf-token': await csrfToken(verify) }
    const statusAfter = async (ms: number) => {
      now += ms
      return (await verify.send(lookup)).status
    }
    await verify.send('/attestation', { method: 'POST', body, headers })
    expect(await statusAfter(299_000)).toBe(200)
    await verify.send('/attestation', { method: 'POST', body, headers })
    expect(await statusAfter(301_000)).toBe(404)
  })

  test('the enclave may be framed only by local pages and the project’s domains', async () => {
    const verify = await startVerify()
    await addProject(verify, { ...harbor, defaultOrigins: true })
    const ancestors = async (id: string) => {
      const { headers } = await verify.send(`/${id}`)
      return headers.get('content-security-policy')!.split('frame-ancestors ')[1]
    }
    const here = 'http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:*'
    expect(await ancestors('default')).toBe(here)
    expect(await ancestors('harbor')).toBe(
      `${here} https://harbor.example https://*.harbor.example`,
    )
  })

  test.each(['/default', '/default/'])('the page at %s loads its script', async (path) => {
    const verify = await startVerify()
    const page = await (await verify.send(path)).text()
    const { pathname, search } = new URL(
      /src="([^"]+)"/.exec(page)![1]!,
      `https://verify.test/prefix${path}`,
    )
    expect(pathname).toBe('/prefix/index.js')
    const script = await verify.send(`/index.js${search}`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('error: refuses a missing or expired token, and an origin of another project', async () => {
    let now = noon
    const verify = await startVerify({}, { now: () => now })
    await addProject(verify, harbor)
    const token = await csrfToken(verify)
    const sent = async (token: string, origin = local, site?: string) => {
      const headers = {
        ...ownPage,
        'x-csrf-token': token,
        ...(site !== undefined && { 'sec-fetch-site': site }),
      }
      const body = JSON.stringify({ attestationId: hashOf('open'), origin })
      const { status, json } = await post(verify, body, headers)
      return [status, json.reasons?.[0]?.field]
    }
    expect(await sent('')).toEqual([401, 'x-csrf-token'])
    expect(await sent(token, 'https://harbor.example')).toEqual([403, 'origin'])
    expect(await sent(token, local, 'cross-site')).toEqual([403, 'origin'])
    expect(await sent(await csrfToken(verify, 'harbor'), 'https://harbor.example')).toEqual([
      200,
      undefined,
    ])
    expect(await sent(token)).toEqual([200, undefined])
    now += 3_601_000
    expect(await sent(token)).toEqual([401, 'x-csrf-token'])
    expect(await outcomes(verify)).toEqual(['attestations unverified 2', 'attestations verified 2'])
  })

  test.each([
    ['{', 400, 'body'],
    [JSON.stringify({ attestationId: 'abc', origin: local }), 422, 'attestationId'],
    [JSON.stringify({ attestationId: hashOf('open'), origin: 'x'.repeat(301) }), 422, 'origin'],
    ['x'.repeat(4 * 1024 + 1), 413, 'body'],
  ])('error: refuses an invalid body (case %#)', async (body, status, field) => {
    const verify = await startVerify()
    const headers = { ...ownPage, 'x-csrf-token': await csrfToken(verify) }
    expect(await post(verify, body, headers)).toMatchObject({
      status,
      json: { reasons: [{ field }] },
    })
  })

  test('attack: refuses a plain HTTP request without a browser', async () => {
    const verify = await startVerify()
    const headers = { 'x-csrf-token': await csrfToken(verify) }
    const sent = await verify.send('/attestation', { method: 'POST', body, headers })
    expect(sent.status).toBe(403)
    expect((await verify.send(lookup)).status).toBe(404)
  })

  test('a path without a known project id gets a 404', async () => {
    const verify = await startVerify()
    for (const path of ['/unknown', '/favicon.ico', '/default/x', '/x/default']) {
      const answer = await verify.send(path)
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { reasons: [{ field: 'path' }] },
      ])
    }
    expect((await verify.send('/default', { method: 'POST' })).status).toBe(404)
  })

  test('error: the lookup of an invalid hash gets a 404', async () => {
    const verify = await startVerify()
    const answer = await verify.send('/attestation/abc')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

test('wallets and clients may send GET requests from any origin', async () => {
  const verify = await startVerify()
  const { headers } = await verify.send('/v3/public-key', { method: 'OPTIONS' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD')
})

describe('the rate limit of an address counts', () => {
  test.each([
    ['GET', '/v3/public-key'],
    ['GET', '/v3/attestation'],
    ['POST', '/v3/attestation'],
    ['POST', '/attestation'],
    ['GET', `/attestation/${hashOf('a')}`],
    ['GET', '/index.js'],
    ['GET', '/default'],
  ])('%s %s', async (method, path) => {
    const verify = await startVerify({ ipRate: 1, ipBurst: 1 })
    const statusFor = async (address: string) =>
      (await verify.send(path, { method, address })).status
    const first = await statusFor('192.0.2.1')
    expect(first).not.toBe(429)
    expect(await statusFor('192.0.2.1')).toBe(429)
    expect(await statusFor('192.0.2.2')).toBe(first)
  })
})

/** Posts to the enclave's route. */
async function post({ send }: TestVerify, body: string, headers: Record<string, string>) {
  const answer = await send('/attestation', { method: 'POST', body, headers })
  const json = (await answer.json()) as { reasons?: { field: string }[] }
  return { status: answer.status, json }
}

/** The counters of the verify service, as an operator reads them. */
async function outcomes({ context }: TestVerify) {
  const text = await context.metrics.registry.metrics()
  const counters = text.matchAll(/^gatefold_verify_(\w+)_total\{outcome="(\w+)"\} (\d+)$/gm)
  return [...counters].map(([, name, outcome, count]) => `${name} ${outcome} ${count}`)
}
