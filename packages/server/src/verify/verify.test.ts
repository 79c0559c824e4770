import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext as createWorld, runInContext } from 'node:vm'
import { decodeProtectedHeader, importJWK, jwtVerify, type JWK } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defaultProjectId, findProject, saveProject, type Project } from '../storage/projects.ts'
import { addScamDomains, deleteAttestationsBefore } from '../storage/verify.ts'
import { createTestVerify, hashOf, type TestVerify } from '../testing/createTestVerify.ts'
import { createDatabase, engines } from '../testing/databases.ts'
import { startTcpProxy } from '../testing/startTcpProxy.ts'
import { rotateKeys } from './createKeyring.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Noon, far from real time: what is measured on another clock would show. */
const noon = Date.UTC(2030, 0, 1, 12)

async function start(...[config, options]: Parameters<typeof createTestVerify>) {
  const verify = await createTestVerify(config, { now: () => noon, ...options })
  cleanups.push(() => verify.stop())
  return verify
}

async function addProject({ context }: TestVerify, changes: Partial<Project>) {
  const known = (await findProject(context.storage.db, defaultProjectId))!
  await saveProject(context.storage.db, { ...known, ...changes }, noon)
}

const harbor: Partial<Project> = {
  id: 'harbor',
  allowedOrigins: ['https://preview.harbor.test'],
  domains: ['harbor.example'],
}

type Keys = { publicKey: JWK; expiresAt: number; keys: JWK[] }

async function publicKeys({ send }: TestVerify) {
  return (await (await send('/v3/public-key')).json()) as Keys
}

/** Reads an attestation with a public key, as a wallet does. */
async function read(jwt: string, key: JWK, now = noon) {
  const { payload } = await jwtVerify(jwt, await importJWK(key, 'ES256'), {
    currentDate: new Date(now),
  })
  return payload
}

const local = 'http://localhost:3000'

describe('§7.12.5 an attestation', () => {
  test('is an ES256 token of the contract’s form, good for five minutes', async () => {
    const verify = await start()
    const jwt = await verify.attest({ claimed: local, framedBy: local, referrer: `${local}/` })
    const { publicKey, expiresAt } = await publicKeys(verify)
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', typ: 'JWT' })
    expect(Buffer.from(jwt.split('.')[2]!, 'base64url')).toHaveLength(64)
    expect(await read(jwt, publicKey)).toEqual({
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

  test.each<[string, Parameters<TestVerify['attest']>[0], boolean]>([
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
    ['this machine', { claimed: 'http://127.0.0.1:5173', framedBy: 'http://127.0.0.1:5173' }, true],
    [
      'a query that differs',
      { claimed: 'https://harbor.example', framedBy: 'https://evil.test' },
      false,
    ],
    [
      'a query that names another page of the project',
      { claimed: 'https://harbor.example', framedBy: 'https://a.harbor.example' },
      false,
    ],
    [
      'a page that was asked for by another',
      {
        claimed: 'https://harbor.example',
        framedBy: 'https://harbor.example',
        referrer: 'https://evil.test/',
      },
      false,
    ],
    [
      'a referrer that is no URL',
      { claimed: 'https://harbor.example', framedBy: 'https://harbor.example', referrer: 'evil' },
      false,
    ],
    ['nobody knows who', { claimed: 'https://harbor.example' }, false],
    [
      'an origin of use that is no domain of the project',
      { claimed: 'https://preview.harbor.test', framedBy: 'https://preview.harbor.test' },
      false,
    ],
    [
      'half a label',
      { claimed: 'https://evilharbor.example', framedBy: 'https://evilharbor.example' },
      false,
    ],
    [
      'another scheme',
      { claimed: 'http://harbor.example', framedBy: 'http://harbor.example' },
      false,
    ],
    ['no origin of its own', { claimed: 'null', framedBy: 'null' }, false],
  ])('%s', async (_, options, isVerified) => {
    const verify = await start()
    await addProject(verify, harbor)
    const jwt = await verify.attest({ projectId: 'harbor', ...options })
    const { publicKey } = await publicKeys(verify)
    // The query never becomes the origin that is told.
    expect(await read(jwt, publicKey)).toMatchObject({ isVerified, origin: options.framedBy ?? '' })
    // What is not verified cannot be looked up either.
    const lookup = await verify.send(`/attestation/${hashOf('open')}?v2Supported=true`)
    expect(lookup.status).toBe(isVerified ? 200 : 404)
  })

  test('tells a scam, also below a listed domain', async () => {
    const verify = await start()
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
      expect(await read(jwt, publicKey)).toMatchObject({ isScam, origin })
    }
    const metrics = await verify.context.metrics.registry.metrics()
    expect(metrics).toContain('gatefold_verify_attestations_total{outcome="scam"} 2')
    expect(metrics).toContain('gatefold_verify_attestations_total{outcome="unverified"} 1')
  })
})

describe('the page', () => {
  const path = `/v3/attestation?projectId=harbor&origin=x&id=${hashOf('sealed')}`

  test('may be framed by the project’s pages alone, and runs nothing but its script', async () => {
    const verify = await start()
    await addProject(verify, harbor)
    const { headers, status } = await verify.send(path)
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy')!.replace(/sha256-[\w+/=]+/, 'sha256-…')
    expect(policy).toBe(
      "default-src 'none'; script-src 'sha256-…'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; frame-ancestors http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:* https://harbor.example https://*.harbor.example https://preview.harbor.test",
    )
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    // A page of another site that could read the ticket could state any origin.
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('an entry of an origin list cannot end the directive', async () => {
    const verify = await start()
    const entries = ['https://a.example/; script-src *', 'https://b.example; x', 'plain.example']
    await addProject(verify, { id: 'harbor', allowedOrigins: entries })
    const policy = (await verify.send(path)).headers.get('content-security-policy')!
    expect(policy.split('; ')).toHaveLength(7)
    expect(policy).toMatch(/ https:\/\/a\.example https:\/\/plain\.example$/)
  })

  test('nothing of the query stands in it', async () => {
    const verify = await start()
    const attack = encodeURIComponent('"><script>alert(1)</script>')
    const answer = await verify.send(`/v3/attestation?id=${hashOf('sealed')}&origin=${attack}`)
    expect(await answer.text()).not.toContain('alert(1)')
  })

  test.each([
    ['projectId=nobody', 401, 'projectId'],
    ['id=abc', 400, 'id'],
    [`id=${hashOf('a').toUpperCase()}`, 400, 'id'],
    ['decryptedId=1', 400, 'decryptedId'],
    ['origin=', 400, 'origin'],
    [`origin=${'x'.repeat(301)}`, 400, 'origin'],
  ])('error: %s', async (query, status, field) => {
    const verify = await start()
    const words = new URLSearchParams(`id=${hashOf('a')}&origin=${local}`)
    new URLSearchParams(query).forEach((value, name) => words.set(name, value))
    const answer = await verify.send(`/v3/attestation?${words}`)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ reasons: [{ field }] })
  })

  test('error: a project that is not active', async () => {
    const verify = await start()
    await addProject(verify, { ...harbor, active: false })
    expect((await verify.send(path)).status).toBe(401)
  })
})

describe('what the page sends back', () => {
  async function post(verify: TestVerify, body: unknown, init: RequestInit = {}, query = '') {
    const answer = await verify.send(`/v3/attestation${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...init,
    })
    return [answer.status, await answer.json()] as const
  }
  const refused = (field: string) => ({ reasons: [{ field }] })

  test('error: a ticket that is none, of another project, or five minutes old', async () => {
    let now = noon
    const verify = await start({}, { now: () => now })
    await addProject(verify, harbor)
    const ticket = await verify.ticketFor({ claimed: local })
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
    expect((await post(verify, { ticket, origin: local }))[0]).toBe(401)
  })

  test('error: the enclave’s token is no ticket, and the other way round', async () => {
    const verify = await start()
    const ticket = await verify.ticketFor({ claimed: local })
    const csrf = await csrfToken(verify)
    expect((await post(verify, { ticket: csrf, origin: local }))[0]).toBe(401)
    const body = JSON.stringify({ attestationId: hashOf('open'), origin: local })
    const headers = { 'x-csrf-token': ticket }
    expect((await verify.send('/attestation', { method: 'POST', body, headers })).status).toBe(401)
  })

  test('error: it comes from another site', async () => {
    const verify = await start()
    const ticket = await verify.ticketFor({ claimed: local })
    const sent = (site: string) =>
      post(verify, { ticket, origin: local }, { headers: { 'sec-fetch-site': site } })
    expect((await sent('same-origin'))[0]).toBe(200)
    expect(await sent('cross-site')).toMatchObject([403, refused('origin')])
    expect((await sent('same-site'))[0]).toBe(403)
  })

  test('error: a body that is no good', async () => {
    const verify = await start()
    expect((await post(verify, {}))[0]).toBe(422)
    expect((await post(verify, {}, { body: '{' }))[0]).toBe(400)
    expect((await post(verify, { ticket: 'x'.repeat(9_000) }))[0]).toBe(413)
  })
})

describe('the page’s script in a browser that does not tell who frames it', () => {
  const script = readFileSync(join(import.meta.dirname, 'browser/attestation.js'), 'utf8')

  /** The script's world as such a browser shows it; what it sends is answered by the real service. */
  async function run(verify: TestVerify, referrer: string, claimed = local) {
    const ticket = await verify.ticketFor({ claimed })
    return new Promise<{ message: string; target: string }>((resolve) => {
      const window = {}
      const world = createWorld({
        window,
        parent: { postMessage: (message: string, target: string) => resolve({ message, target }) },
        document: { querySelector: () => ({ getAttribute: () => ticket }), referrer },
        location: { pathname: '/v3/attestation', search: '' },
        fetch: (path: string, init: RequestInit) => verify.send(path, init),
      })
      runInContext(script, world)
    })
  }

  test.each([
    [`${local}/`, local, true],
    ['https://evil.test/', 'https://evil.test', false],
    ['', '*', false],
    ['android-app://com.example', '*', false],
  ])('referrer “%s”', async (referrer, target, isVerified) => {
    const verify = await start()
    const sent = await run(verify, referrer)
    expect(sent.target).toBe(target)
    const { type, attestation } = JSON.parse(sent.message) as { type: string; attestation: string }
    expect(type).toBe('verify_attestation')
    const { publicKey } = await publicKeys(verify)
    expect(await read(attestation, publicKey)).toMatchObject({ isVerified })
  })
})

async function csrfToken({ send }: TestVerify, projectId = 'default') {
  const page = await (await send(`/${projectId}`)).text()
  return /index\.js\?token=([\w.-]+)"/.exec(page)![1]!
}

describe('older clients', () => {
  const body = JSON.stringify({ attestationId: hashOf('open'), origin: local })
  const lookup = `/attestation/${hashOf('open')}?v2Supported=true`

  test('the enclave takes a hash, and a wallet has its origin once', async () => {
    const verify = await start()
    const page = await verify.send('/default')
    expect(page.headers.get('content-security-policy')).toContain(
      "script-src 'self'; connect-src 'self'",
    )
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    const token = await csrfToken(verify)
    const script = await verify.send(`/index.js?token=${token}`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const headers = { 'x-csrf-token': token }
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

  test('the enclave may be framed by this machine and the project’s domains alone', async () => {
    const verify = await start()
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

  test.each(['/default', '/default/'])('the page at %s finds its script', async (path) => {
    const verify = await start()
    const page = await (await verify.send(path)).text()
    const { pathname, search } = new URL(
      /src="([^"]+)"/.exec(page)![1]!,
      `https://verify.test${path}`,
    )
    const script = await verify.send(pathname + search)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('error: a token that is missing, or older than an hour; an origin of another project', async () => {
    let now = noon
    const verify = await start({}, { now: () => now })
    await addProject(verify, harbor)
    const token = await csrfToken(verify)
    const sent = async (token: string, origin = local, site?: string) => {
      const headers = {
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

  test('a path that names no project is nothing at all', async () => {
    const verify = await start()
    for (const path of ['/nobody', '/favicon.ico', '/default/x']) {
      const answer = await verify.send(path)
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { reasons: [{ field: 'path' }] },
      ])
    }
    expect((await verify.send('/default', { method: 'POST' })).status).toBe(404)
  })

  test('error: a hash that is none', async () => {
    const verify = await start()
    const answer = await verify.send('/attestation/abc')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

test('rate limits are the gateway’s', async () => {
  const verify = await start({ ipRate: 1, ipBurst: 4 })
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

describe.each(engines)('%s', (engine) => {
  async function database() {
    const created = await createDatabase(engine)
    cleanups.push(() => created.remove())
    return created.config
  }

  test('all processes of a database sign with one key, also when all start at once', async () => {
    const config = await database()
    const processes = await Promise.all([start(config), start(config), start(config)])
    const all = await Promise.all(processes.map(publicKeys))
    expect(new Set(all.map(({ publicKey }) => publicKey.x)).size).toBe(1)
    const ticket = await processes[0].ticketFor({ claimed: local })
    const answer = await processes[1].send('/v3/attestation', {
      method: 'POST',
      body: JSON.stringify({ ticket, origin: local }),
    })
    expect(answer.status).toBe(200)
    const again = await start(config)
    expect(await publicKeys(again)).toEqual(all[0])
  })

  test('an attestation is had once by one of many who ask at once, and for five minutes', async () => {
    const config = await database()
    let now = noon
    const verify = await start(config, { now: () => now })
    const ask = () => verify.send(`/attestation/${hashOf('open')}`)
    await verify.attest({ claimed: local, framedBy: local })
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)

    await verify.attest({ claimed: local, framedBy: local })
    now += 301_000
    expect((await ask()).status).toBe(404)
    const { db } = verify.context.storage
    await deleteAttestationsBefore(db, now)
    expect(await db.selectFrom('verify_attestations').selectAll().execute()).toEqual([])
  })

  test('what is attested for one origin is not for another, nor changed by it', async () => {
    const verify = await start(await database())
    await addProject(verify, harbor)
    await addScamDomains(verify.context.storage.db, ['a.harbor.example'], noon)
    for (const origin of ['https://harbor.example', 'https://a.harbor.example'])
      await verify.attest({ projectId: 'harbor', claimed: origin, framedBy: origin })
    const answer = await verify.send(`/attestation/${hashOf('open')}`)
    expect(await answer.json()).toMatchObject({ origin: 'https://harbor.example', isScam: false })
  })

  test('a new key starts when every process knows it, and the old one stays good', async () => {
    let now = noon
    const clock = { now: () => now }
    const config = await database()
    const [first, second] = [await start(config, clock), await start(config, clock)]
    const before = await first.attest({ claimed: local, framedBy: local })
    const old = await publicKeys(second)
    const { db } = first.context.storage
    expect(await rotateKeys(db, now, { atOnce: false })).toBe(now + 10_000)

    now += 5_000
    const announced = await publicKeys(first)
    expect(announced.publicKey).toEqual(old.publicKey)
    expect(announced.keys).toHaveLength(2)

    now += 5_000
    for (const process of [first, second]) {
      const { publicKey, keys } = await publicKeys(process)
      expect(publicKey).toEqual(announced.keys[1])
      expect(keys[1]).toEqual(old.publicKey)
      const jwt = await process.attest({ claimed: local, framedBy: local })
      expect(await read(jwt, publicKey, now)).toMatchObject({ isVerified: true })
    }
    expect(await read(before, old.publicKey, now)).toMatchObject({ isVerified: true })

    now += 600_000
    expect((await publicKeys(first)).keys).toHaveLength(1)
    await rotateKeys(db, now, { atOnce: true })
    now += 5_000
    const { keys } = await publicKeys(second)
    expect(keys).toHaveLength(1)
    expect(keys[0]).not.toEqual(announced.keys[1])
  })

  test('a key that was changed twice in a row stays good as long as one changed once', async () => {
    let now = noon
    const verify = await start(await database(), { now: () => now })
    const { db } = verify.context.storage
    const old = await publicKeys(verify)
    await rotateKeys(db, now, { atOnce: false })
    now += 5_000
    await rotateKeys(db, now, { atOnce: false })
    now += 4_000
    // Neither new key has begun: other processes may not know them yet.
    const jwt = await verify.attest({ claimed: local, framedBy: local })
    expect(await read(jwt, old.publicKey, now)).toMatchObject({ isVerified: true })
    now += 299_000
    const { publicKey, keys } = await publicKeys(verify)
    expect(keys).toHaveLength(3)
    expect(keys).toContainEqual(old.publicKey)
    const before = await verify.attest({ claimed: local, framedBy: local })
    expect(await read(before, publicKey, now)).toMatchObject({ isVerified: true })

    now += 310_000
    await rotateKeys(db, now, { atOnce: false })
    now += 5_000
    expect((await publicKeys(verify)).keys).not.toContainEqual(old.publicKey)
  })
})

test('while the database is away the key goes on; what needs it is 503, not wrong', async () => {
  const created = await createDatabase('postgres')
  cleanups.push(() => created.remove())
  const url = new URL(created.config.databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  cleanups.push(() => proxy.stop())
  url.port = String(proxy.port)
  let now = noon
  const verify = await start({ databaseUrl: url.href }, { now: () => now })
  await verify.attest({ claimed: local, framedBy: local })
  const { publicKey } = await publicKeys(verify)
  proxy.cut()
  now += 60_000
  expect((await publicKeys(verify)).publicKey).toEqual(publicKey)
  const ticket = await verify.ticketFor({ claimed: local })
  const body = JSON.stringify({ ticket, origin: local })
  const posted = await verify.send('/v3/attestation', { method: 'POST', body })
  expect([posted.status, posted.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await verify.send(`/attestation/${hashOf('open')}`)).status).toBe(503)
  expect((await verify.send('/never-read')).status).toBe(503)
  proxy.mend()
  await vi.waitFor(async () =>
    expect((await verify.send(`/attestation/${hashOf('open')}`)).status).toBe(200),
  )
})
