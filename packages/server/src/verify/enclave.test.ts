import { describe, expect, test } from 'vitest'
import { hashOf, ownPage } from '../testing/createTestVerify.ts'
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
    expect((await verify.send(lookup)).status).toBe(404)
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
      `https://verify.test${path}`,
    )
    const script = await verify.send(pathname + search)
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
      return (await verify.send('/attestation', { method: 'POST', body, headers })).status
    }
    expect(await sent('')).toBe(401)
    expect(await sent(token, 'https://harbor.example')).toBe(403)
    expect(await sent(token, local, 'cross-site')).toBe(403)
    expect(await sent(await csrfToken(verify, 'harbor'), 'https://harbor.example')).toBe(200)
    expect(await sent(token)).toBe(200)
    now += 3_601_000
    expect(await sent(token)).toBe(401)
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
    for (const path of ['/nobody', '/favicon.ico', '/default/x']) {
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

test('rate limits count the requests to all routes', async () => {
  const verify = await startVerify({ ipRate: 1, ipBurst: 4 })
  const statuses = []
  for (const path of [
    '/v3/public-key',
    `/attestation/${hashOf('a')}`,
    '/index.js',
    '/default',
    '/default',
  ])
    statuses.push((await verify.send(path)).status)
  expect(statuses).toEqual([200, 404, 200, 200, 429])
  expect((await verify.send('/v3/public-key', { address: '192.0.2.2' })).status).toBe(200)
})
