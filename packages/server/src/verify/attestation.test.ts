import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext as createWorld, runInContext } from 'node:vm'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { openStorage } from '../storage/openStorage.ts'
import {
  addScamDomains,
  deleteAttestationsBefore,
  saveAttestation,
  takeAttestation,
} from '../storage/verify.ts'
import { framing, hashOf, ownPage, type TestVerify } from '../testing/createTestVerify.ts'
import { createDatabase, engines } from '../testing/databases.ts'
import {
  addProject,
  csrfToken,
  harbor,
  local,
  noon,
  publicKeys,
  readClaims,
  startVerify,
} from '../testing/verifyFixture.ts'

describe('§7.12.5 an attestation', () => {
  test('is an ES256 token in the documented format that expires after five minutes', async () => {
    const verify = await startVerify()
    const jwt = await verify.attest({ claimed: local, framedBy: local, referrer: `${local}/` })
    const { publicKey, expiresAt } = await publicKeys(verify)
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', typ: 'JWT' })
    expect(Buffer.from(jwt.split('.')[2]!, 'base64url')).toHaveLength(64)
    expect(await readClaims(jwt, publicKey)).toEqual({
      exp: noon / 1000 + 300,
      id: hashOf('sealed'),
      origin: local,
      isScam: false,
      isVerified: true,
    })
    expect(publicKey).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String) as string,
      y: expect.any(String) as string,
      ext: true,
      key_ops: ['verify'],
    })
    expect(expiresAt).toBe(noon / 1000 + 3_600)
  })

  const pages: [string, Parameters<TestVerify['attest']>[0], boolean][] = [
    [
      'a page of the project',
      { claimed: 'https://harbor.example', framedBy: 'https://harbor.example' },
      true,
    ],
    [
      'a subdomain',
      { claimed: 'https://a.harbor.example', framedBy: 'https://a.harbor.example' },
      true,
    ],
    ['a local page', { claimed: 'http://127.0.0.1:5173', framedBy: 'http://127.0.0.1:5173' }, true],
    [
      'a page on the site of the service',
      { claimed: local, framedBy: local, framing: { ...framing, 'sec-fetch-site': 'same-site' } },
      true,
    ],
    [
      'a page on the origin of the service',
      { claimed: local, framedBy: local, framing: { ...framing, 'sec-fetch-site': 'same-origin' } },
      true,
    ],
    [
      'a ticket that was returned with the referrer of the service',
      { claimed: local, framedBy: local, posting: { ...ownPage, referer: `${ownPage.origin}/v3` } },
      true,
    ],
    [
      'a page of another site that claims a project page in its query',
      { claimed: 'https://harbor.example', framedBy: 'https://evil.test' },
      false,
    ],
    [
      'a project page that claims another project page in its query',
      { claimed: 'https://harbor.example', framedBy: 'https://a.harbor.example' },
      false,
    ],
    [
      'a frame requested by a page other than the framing one',
      {
        claimed: 'https://harbor.example',
        framedBy: 'https://harbor.example',
        referrer: 'https://evil.test/',
      },
      false,
    ],
    [
      'a referrer that is not a URL',
      { claimed: 'https://harbor.example', framedBy: 'https://harbor.example', referrer: 'evil' },
      false,
    ],
    ['an unknown framing page', { claimed: 'https://harbor.example' }, false],
    [
      'an allowed origin that is not on a domain of the project',
      { claimed: 'https://preview.harbor.test', framedBy: 'https://preview.harbor.test' },
      false,
    ],
    [
      'a domain that only ends with the same text',
      { claimed: 'https://evilharbor.example', framedBy: 'https://evilharbor.example' },
      false,
    ],
    [
      'another scheme',
      { claimed: 'http://harbor.example', framedBy: 'http://harbor.example' },
      false,
    ],
    [
      'two plain HTTP requests without a browser',
      { claimed: local, framedBy: local, referrer: `${local}/`, framing: {}, posting: {} },
      false,
    ],
    [
      'a page that was not requested for a frame',
      {
        claimed: local,
        framedBy: local,
        framing: {
          'sec-fetch-dest': 'empty',
          'sec-fetch-mode': 'cors',
          'sec-fetch-site': 'cross-site',
        },
      },
      false,
    ],
    [
      'a frame that was not navigated',
      { claimed: local, framedBy: local, framing: { ...framing, 'sec-fetch-mode': 'cors' } },
      false,
    ],
    [
      'a page that was requested for an element other than a frame',
      { claimed: local, framedBy: local, framing: { ...framing, 'sec-fetch-dest': 'object' } },
      false,
    ],
    [
      'a page that was opened in a tab',
      {
        claimed: local,
        framedBy: local,
        framing: {
          'sec-fetch-dest': 'iframe',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-site': 'none',
        },
      },
      false,
    ],
    ['a ticket that no browser returned', { claimed: local, framedBy: local, posting: {} }, false],
    [
      'a ticket that was returned without an origin',
      { claimed: local, framedBy: local, posting: { ...ownPage, origin: '' } },
      false,
    ],
    [
      'a ticket that was returned with the referrer of another page',
      { claimed: local, framedBy: local, posting: { ...ownPage, referer: 'https://evil.test/' } },
      false,
    ],
    [
      'a ticket that was returned with a referrer that is not a URL',
      { claimed: local, framedBy: local, posting: { ...ownPage, referer: 'evil' } },
      false,
    ],
    [
      'a ticket that was returned by a request other than a fetch',
      { claimed: local, framedBy: local, posting: { ...ownPage, 'sec-fetch-dest': 'document' } },
      false,
    ],
    [
      'a ticket that was returned without the site of the request',
      { claimed: local, framedBy: local, posting: { ...ownPage, 'sec-fetch-site': undefined } },
      false,
    ],
    ['an opaque origin', { claimed: 'null', framedBy: 'null' }, false],
  ]
  const isForged = ([, , isVerified]: (typeof pages)[number]) => !isVerified
  test.each(pages.filter((page) => !isForged(page)))('%s is verified', check)
  test.each(pages.filter(isForged))('attack: %s is not verified', check)

  async function check(
    _: string,
    options: Parameters<TestVerify['attest']>[0],
    isVerified: boolean,
  ) {
    const verify = await startVerify()
    await addProject(verify, harbor)
    const jwt = await verify.attest({ projectId: 'harbor', ...options })
    const { publicKey } = await publicKeys(verify)
    // The attested origin never comes from the query.
    expect(await readClaims(jwt, publicKey)).toMatchObject({
      isVerified,
      origin: options.framedBy ?? '',
    })
    // Only verified attestations can be looked up.
    const lookup = await verify.send(`/attestation/${hashOf('open')}?v2Supported=true`)
    expect(lookup.status).toBe(isVerified ? 200 : 404)
  }

  test('marks listed scam domains and their subdomains', async () => {
    const verify = await startVerify()
    await addProject(verify, harbor)
    await addScamDomains(verify.context.storage.db, ['harbor.example'], noon)
    const { publicKey } = await publicKeys(verify)
    for (const [host, isScam] of [
      ['harbor.example', true],
      ['a.b.harbor.example', true],
      ['evilharbor.example', false],
    ]) {
      const origin = `https://${host}`
      const jwt = await verify.attest({ projectId: 'harbor', claimed: origin, framedBy: origin })
      expect(await readClaims(jwt, publicKey)).toMatchObject({ isScam, origin })
    }
    const metrics = await verify.context.metrics.registry.metrics()
    expect(metrics).toContain('gatefold_verify_attestations_total{outcome="scam"} 2')
    expect(metrics).toContain('gatefold_verify_attestations_total{outcome="unverified"} 1')
  })

  test('attack: a listed scam page that claims another origin is marked', async () => {
    const verify = await startVerify()
    await addScamDomains(verify.context.storage.db, ['evil.test'], noon)
    const origin = 'https://evil.test'
    const jwt = await verify.attest({ claimed: local, framedBy: origin })
    const { publicKey } = await publicKeys(verify)
    const claims = await readClaims(jwt, publicKey)
    expect(claims).toMatchObject({ origin, isScam: true, isVerified: false })
  })

  test.each(engines)(
    'attack: of another origin with the same hash does not change the stored one, on %s',
    async (engine) => {
      const database = await createDatabase(engine)
      const storage = await openStorage(database.config)
      const { db } = storage
      const first = { id: hashOf('open'), origin: local, isScam: false, expiresAt: 1_000 }
      await saveAttestation(db, first)
      const origin = 'https://evil.test'
      await saveAttestation(db, { ...first, origin, isScam: true, expiresAt: 2_000 })
      expect(await takeAttestation(db, first.id, 999)).toEqual(first)
      await saveAttestation(db, first)
      await saveAttestation(db, { ...first, expiresAt: 2_000 })
      expect(await takeAttestation(db, first.id, 999)).toMatchObject({ expiresAt: 2_000 })
      await storage.close()
      await database.remove()
    },
  )

  test('is not stored without the hash of the decrypted message', async () => {
    const verify = await startVerify()
    const jwt = await verify.attest({ claimed: local, framedBy: local, decryptedId: null })
    const { publicKey } = await publicKeys(verify)
    expect(await readClaims(jwt, publicKey)).toMatchObject({ isVerified: true, origin: local })
    const { db } = verify.context.storage
    const rows = db.selectFrom('verify_attestations').selectAll().where('origin', '=', local)
    expect(await rows.execute()).toEqual([])
    const metrics = await verify.context.metrics.registry.metrics()
    expect(metrics).toContain('gatefold_verify_attestations_total{outcome="verified"} 1')
  })
})

describe('the attestation page', () => {
  const path = `/v3/attestation?projectId=harbor&origin=x&id=${hashOf('sealed')}`

  test('may be framed only by local pages and the project’s pages, and runs only its script', async () => {
    const verify = await startVerify()
    await addProject(verify, harbor)
    const { headers, status } = await verify.send(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
    const policy = headers.get('content-security-policy')!.replace(/sha256-[\w+/=]+/, 'sha256-…')
    expect(policy).toBe(
      "default-src 'none'; script-src 'sha256-…'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; frame-ancestors http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:* https://harbor.example https://*.harbor.example https://preview.harbor.test",
    )
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    // If a page of another site could read the ticket, it could claim any origin.
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each(['https://harbor.example', 'https://a.harbor.example', 'http://localhost:5173'])(
    'attack: may be framed only by the claimed origin, if that can be verified (%s)',
    async (origin) => {
      const verify = await startVerify()
      await addProject(verify, harbor)
      const { headers } = await verify.send(path.replace('origin=x', `origin=${origin}`))
      const policy = headers.get('content-security-policy')!
      expect(policy.split('; ').at(-1)).toBe(`frame-ancestors ${origin}`)
    },
  )

  test('contains the script that its CSP allows', async () => {
    const verify = await startVerify()
    await addProject(verify, harbor)
    const page = await verify.send(path)
    const [, script] = /<script>(.*)<\/script>/s.exec(await page.text())!
    const hash = createHash('sha256').update(script!).digest('base64')
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`)
  })

  test('has a CSP directive that no entry of the origin list can end', async () => {
    const verify = await startVerify()
    const entries = [
      'https://a.example/; script-src *',
      'https://b.example; x',
      'plain.example',
      'https://c.example:8443',
      '*',
    ]
    await addProject(verify, { id: 'harbor', allowedOrigins: entries })
    const policy = (await verify.send(path)).headers.get('content-security-policy')!
    expect(policy.split('; ')).toHaveLength(7)
    expect(policy).toMatch(
      / https:\/\/a\.example https:\/\/plain\.example https:\/\/c\.example:8443 \*$/,
    )
  })

  test('does not contain the query', async () => {
    const verify = await startVerify()
    const attack = encodeURIComponent('"><script>alert(1)</script>')
    const answer = await verify.send(`/v3/attestation?id=${hashOf('sealed')}&origin=${attack}`)
    expect(await answer.text()).not.toContain('alert(1)')
  })

  test.each([
    ['projectId=unknown', 401, 'projectId'],
    ['id=abc', 400, 'id'],
    [`id=${hashOf('a').toUpperCase()}`, 400, 'id'],
    [`id=${hashOf('a')}0`, 400, 'id'],
    [`id=x${hashOf('a')}`, 400, 'id'],
    ['decryptedId=1', 400, 'decryptedId'],
    ['origin=', 400, 'origin'],
    [`origin=${'x'.repeat(301)}`, 400, 'origin'],
  ])('error: refuses %s', async (query, status, field) => {
    const verify = await startVerify()
    const words = new URLSearchParams(`id=${hashOf('a')}&origin=${local}`)
    new URLSearchParams(query).forEach((value, name) => words.set(name, value))
    const answer = await verify.send(`/v3/attestation?${words}`)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ reasons: [{ field }] })
  })

  test('error: states the expected form of a hash', async () => {
    const verify = await startVerify()
    const answer = await verify.send(`/v3/attestation?id=abc&origin=${local}`)
    const reason = { field: 'id', description: 'id must be 64 lower-case hex digits' }
    expect(await answer.json()).toMatchObject({ reasons: [reason] })
  })

  test('error: refuses an inactive project', async () => {
    const verify = await startVerify()
    await addProject(verify, { ...harbor, active: false })
    expect((await verify.send(path)).status).toBe(401)
  })
})

describe('posting the ticket', () => {
  async function post(verify: TestVerify, body: unknown, init: RequestInit = {}, query = '') {
    const answer = await verify.send(`/v3/attestation${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...init,
    })
    return [answer.status, await answer.json()] as const
  }
  const refused = (field: string) => ({ reasons: [{ field }] })

  test('error: refuses a ticket that is invalid, from another project or older than five minutes', async () => {
    let now = noon
    const verify = await startVerify({}, { now: () => now })
    await addProject(verify, harbor)
    const ticket = await verify.ticketFor({ claimed: local })
    const unused = await verify.ticketFor({ claimed: local })
    const [head, , signature] = ticket.split('.')
    const forged = Buffer.from(JSON.stringify({ aud: 'attestation', exp: 9e9 })).toString(
      'base64url',
    )
    for (const [body, query] of [
      [{ ticket: 'x', origin: local }],
      [{ ticket: `${head}.${forged}.${signature}`, origin: local }],
      [{ ticket, origin: local }, '?projectId=harbor'],
    ] as const) {
      const [status, answer] = await post(verify, body, {}, query)
      expect([status, answer]).toMatchObject([401, refused('ticket')])
    }
    now += 299_000
    expect((await post(verify, { ticket, origin: local }))[0]).toBe(200)
    now += 2_000
    expect((await post(verify, { ticket: unused, origin: local }))[0]).toBe(401)
  })

  test('attack: refuses a ticket that was used before', async () => {
    let now = noon
    const verify = await startVerify({}, { now: () => now })
    const ticket = await verify.ticketFor({ claimed: local })
    const body = { ticket, origin: local }
    const both = await Promise.all([post(verify, body), post(verify, body)])
    expect(both.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    now += 299_000
    await deleteAttestationsBefore(verify.context.storage.db, now)
    expect(await post(verify, body)).toMatchObject([401, refused('ticket')])
  })

  test('error: an enclave token is not a valid ticket, and a ticket is not a valid enclave token', async () => {
    const verify = await startVerify()
    const ticket = await verify.ticketFor({ claimed: local })
    const csrf = await csrfToken(verify)
    expect((await post(verify, { ticket: csrf, origin: local }))[0]).toBe(401)
    const body = JSON.stringify({ attestationId: hashOf('open'), origin: local })
    const headers = { 'x-csrf-token': ticket }
    expect((await verify.send('/attestation', { method: 'POST', body, headers })).status).toBe(401)
  })

  test('error: refuses a request from another origin', async () => {
    const verify = await startVerify()
    const ticket = await verify.ticketFor({ claimed: local })
    const sent = (site: string) =>
      post(verify, { ticket, origin: local }, { headers: { 'sec-fetch-site': site } })
    expect((await sent('same-origin'))[0]).toBe(200)
    expect(await sent('cross-site')).toMatchObject([403, refused('origin')])
    expect((await sent('same-site'))[0]).toBe(403)
  })

  test('error: refuses an unknown project', async () => {
    const verify = await startVerify()
    const ticket = await verify.ticketFor({ claimed: local })
    const answer = await post(verify, { ticket, origin: local }, {}, '?projectId=unknown')
    expect(answer).toMatchObject([401, refused('projectId')])
  })

  test('error: refuses an invalid body', async () => {
    const verify = await startVerify()
    expect((await post(verify, {}))[0]).toBe(422)
    expect((await post(verify, {}, { body: '{' }))[0]).toBe(400)
    expect((await post(verify, { ticket: 'x'.repeat(9_000) }))[0]).toBe(413)
  })
})

describe('the attestation page’s script in a browser without `ancestorOrigins`', () => {
  const script = readFileSync(join(import.meta.dirname, 'browser/attestation.js'), 'utf8')

  /** Runs the script with the globals of such a browser. `fetch` calls the real service. */
  async function run(verify: TestVerify, referrer: string, claimed = local) {
    const ticket = await verify.ticketFor({ claimed })
    return new Promise<{ message: string; target: string }>((resolve) => {
      const window = {}
      const world = createWorld({
        window,
        parent: { postMessage: (message: string, target: string) => resolve({ message, target }) },
        document: { querySelector: () => ({ getAttribute: () => ticket }), referrer },
        location: { pathname: '/v3/attestation', search: '' },
        fetch: (path: string, init: RequestInit) =>
          verify.send(path, { ...init, headers: ownPage }),
      })
      runInContext(script, world)
    })
  }

  test.each([
    [`${local}/`, local, true],
    ['https://evil.test/', 'https://evil.test', false],
    ['', '*', false],
    ['android-app://com.example', '*', false],
  ])(
    'with referrer “%s” posts the attestation to %s; verified: %s',
    async (referrer, target, isVerified) => {
      const verify = await startVerify()
      const sent = await run(verify, referrer)
      expect(sent.target).toBe(target)
      const { type, attestation } = JSON.parse(sent.message) as {
        type: string
        attestation: string
      }
      expect(type).toBe('verify_attestation')
      const { publicKey } = await publicKeys(verify)
      expect(await readClaims(attestation, publicKey)).toMatchObject({ isVerified })
    },
  )
})
