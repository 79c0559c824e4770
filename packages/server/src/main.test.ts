import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startServer, type RunningServer } from './main.ts'
import { openStorage } from './storage/openStorage.ts'
import { saveProject } from './storage/projects.ts'
import { createTestDevice } from './testing/createTestDevice.ts'
import { createDatabase, engines } from './testing/databases.ts'
import { startTcpProxy } from './testing/startTcpProxy.ts'
import { startUpstream } from './testing/startUpstream.ts'
import { testProject } from './testing/testProject.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const quiet = { port: 0, logLevel: 'silent', rpcUrls: {} } as const

async function start(
  config: Parameters<typeof startServer>[0],
  options?: Parameters<typeof startServer>[1],
) {
  const server = await startServer({ ...quiet, ...config }, options)
  cleanups.push(() => server.stop())
  return server
}

async function database(engine: (typeof engines)[number]) {
  const created = await createDatabase(engine)
  cleanups.push(() => created.remove())
  return created.config
}

const harbor = testProject({
  id: 'harbor',
  name: 'Harbor',
  allowedOrigins: ['https://harbor.example'],
  analytics: true,
})

async function health(server: RunningServer) {
  const response = await fetch(`${server.url}/health`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('the routes of other roles do not exist on the port of the frame', async () => {
  const server = await start({ dataDir: ':memory:' })
  const statuses = async (url: string) =>
    Promise.all(
      ['/health', '/metrics', '/v3/public-key', '/getWallets'].map(
        async (path) => (await fetch(url + path)).status,
      ),
    )
  expect(server.frameUrl).not.toBe(server.url)
  expect(await statuses(server.url)).toEqual([200, 200, 200, 200])
  expect(await statuses(server.frameUrl!)).toEqual([404, 404, 404, 404])
})

test('the routes of the frame do not exist on the main port, and the local mail only there', async () => {
  const server = await start({ dataDir: ':memory:' })
  const post = async (url: string) =>
    (await fetch(`${url}/api/user`, { method: 'POST', body: '{}' })).status
  expect([await post(server.url), await post(server.frameUrl!)]).toEqual([404, 401])
  const mail = async (url: string) => (await fetch(`${url}/dev/mail.json`)).status
  expect([await mail(server.url), await mail(server.frameUrl!)]).toEqual([200, 404])
  const reachable = await start({ dataDir: ':memory:', host: '0.0.0.0' })
  expect(await mail(reachable.url)).toBe(404)
})

test('mails that wait are sent before the server stops', async () => {
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      stream.resume().once('end', () => {
        received.push(...envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => new Promise<void>((resolve) => smtp.close(() => resolve())))
  const { port } = smtp.server.address() as AddressInfo
  const server = await start({
    dataDir: ':memory:',
    roles: ['frame'],
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailFrom: 'no-reply@example.com',
  })
  const device = await createTestDevice({
    url: server.frameUrl!,
    send: async (path, init) => fetch(server.frameUrl + path, init),
    readCode: () => '',
  })
  expect((await device.requestCode('ada@example.com')).status).toBe(200)
  await server.stop()
  expect(received).toEqual(['ada@example.com'])
})

test('without the role frame, its port is not opened', async () => {
  expect((await start({ dataDir: ':memory:', roles: ['relay'] })).frameUrl).toBe(undefined)
})

describe.each(engines)('%s', (engine) => {
  test('projects and events survive a restart', async () => {
    const config = await database(engine)
    const storage = await openStorage(config)
    await saveProject(storage.db, harbor, 1)
    await storage.close()
    const event = { eventId: 'e', timestamp: Date.now(), props: { event: 'MODAL_OPEN' } }
    for (let run = 0; run < 2; run += 1) {
      const server = await startServer({ ...quiet, ...config })
      const origins = await fetch(`${server.url}/projects/v1/origins?projectId=harbor`)
      expect(await origins.json()).toEqual({ allowedOrigins: ['https://harbor.example'] })
      const sent = await fetch(`${server.url}/e`, { method: 'POST', body: JSON.stringify(event) })
      expect(sent.status).toBe(202)
      await server.stop()
    }
    const again = await openStorage(config)
    const rows = await again.db.selectFrom('analytics_events').select('event_id').execute()
    expect(rows).toEqual([{ event_id: 'e' }])
    await again.close()
  })

  test('health reports the database and the chains', async () => {
    const upstream = await startUpstream({ chainId: 31_337 })
    cleanups.push(upstream.stop)
    const server = await start({
      ...(await database(engine)),
      rpcUrls: { 'eip155:31337': [upstream.url], 'eip155:1': ['http://127.0.0.1:1/v3/hunter2'] },
    })
    await expect
      .poll(() => health(server))
      .toEqual({
        status: 200,
        body: {
          status: 'ok',
          database: { engine, status: 'up' },
          rpc: { 'eip155:31337': { up: 1, total: 1 }, 'eip155:1': { up: 0, total: 1 } },
          relay: { status: 'up', connections: 0 },
        },
      })
  })
})

test('§8.2.2 while the database is unreachable, health is degraded and cached projects work; then the server recovers', async () => {
  const { databaseUrl, dataDir } = await database('postgres')
  const url = new URL(databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  cleanups.push(() => proxy.stop())
  url.port = String(proxy.port)
  let time = 0
  const server = await start({ databaseUrl: url.href, dataDir }, { now: () => time })
  expect((await fetch(`${server.url}/appkit/v1/config`)).status).toBe(200)

  proxy.cut()
  time += 60_000
  const degraded = await health(server)
  expect(degraded.status).toBe(503)
  expect(degraded.body).toMatchObject({ status: 'degraded', database: { status: 'down' } })
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
  expect((await fetch(`${server.url}/appkit/v1/config`)).status).toBe(200)
  expect((await fetch(`${server.url}/getWallets`)).status).toBe(200)
  // A 503 instead of a 401, because the server cannot know whether this project exists.
  const unknown = await fetch(`${server.url}/projects/v1/origins?projectId=never-read`)
  expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([503, '*'])
  expect(await unknown.json()).toMatchObject({ status: 'FAILED' })

  const event = JSON.stringify({ eventId: 'e', timestamp: 1, props: { event: 'X' } })
  const sent = await fetch(`${server.url}/e`, { method: 'POST', body: event })
  expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '5'])

  proxy.mend()
  await expect.poll(async () => (await health(server)).status).toBe(200)
})

describe('stop()', () => {
  test('waits for a request in progress and closes every handle', async () => {
    const upstream = await startUpstream({ chainId: 31_337 })
    cleanups.push(upstream.stop)
    upstream.behavior = { afterMs: 300 }
    const server = await start({ dataDir: ':memory:', rpcUrls: { 'eip155:31337': [upstream.url] } })
    const answer = fetch(`${server.url}/v1?chainId=eip155:31337`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    })
    await expect.poll(() => upstream.bodies).toHaveLength(1)
    await server.stop()
    expect(await (await answer).json()).toMatchObject({ result: '0x1' })
    await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed')
  })

  test('aborts requests that do not end in time', async () => {
    const upstream = await startUpstream({ chainId: 31_337 })
    cleanups.push(upstream.stop)
    const server = await start({
      dataDir: ':memory:',
      rpcUrls: { 'eip155:31337': [upstream.url] },
      shutdownSeconds: 0,
    })
    await fetch(`${server.url}/v1?chainId=eip155:31337`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    })
    upstream.behavior = 'hang'
    const answer = fetch(`${server.url}/v1?chainId=eip155:31337`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    })
    const ended = answer.then(
      () => 'answered',
      () => 'cut',
    )
    await expect.poll(() => upstream.bodies).toHaveLength(2)
    await server.stop()
    expect(await ended).toBe('cut')
  })

  test('can be called twice', async () => {
    const server = await start({ dataDir: ':memory:' })
    await expect(Promise.all([server.stop(), server.stop()])).resolves.toHaveLength(2)
  })
})

describe('the port', () => {
  test('error: it is in use', async () => {
    const { port } = await start({ dataDir: ':memory:' })
    await expect(startServer({ ...quiet, dataDir: ':memory:', port })).rejects.toThrow('EADDRINUSE')
  })

  test('is the next free one if the configured one is taken and the listener is movable', async () => {
    const { port } = await start({ dataDir: ':memory:' })
    const second = await start({ dataDir: ':memory:', port }, { movable: ['main'] })
    expect(second.port).toBeGreaterThan(port)
    expect((await fetch(`${second.url}/health/live`)).status).toBe(200)
  })
})

describe('a request that Node cannot parse', () => {
  const exchange = (port: number, text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (part) => (answer += part.toString()))
      socket.on('end', () => resolve(answer))
      socket.on('error', reject)
    })

  test.each([
    ['GET / HTTP/1.1\r\nbad header\r\n\r\n', '400', 'request'],
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(140_000)}\r\n\r\n`, '431', 'headers'],
  ])('gets an error response in the usual format (%#)', async (text, status, field) => {
    const { port } = await start({ dataDir: ':memory:' })
    const answer = await exchange(port, text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain('access-control-allow-origin: *')
    expect(answer).toContain(`"field":"${field}"`)
  })
})

const ids = (count: number) => Array<string>(count).fill('a'.repeat(64)).join()
const paths: [string, string, number, string?][] = [
  ['20,000 characters', `/health?${'x'.repeat(19_992)}`, 200],
  ['20,001 characters', `/health?${'x'.repeat(19_993)}`, 414, 'is longer than 20000 characters'],
  ['1,000 ids of wallets', `/getWallets?include=${ids(1_000)}`, 200],
  ['100 parameters', `/getWallets?${'a=1&'.repeat(99)}a=1`, 200],
  ['101 parameters', `/getWallets?${'a=1&'.repeat(100)}a=1`, 400, 'has more than 100 parameters'],
  ['an invalid escape', '/getWallets?a=%ff', 400, 'contains an invalid percent-encoding'],
  ['an invalid escape in its path', '/health%', 400, 'contains an invalid percent-encoding'],
]

test.each(paths)(
  'attack: a URL with %s is refused on every port if it takes long to read',
  async (_, path, status, problem) => {
    const server = await start({ dataDir: ':memory:' })
    const get = async (url: string) => {
      const response = await fetch(url + path)
      const text = await response.text()
      return problem === undefined ? [response.status] : [response.status, JSON.parse(text)]
    }
    const refused = {
      status: 'FAILED',
      reasons: [{ field: 'url', description: `the URL ${problem}` }],
    }
    expect(await get(server.url)).toEqual(problem === undefined ? [status] : [status, refused])
    expect((await get(server.frameUrl!))[0]).toBe(problem === undefined ? 404 : status)
  },
)

test('a client that offers HTTP/2 gets the response over HTTP/1', async () => {
  const server = await start({ dataDir: ':memory:' })
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' }
  const [response] = (await once(get(`${server.url}/health`, { headers }), 'response')) as [
    IncomingMessage,
  ]
  response.resume()
  expect(response.statusCode).toBe(200)
})

test('a list of a thousand wallet ids fits into a request', async () => {
  const server = await start({ dataDir: ':memory:' })
  const ids = Array.from({ length: 1_000 }, (_, index) => index.toString(16).padStart(64, '0'))
  const response = await fetch(`${server.url}/getWallets?exclude=${ids.join(',')}`)
  expect(response.status).toBe(200)
})

test('metrics count requests by route; /metrics can require a token', async () => {
  const server = await start({ dataDir: ':memory:', metricsToken: 'sixteen characters' })
  await fetch(`${server.url}/getWallets?search=secret`)
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
  const response = await fetch(`${server.url}/metrics`, {
    headers: { authorization: 'Bearer sixteen characters' },
  })
  const text = await response.text()
  expect(text).toContain('gatefold_http_requests_total{route="/getWallets",status="200"} 1')
  expect(text).not.toContain('secret')
})

describe('metrics without a token', () => {
  const read = (headers: Record<string, string>, address = '127.0.0.1') =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ host: address, port: server.port, path: '/metrics', headers }, (response) => {
        expect(response.headers['access-control-allow-origin']).toBe(
          response.statusCode === 200 ? undefined : '*',
        )
        response.resume().on('end', () => resolve(response.statusCode))
      }).on('error', reject)
    })
  let server: RunningServer
  beforeEach(async () => {
    server = await start({ dataDir: ':memory:', host: '0.0.0.0' })
  })

  test('attack: can be read only by programs on this machine', async () => {
    const [other] = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    expect(await read({})).toBe(200)
    expect(await read({ host: `localhost:${server.port}` })).toBe(200)
    const foreign = other ? await read({ host: 'localhost' }, other.address) : 401
    expect(foreign).toBe(401)
  })

  test.each([
    ['through a proxy on this machine', { 'x-forwarded-for': '192.0.2.1' }],
    ['through a proxy that sends Forwarded', { forwarded: 'for=192.0.2.1' }],
    ['through a proxy that sends no address', { host: 'gateway.example' }],
    ['by a page whose host name was rebound to this machine', { host: 'evil.example:3001' }],
  ])('attack: cannot be read %s', async (_name, headers) => {
    expect(await read(headers as Record<string, string>)).toBe(401)
  })

  // By default, nginx sends these lines, and the host of the server.
  test.each([
    ['HTTP/1.0', 'x-any: 1', 401],
    ['HTTP/1.1', 'Connection: close', 401],
    ['HTTP/1.1', 'Connection: keep-alive', 200],
  ])(
    'attack: cannot be read through a proxy without headers of its own: %s, %s',
    async (version, header, status) => {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`GET /metrics ${version}\r\nHost: 127.0.0.1:${server.port}\r\n${header}\r\n\r\n`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    },
  )
})

test('log lines contain no data from requests and no personal fields', async () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const server = await start({ dataDir: ':memory:', rpcUrls: readConfig().rpcUrls }, { log })
  const secrets = 'someone@example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 hunter2'
  await fetch(`${server.url}/getWallets?search=${encodeURIComponent(secrets)}`)
  await fetch(`${server.url}/e`, {
    method: 'POST',
    body: JSON.stringify({ eventId: 'e', timestamp: 1, props: { event: 'X', text: secrets } }),
  })
  log.info(
    {
      email: 'someone@example.com',
      user: { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    },
    'x',
  )
  await server.stop()
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.join('')).not.toMatch(/someone@|0x7099|hunter2/)
})
