import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await createTestGateway({ rpcUrls: { 'eip155:1': ['http://127.0.0.1:1'] } })
})
afterAll(() => gateway.stop())

const paths = [
  '/getWallets',
  '/appkit/v1/config',
  '/appkit/v1/project-limits',
  '/projects/v1/origins',
  '/getAnalyticsConfig',
  '/e',
  '/batch',
  '/v1',
  '/v1/',
  '/v1/supported-chains',
  '/getWalletImage/x',
  '/nothing/here',
]

describe('any page can read every response, including errors', () => {
  test.each(
    paths.flatMap((path) => ['GET', 'POST', 'PUT', 'DELETE'].map((method) => ({ method, path }))),
  )('$method $path', async ({ method, path }) => {
    const response = await gateway.send(path, {
      method,
      headers: { origin: 'http://localhost:3000' },
    })
    expect(['*', 'http://localhost:3000']).toContain(
      response.headers.get('access-control-allow-origin'),
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-type')).toContain('application/json')
    // The body is never empty, because official clients parse every successful response.
    expect(JSON.parse(await response.text())).toBeTypeOf('object')
  })
})

test.each(paths)('a preflight for %s is granted with the headers it requests', async (path) => {
  const requested = 'content-type, x-sdk-type, x-sdk-version'
  const response = await gateway.send(path, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers': requested,
    },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-headers')).toBe(requested)
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  // Otherwise, browsers would send a preflight before nearly every request.
  expect(response.headers.get('access-control-max-age')).toBe('86400')
  expect(['*', 'http://localhost:3000']).toContain(
    response.headers.get('access-control-allow-origin'),
  )
})

test('a preflight that requests no headers is granted all headers that official clients send', async () => {
  const response = await gateway.send('/v1', { method: 'OPTIONS' })
  const granted = response.headers.get('access-control-allow-headers')!.split(', ')
  expect(granted).toEqual([
    'content-type',
    'x-sdk-type',
    'x-sdk-version',
    'x-nonce-jwt',
    'x-otp',
    'authorization',
    'solana-client',
  ])
})

test.each(['/e', '/batch'])('a beacon to %s may include credentials', async (path) => {
  for (const method of ['OPTIONS', 'POST']) {
    const { headers } = await gateway.send(path, {
      method,
      headers: { origin: 'http://localhost:3000' },
      ...(method === 'POST' && { body: '[]' }),
    })
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect(headers.get('vary')).toContain('origin')
  }
})

test.each([
  ['address', { ipRate: 1, ipBurst: 1 }],
  ['project', { projectRate: 1, projectBurst: 1 }],
])('a request above the limit of the %s is counted in the metrics', async (bucket, config) => {
  const limited = await createTestGateway(config, { now: () => 0 })
  const send = async () => (await limited.send('/getWallets')).status
  const count = async () => {
    const text = await limited.context.metrics.registry.metrics()
    return text.split('\n').find((line) => line.startsWith('gatefold_rate_limited_total{'))
  }
  expect(await send()).toBe(200)
  expect(await count()).toBeUndefined()
  expect(await send()).toBe(429)
  expect(await count()).toBe(`gatefold_rate_limited_total{bucket="${bucket}"} 1`)
  await limited.stop()
})

test('HEAD gets the same response as GET, without the body', async () => {
  const response = await gateway.send('/getWallets', { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test('error: a 405 lists the supported methods', async () => {
  const { status, body, headers } = await gateway.json('/getWallets', { method: 'DELETE' })
  expect(status).toBe(405)
  expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expect(body).toMatchObject({ reasons: [{ field: 'method' }] })
})

test('error: a 404 names the path', async () => {
  const { status, body } = await gateway.json('/v1/nothing')
  expect(status).toBe(404)
  expect(body).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'path', description: 'there is nothing at /v1/nothing' }],
  })
})

describe('rate limits', () => {
  test('an address that sends too many requests gets 429; others do not', async () => {
    let time = 0
    const limited = await createTestGateway({ ipRate: 1, ipBurst: 3 }, { now: () => time })
    const request = (address: string) => limited.json('/getWallets?entries=1', { address })
    for (let count = 0; count < 3; count += 1) expect((await request('192.0.2.1')).status).toBe(200)
    const refused = await request('192.0.2.1')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.body).toMatchObject({ status: 'FAILED', reasons: [{ field: 'ip' }] })
    expect((await request('192.0.2.2')).status).toBe(200)
    time += 1_000
    expect((await request('192.0.2.1')).status).toBe(200)
    await limited.stop()
  })

  test('§8.2.2/1 a project with too many requests gets 429; others do not', async () => {
    const limited = await createTestGateway({ projectRate: 1, projectBurst: 5 }, { now: () => 0 })
    const { saveProject, findProject } = await import('../storage/projects.ts')
    const { db } = limited.context.storage
    const base = (await findProject(db, 'default'))!
    await saveProject(db, { ...base, id: 'other' }, 1)
    const statuses: number[] = []
    for (let count = 0; count < 8; count += 1)
      statuses.push(
        (
          await limited.json('/projects/v1/origins?projectId=default', {
            address: `192.0.2.${count}`,
          })
        ).status,
      )
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    expect((await limited.json('/projects/v1/origins?projectId=other')).status).toBe(200)
    await limited.stop()
  })

  test('images cost no tokens', async () => {
    const limited = await createTestGateway({ ipRate: 1, ipBurst: 1 }, { now: () => 0 })
    for (let count = 0; count < 50; count += 1)
      expect((await limited.send('/public/getTokenImage/ETH')).status).toBe(200)
    await limited.stop()
  })

  test('behind a trusted proxy, limits apply to the address that the proxy reports', async () => {
    const limited = await createTestGateway(
      { ipRate: 1, ipBurst: 1, trustedProxies: 1 },
      { now: () => 0 },
    )
    const statusFor = async (forwarded: string) =>
      (await limited.send('/getWallets?entries=1', { headers: { 'x-forwarded-for': forwarded } }))
        .status
    expect(await statusFor('203.0.113.1')).toBe(200)
    expect(await statusFor('198.51.100.7, 203.0.113.1')).toBe(429)
    expect(await statusFor('203.0.113.2')).toBe(200)
    await limited.stop()
  })

  test('without trusted proxies, X-Forwarded-For is ignored', async () => {
    const limited = await createTestGateway({ ipRate: 1, ipBurst: 1 }, { now: () => 0 })
    const statusFor = async (forwarded: string) =>
      (await limited.send('/getWallets?entries=1', { headers: { 'x-forwarded-for': forwarded } }))
        .status
    expect([await statusFor('203.0.113.1'), await statusFor('203.0.113.2')]).toEqual([200, 429])
    await limited.stop()
  })
})

describe('fuzz: malformed requests', () => {
  const noNumber = fc.string({ maxLength: 12 }).filter((text) => text !== '' && !/^\d+$/.test(text))
  const badQuery = fc.oneof(
    fc.tuple(fc.constant('page'), fc.oneof(noNumber, fc.integer({ max: 0 }).map(String))),
    fc.tuple(
      fc.constant('entries'),
      fc.oneof(noNumber, fc.integer({ max: 0 }).map(String), fc.integer({ min: 101 }).map(String)),
    ),
    fc.tuple(
      fc.constantFrom('badge_type', 'badge'),
      fc.string({ minLength: 1 }).filter((text) => !['certified', 'none'].includes(text)),
    ),
    fc.tuple(
      fc.constant('chains'),
      fc.string({ minLength: 1 }).filter((text) => !text.includes(':') && /[^\s,]/.test(text)),
    ),
    fc.tuple(
      fc.constantFrom('include', 'exclude', 'rdns'),
      fc.string({ minLength: 1 }).map((text) => `${text.replaceAll(',', '')}<`),
    ),
    fc.tuple(
      fc.constant('search'),
      fc
        .string({ minLength: 101, maxLength: 200 })
        .map((text) => `x${text.trim().padEnd(101, 'x')}`),
    ),
  )

  test('GET /getWallets with an invalid value gets a 400 that names the field', async () => {
    await fc.assert(
      fc.asyncProperty(badQuery, async ([field, value]) => {
        const { status, body } = await gateway.json(
          `/getWallets?${new URLSearchParams({ [field]: value })}`,
        )
        expect(status).toBe(400)
        expect((body as { reasons: { field: string }[] }).reasons[0]!.field).toBe(field)
      }),
      { numRuns: 500 },
    )
  })

  test('GET /getWallets with any query gets a 200, 400 or 401', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webQueryParameters(), async (query) => {
        const { status } = await gateway.json(`/getWallets?${query}`)
        expect([200, 400, 401]).toContain(status)
      }),
      { numRuns: 300 },
    )
  })

  test('any path gets a status below 500', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath(), async (path) => {
        const { status, body } = await gateway.json(`/${path.replace(/^\/+/, '')}`)
        expect(status).toBeLessThan(500)
        expect(body).toBeTypeOf('object')
      }),
      { numRuns: 300 },
    )
  })

  const event = {
    eventId: 'e',
    url: 'http://localhost:3000/',
    domain: 'localhost',
    timestamp: 1,
    props: { type: 'track', event: 'MODAL_OPEN', properties: {} },
  }
  const wrong: Record<string, fc.Arbitrary<unknown>> = {
    eventId: fc.oneof(
      fc.integer(),
      fc.constant(''),
      fc.constant(null),
      fc.constant(undefined),
      fc.constant('x'.repeat(101)),
    ),
    url: fc.oneof(fc.integer(), fc.constant(null), fc.array(fc.string())),
    domain: fc.oneof(fc.integer(), fc.constant(null), fc.constant('x'.repeat(300))),
    timestamp: fc.oneof(
      fc.constant(null),
      fc.constant('soon'),
      fc.boolean(),
      fc.constant(undefined),
    ),
    props: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant(undefined)),
    'props.event': fc.oneof(fc.integer(), fc.constant(''), fc.constant(undefined)),
    'props.type': fc.oneof(fc.integer(), fc.constant(null)),
  }
  const badEvent = fc
    .constantFrom(...Object.keys(wrong))
    .chain((field) => fc.tuple(fc.constant(field), wrong[field]!))

  const withField = (field: string, value: unknown) => {
    const copy = structuredClone(event) as Record<string, unknown>
    const target = field.startsWith('props.') ? (copy['props'] as Record<string, unknown>) : copy
    target[field.replace('props.', '')] = value
    return copy
  }

  test('POST /e and /batch with an invalid event get a 422 that names the field', async () => {
    await fc.assert(
      fc.asyncProperty(badEvent, fc.boolean(), async ([field, value], isBatch) => {
        const bad = withField(field, value)
        const { status, body } = await gateway.json(isBatch ? '/batch' : '/e', {
          method: 'POST',
          body: JSON.stringify(isBatch ? [event, bad] : bad),
        })
        expect(status).toBe(422)
        expect((body as { reasons: { field: string }[] }).reasons[0]!.field).toBe(
          isBatch ? `1.${field}` : field,
        )
      }),
      { numRuns: 300 },
    )
  })

  test('POST of a body that is not JSON gets a 400 that names the body', async () => {
    const noJson = fc.string().filter((text) => {
      try {
        JSON.parse(text)
        return false
      } catch {
        return true
      }
    })
    await fc.assert(
      fc.asyncProperty(
        noJson,
        fc.constantFrom('/e', '/batch', '/v1?chainId=eip155:1'),
        async (body, path) => {
          const answer = await gateway.json(path, { method: 'POST', body })
          expect(answer.status).toBe(400)
          expect(JSON.stringify(answer.body)).toContain('"field":"body"')
        },
      ),
      { numRuns: 200 },
    )
  })
})
