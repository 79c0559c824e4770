import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { startChain, type Chain } from '@gatefold/chain'
import { freePort } from '@gatefold/tests/program'
import { askRedis, startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { startOauthProviders, startOpenIdProvider } from '@gatefold/tests/socials'
import { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { doctor } from '../cli/doctor.ts'
import { readConfig } from '../config.ts'
import { startServer } from '../main.ts'
import { addKeyId } from '../storage/frame/sets.ts'
import { openStorage } from '../storage/openStorage.ts'
import { saveProject, type Project } from '../storage/projects.ts'
import { createDatabase, type TestDatabase } from '../testing/databases.ts'
import { startUpstream } from '../testing/startUpstream.ts'
import { startVendor } from '../testing/startVendor.ts'
import { testProject } from '../testing/testProject.ts'
import type { Finding } from './Finding.ts'
import { runDoctor } from './runDoctor.ts'

const run = promisify(execFile)

let folder: string
let chain: Chain
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatefold-doctor-'))
  chain = await startChain()
})
afterAll(async () => {
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** An environment in which every check passes or is skipped. */
const healthy = () => ({ GATEFOLD_DATA_DIR: join(folder, 'data'), GATEFOLD_RPC_URLS: '{}' })

type Options = Omit<Parameters<typeof runDoctor>[0], 'env'>

/** The findings of one check. */
async function examine(
  check: Finding['check'],
  env: Record<string, string> = {},
  options: Options = {},
) {
  const findings = await runDoctor({ env: { ...healthy(), ...env }, ...options })
  for (const { status, fix, message } of findings)
    expect(Boolean(fix), message).toBe(status === 'warning' || status === 'error')
  return findings.filter((finding) => finding.check === check)
}

describe('settings', () => {
  test('error: all invalid settings are reported, and nothing else is checked', async () => {
    const env = { GATEFOLD_PORT: 'x', GATEFOLD_ROLES: 'relay', GATEFOLD_LOG_LEVEL: 'loud' }
    const findings = await runDoctor({ env })
    expect(findings.map(({ status, message }) => [status, message])).toEqual([
      ['error', expect.stringContaining('GATEFOLD_PORT is “x”')],
      ['error', expect.stringContaining('GATEFOLD_LOG_LEVEL is “loud”')],
    ])
  })

  test('error: an unknown role', async () => {
    const [finding] = await runDoctor({ env: { GATEFOLD_ROLES: 'gateway,relais' } })
    expect(finding).toMatchObject({ check: 'settings', status: 'error' })
  })
})

describe('RPC', () => {
  const rpc = (urls: Record<string, string[]>, options?: Options) =>
    examine('rpc', { GATEFOLD_RPC_URLS: JSON.stringify(urls) }, options)

  test('a node of the right chain', async () => {
    const [finding] = await rpc({ 'eip155:31337': [chain.url] })
    expect(finding).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^eip155:31337 at 127\.0\.0\.1:\d+ responds, block \d+\.$/),
    })
  })

  test('error: a node of another chain', async () => {
    const [finding] = await rpc({ 'eip155:1': [chain.url] })
    expect(finding).toMatchObject({
      status: 'error',
      message: expect.stringContaining('the node serves eip155:31337.'),
      fix: expect.stringContaining('replace it by a node of eip155:1'),
    })
  })

  test('error: nothing listens on the port; the URL’s key is not shown', async () => {
    const port = await freePort()
    const [ok, finding] = await rpc({
      'eip155:31337': [chain.url, `http://127.0.0.1:${port}/v3/hunter2`],
    })
    expect(ok!.status).toBe('ok')
    expect(finding).toMatchObject({
      status: 'error',
      message: `eip155:31337 at 127.0.0.1:${port} cannot be used: ECONNREFUSED.`,
      fix: 'Start the local chain (npm start), or set GATEFOLD_RPC_URLS for eip155:31337 to your node.',
    })
    expect(JSON.stringify(finding)).not.toContain('hunter2')
  })

  test('error: the host name is wrong', async () => {
    const [finding] = await rpc({ 'eip155:1': ['https://eth.invalid/'] })
    expect(finding).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('The host name cannot be resolved.'),
    })
  })

  test('error: a node that is many blocks behind another', async () => {
    const age = () => `0x${Math.round(Date.now() / 1000).toString(16)}`
    const urls = []
    for (const number of ['0x1000', '0x0800']) {
      const answer = () => ({ number, timestamp: age() })
      const upstream = await startUpstream({ chainId: 1, answer })
      cleanups.push(upstream.stop)
      urls.push(upstream.url)
    }
    const findings = await rpc({ 'eip155:1': urls })
    expect(findings.map(({ status }) => status)).toEqual(['ok', 'error'])
    expect(findings[1]!.message).toContain('is 2048 blocks behind another node')
  })

  test('error: the latest block of a public chain is old', async () => {
    const timestamp = `0x${Math.round(Date.now() / 1000 - 3 * 3600).toString(16)}`
    const answer = () => ({ number: '0x10', timestamp })
    const upstream = await startUpstream({ chainId: 1, answer })
    cleanups.push(upstream.stop)
    const [finding] = await rpc({ 'eip155:1': [upstream.url] })
    expect(finding!.message).toContain('is stale: its latest block (16) is 3 hours old.')
  })

  test.each([
    [401, 'refuses access (HTTP 401)', 'Correct the key or password'],
    [429, 'too many (HTTP 429)', 'Raise the limit of your plan'],
    [404, 'HTTP 404', 'Check that the URL'],
  ])('error: the node answers with status %i', async (status, message, fix) => {
    const server = createHttpServer((_, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(async () => server.close())
    const { port } = server.address() as AddressInfo
    const [finding] = await rpc({ 'eip155:1': [`http://127.0.0.1:${port}`] })
    expect(finding!.message).toContain(message)
    expect(finding!.fix).toContain(fix)
  })
})

describe('SQLite', () => {
  test('a new folder is not created', async () => {
    const dataDir = join(folder, 'new', 'folder')
    const [finding] = await examine('database', { GATEFOLD_DATA_DIR: dataDir })
    expect(finding).toMatchObject({ status: 'ok', message: expect.stringContaining('not exist') })
    expect(() => readFileSync(join(dataDir, 'gatefold.db'))).toThrow('ENOENT')
  })

  test('a database that a server has created', async () => {
    const created = await createDatabase('sqlite')
    cleanups.push(() => created.remove())
    const { config } = created
    await (await openStorage(config)).close()
    const [finding] = await examine('database', { GATEFOLD_DATA_DIR: config.dataDir })
    expect(finding).toMatchObject({ status: 'ok', message: expect.stringContaining('writable') })
  })

  test('error: the file is not a database', async () => {
    const dataDir = mkdtempSync(join(folder, 'broken-'))
    writeFileSync(
      join(dataDir, 'gatefold.db'),
      'not a database, but a text of some length '.repeat(99),
    )
    const [finding] = await examine('database', { GATEFOLD_DATA_DIR: dataDir })
    expect(finding).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('Restore it from a backup'),
    })
  })
})

describe('PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase('postgres')
  })
  afterAll(() => database.remove())
  const at = (change: (url: URL) => void = () => {}) => {
    const url = new URL(database.config.databaseUrl!)
    change(url)
    return { DATABASE_URL: url.href }
  }

  test('an empty database, and one that a server has used', async () => {
    const [empty] = await examine('database', at())
    expect(empty).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/create or update/),
    })
    await (await openStorage(database.config)).close()
    const [used] = await examine('database', at())
    expect(used).toMatchObject({ status: 'ok', message: expect.stringMatching(/responds\.$/) })
  })

  test.each<[string, (url: URL) => void, string]>([
    ['a wrong password', (url) => (url.password = 'hunter2'), 'Correct user and password'],
    ['a missing database', (url) => (url.pathname = '/nowhere'), 'Create the database'],
    ['a port where nothing listens', (url) => (url.port = '1'), 'Nothing is listening there.'],
    ['a wrong host', (url) => (url.hostname = 'db.invalid'), 'host name cannot be resolved'],
  ])('error: %s', async (_, change, fix) => {
    const [finding] = await examine('database', at(change))
    expect(finding).toMatchObject({ status: 'error', fix: expect.stringContaining(fix) })
    expect(JSON.stringify(finding)).not.toContain('hunter2')
    const [origins] = await examine('origins', at(change))
    expect(origins!.status).toBe('skipped')
  })

  test('error: the user may not create tables', async () => {
    const empty = await createDatabase('postgres')
    cleanups.push(() => empty.remove())
    const client = new Client({ connectionString: empty.config.databaseUrl! })
    await client.connect()
    await client.query(`create role reader login password 'reader'`)
    cleanups.push(async () => {
      await client.query('drop role reader')
      await client.end()
    })
    const url = new URL(empty.config.databaseUrl!)
    url.username = 'reader'
    url.password = 'reader'
    const [finding] = await examine('database', { DATABASE_URL: url.href })
    expect(finding).toMatchObject({ status: 'error', fix: expect.stringContaining('GRANT CREATE') })
  })
})

describe('origins', () => {
  const base = testProject({
    id: 'harbor',
    name: 'Harbor',
    allowedOrigins: ['https://harbor.example'],
    domains: ['harbor.example'],
    analytics: true,
  })

  test.each<[string, Partial<Project>, Finding['status'], RegExp, RegExp?]>([
    ['that are fine', {}, 'ok', /^Project harbor: https:\/\/harbor\.example$/],
    [
      'that are missing',
      { allowedOrigins: [] },
      'error',
      /every page is rejected/,
      /^gatefold project set harbor --origin/,
    ],
    [
      'with a path',
      { allowedOrigins: ['harbor.example/app'] },
      'error',
      /has no scheme and has a path \(\/app\)/,
      /--origin/,
    ],
    [
      'without TLS',
      { allowedOrigins: ['http://harbor.example', 'http://localhost:*'] },
      'warning',
      /allows http:\/\/harbor\.example: browsers disable/,
      /--origin https:\/\/harbor\.example$/,
    ],
    ['of every site', { allowedOrigins: ['*'] }, 'warning', /allows every origin/, /--origin/],
    [
      'of hosts where anyone can publish',
      { defaultOrigins: true },
      'warning',
      /default origins/,
      /--default-origins off$/,
    ],
    [
      'that wallets cannot verify',
      { domains: [] },
      'warning',
      /has no domain: wallets show/,
      /--domain harbor\.example$/,
    ],
  ])('%s', async (_, change, status, message, fix) => {
    const created = await createDatabase('sqlite')
    cleanups.push(() => created.remove())
    const { config } = created
    const storage = await openStorage(config)
    await saveProject(storage.db, { ...base, ...change }, 1)
    await storage.close()
    const findings = await examine('origins', { GATEFOLD_DATA_DIR: config.dataDir })
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({ status, message: expect.stringMatching(message) })
    expect(findings[0]!.fix ?? '').toMatch(fix ?? /^$/)
  })
})

describe.skipIf(await whyNoRedis())('Redis', () => {
  let redis: Redis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  const check = (env: Record<string, string> = {}) =>
    examine('redis', { REDIS_URL: redis.url, ...env })
  async function configure(name: string, value: string, original: string) {
    expect(await askRedis(redis.port, `CONFIG SET ${name} ${value}`)).toBe('+OK')
    cleanups.push(() => askRedis(redis.port, `CONFIG SET ${name} ${original}`))
  }

  test('a durable Redis', async () => {
    const [finding] = await check()
    expect(finding).toMatchObject({ status: 'ok', message: expect.stringContaining('responds') })
  })

  test.each([
    ['maxmemory-policy', 'allkeys-lru', 'noeviction', 'error', 'deletes undelivered messages'],
    ['appendonly', 'no', 'yes', 'warning', 'a crash loses messages'],
    ['appendfsync', 'no', 'always', 'warning', 'a power cut loses messages'],
  ])('%s %s', async (name, value, original, status, message) => {
    await configure(name, value, original)
    const [finding] = await check()
    expect(finding).toMatchObject({ status, message: expect.stringContaining(message) })
    expect(finding!.fix).toContain(`CONFIG SET ${name} ${original}`)
  })

  test('error: a replica that must confirm is missing', async () => {
    const [finding] = await check({ GATEFOLD_REDIS_REPLICAS: '1' })
    expect(finding).toMatchObject({
      status: 'error',
      message: expect.stringContaining('has 0 connected replicas, but 1 must confirm'),
    })
  })

  test.each([
    ['a wrong password', 'redis://:hunter2@', 'Correct user and password in REDIS_URL.'],
    ['a missing password', 'redis://', 'Correct user and password in REDIS_URL.'],
  ])('error: %s', async (_, prefix, fix) => {
    expect(await askRedis(redis.port, 'CONFIG SET requirepass secret')).toBe('+OK')
    try {
      const [finding] = await check({ REDIS_URL: `${prefix}127.0.0.1:${redis.port}` })
      expect(finding).toMatchObject({ status: 'error', fix })
      expect(JSON.stringify(finding)).not.toContain('hunter2')
    } finally {
      await askRedis(redis.port, 'AUTH secret\r\nCONFIG SET requirepass ""')
      await expect.poll(() => askRedis(redis.port, 'PING')).toBe('+PONG')
    }
  })

  test('error: nothing listens', async () => {
    const [finding] = await check({ REDIS_URL: 'redis://127.0.0.1:1' })
    expect(finding).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('Nothing is listening there.'),
    })
  })

  test('error: this machine’s clock differs from that of every service', async () => {
    const database = await createDatabase('postgres')
    cleanups.push(() => database.remove())
    const env = {
      DATABASE_URL: database.config.databaseUrl!,
      REDIS_URL: redis.url,
      GATEFOLD_RPC_URLS: JSON.stringify({ 'eip155:31337': [chain.url] }),
    }
    const fine = await examine('clock', env)
    expect(fine).toHaveLength(1)
    expect(fine[0]).toMatchObject({ status: 'ok' })
    expect(fine[0]!.message).toMatch(/PostgreSQL at .*, Redis at/)
    const ahead = await examine('clock', env, { now: () => Date.now() + 120_000 })
    expect(ahead.length).toBeGreaterThanOrEqual(2)
    expect(ahead[0]).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/clock is 120 s ahead of the clock of PostgreSQL/),
      fix: expect.stringContaining('timedatectl set-ntp true) on this machine'),
    })
    const behind = await examine('clock', env, { now: () => Date.now() - 60_000 })
    expect(behind[0]!.message).toContain('60 s behind')
  })
})

describe('prices', () => {
  const date = () => new Date().toISOString().slice(0, 10)
  const ether = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

  /** The findings for a server that implements both vendors' APIs. */
  async function findings(answers: Record<string, unknown>) {
    const vendor = await startVendor()
    cleanups.push(vendor.stop)
    vendor.answers = answers
    const env = {
      GATEFOLD_PRICES: JSON.stringify({
        chains: { 'eip155:1': ['pools', 'defillama'] },
        defillama: { url: `${vendor.url}/hunter2` },
      }),
      GATEFOLD_EXCHANGE_RATES: JSON.stringify({
        frankfurter: { url: `${vendor.url}/v1`, currencies: ['EUR', 'GBP'] },
      }),
    }
    const found = await examine('prices', env)
    expect(JSON.stringify(found)).not.toContain('hunter2')
    return found.map(({ status, message }) => [status, message])
  }

  test('sources that respond', async () => {
    const timestamp = Math.floor(Date.now() / 1000)
    const coins = { [`ethereum:${ether}`]: { price: 2500, timestamp, confidence: 0.99 } }
    expect(
      await findings({
        [`GET /hunter2/prices/current/ethereum:${ether}`]: { coins },
        'GET /v1/latest': { base: 'USD', date: date(), rates: { EUR: 0.85, GBP: 0.75 } },
      }),
    ).toEqual([
      ['ok', expect.stringMatching(/^127\.0\.0\.1:\d+ for eip155:1: 1 ETH is 2500 US dollars\.$/)],
      ['ok', expect.stringContaining('has all exchange rates.')],
    ])
  })

  test('error: sources that fail or lack something', async () => {
    expect(
      await findings({ 'GET /v1/latest': { base: 'USD', date: date(), rates: { EUR: 0.85 } } }),
    ).toEqual([
      ['error', expect.stringContaining('DefiLlama responded with status 404.')],
      ['error', expect.stringContaining('has no exchange rate of the last week for GBP.')],
    ])
  })

  test('without a vendor', async () => {
    expect(await examine('prices')).toMatchObject([{ status: 'skipped' }])
  })
})

describe('social logins', () => {
  test('each provider gets a request', async () => {
    const provider = await startOpenIdProvider({ name: 'Google', clientId: 'a', clientSecret: 'b' })
    const oauth = await startOauthProviders()
    cleanups.push(
      () => provider.stop(),
      () => oauth.stop(),
    )
    const { issuer } = provider
    const socials = {
      google: { clientId: 'a', clientSecret: 'b', issuer },
      github: oauth.settings.github,
      discord: { ...oauth.settings.discord, tokenUrl: 'http://localhost:1/token' },
    }
    const found = await examine('socials', { GATEFOLD_SOCIALS: JSON.stringify(socials) })
    expect(found.map(({ status, message }) => [status, message.split(':')[0]])).toEqual([
      ['ok', 'google'],
      ['ok', 'github'],
      ['error', 'discord'],
    ])
    const wrong = { google: { ...socials.google, issuer: `${issuer}/other` } }
    expect(await examine('socials', { GATEFOLD_SOCIALS: JSON.stringify(wrong) })).toMatchObject([
      { status: 'error', fix: 'Correct the URLs of google in GATEFOLD_SOCIALS.' },
    ])
  })

  test('are skipped without any', async () => {
    expect(await examine('socials')).toMatchObject([{ status: 'skipped' }])
  })
})

describe('the secure frame', () => {
  const messages = async (env: Record<string, string>) =>
    (await examine('frame', env)).map(({ status, message }) => `${status}: ${message}`)

  /** Starts an SMTP server that knows one user. */
  async function startSmtp() {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username?.startsWith('ada') && password === 'p@ss'
          ? done(null, { user: 'ada' })
          : done(new Error('Invalid login')),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(async () => new Promise<void>((resolve) => server.close(() => resolve())))
    return (server.server.address() as AddressInfo).port
  }

  test('mails: the login of the SMTP server is tried, and no mail is sent', async () => {
    const port = await startSmtp()
    const mail = (user: string) => ({
      GATEFOLD_SMTP_URL: `smtp://${user}@127.0.0.1:${port}`,
      GATEFOLD_MAIL_FROM: 'Harbor <no-reply@harbor.example>',
    })
    expect(await messages(mail('ada:p%40ss'))).toContain(
      'ok: 127.0.0.1 accepts the login for mails from Harbor <no-reply@harbor.example>.',
    )
    expect(await messages(mail('ada:wrong'))).toContain(
      'error: 127.0.0.1 does not accept mails: EAUTH.',
    )
    expect(await messages(mail('ada%40other.example:p%40ss'))).toContain(
      'warning: Mails come from harbor.example, but the login is an address at other.example: they may be refused, or count as spam.',
    )
    expect(await messages(mail('ada%40smtp.Harbor.example:p%40ss'))).toContain(
      'ok: 127.0.0.1 accepts the login for mails from Harbor <no-reply@harbor.example>.',
    )
    const free = await freePort()
    const down = { ...mail('ada:p%40ss'), GATEFOLD_SMTP_URL: `smtp://127.0.0.1:${free}` }
    expect((await messages(down)).join()).toMatch(/error: 127\.0\.0\.1 does not accept mails/)
    expect((await messages({ GATEFOLD_HOST: '0.0.0.0' })).join()).toContain(
      'GATEFOLD_SMTP_URL is not set: logins by email are refused',
    )
  })

  test('keys: missing, readable for others, damaged, rotated, and not those of the database', async () => {
    const key = () => randomBytes(32).toString('base64url')
    const file = join(folder, 'test.keys')
    const env = { GATEFOLD_FRAME_KEYS: file }
    const first = async () => (await messages(env))[0]
    expect(await first()).toMatch(
      /^error: The file with the keys of the frame store does not exist/,
    )
    writeFileSync(file, `${key()}\n`, { mode: 0o644 })
    expect(await first()).toBe(
      'error: Other users of this machine can read the keys of the frame store.',
    )
    chmodSync(file, 0o600)
    expect(await first()).toBe('ok: The frame store has 1 key.')
    writeFileSync(file, `${key()}\n${key()}\n`)
    expect(await first()).toBe('ok: The frame store has 2 keys, of which 1 only decrypt.')
    writeFileSync(file, 'secret')
    expect(await first()).toMatch(/is not a list of keys/)
    expect((await messages(env)).join()).not.toContain('secret')

    writeFileSync(file, `${key()}\n`)
    const dataDir = mkdtempSync(join(folder, 'used-'))
    const storage = await openStorage({ ...readConfig({}), dataDir })
    await addKeyId(storage.db, '0123456789abcdef')
    await storage.close()
    const used = { ...env, GATEFOLD_DATA_DIR: dataDir }
    expect((await messages(used))[0]).toBe(
      'error: The keys of the frame store lack 0123456789abcdef, which the database needs.',
    )
  })

  test('the site: a proxy that drops or adds headers is found', async () => {
    const site = mkdtempSync(join(folder, 'site-'))
    writeFileSync(join(site, 'index.html'), '<!doctype html><title>Frame</title>')
    const server = await startServer({
      port: 0,
      framePort: 0,
      dataDir: ':memory:',
      rpcUrls: {},
      logLevel: 'silent',
      frameSite: site,
    })
    cleanups.push(async () => server.stop())
    const proxy = await startHeaderProxy(server.frameUrl!)
    cleanups.push(async () => proxy.stop())
    const examineSite = async (path: string) =>
      (await messages({ GATEFOLD_FRAME_SITE: site, GATEFOLD_FRAME_URL: proxy.url(path) }))[2]
    expect(await examineSite('same')).toMatch(
      /^ok: localhost:\d+ serves the frame with its headers/,
    )
    // The files are compared with the hashes of the build, which this site does not have.
    expect(
      await messages({ GATEFOLD_FRAME_SITE: site, GATEFOLD_FRAME_URL: proxy.url('same') }),
    ).toContainEqual(expect.stringMatching(/^warning: .*hashes\.json is missing or damaged/))
    expect(await examineSite('x-frame-options')).toMatch(/sends X-Frame-Options/)
    expect(await examineSite('second-policy')).toMatch(/a second Content-Security-Policy/)
    expect(await examineSite('no-policy')).toMatch(/does not send the Content-Security-Policy/)
    expect(await examineSite('no-powers')).toMatch(/does not send the Permissions-Policy/)
    expect(await examineSite('status')).toMatch(/responds to \/sdk with the status 502/)
  })

  test('is skipped without the role', async () => {
    expect(await messages({ GATEFOLD_ROLES: 'gateway' })).toEqual([
      'skipped: The role frame is off.',
    ])
  })
})

/**
 * Starts a proxy that changes the headers of responses, depending on the last
 * requested URL.
 */
async function startHeaderProxy(target: string) {
  let change = 'same'
  const server = createHttpServer((request, response) => {
    void fetch(target + request.url).then(async (found) => {
      const headers = new Map(found.headers)
      const policy = headers.get('content-security-policy')!
      if (change === 'x-frame-options') headers.set('x-frame-options', 'DENY')
      if (change === 'second-policy')
        headers.set('content-security-policy', `${policy}, default-src 'none'`)
      if (change === 'no-policy') headers.delete('content-security-policy')
      if (change === 'no-powers') headers.delete('permissions-policy')
      response.writeHead(change === 'status' ? 502 : found.status, Object.fromEntries(headers))
      response.end(await found.text())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url(next: string) {
      change = next
      return `http://localhost:${port}`
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('swaps', () => {
  async function findings(answers: Record<string, unknown>) {
    const vendor = await startVendor()
    cleanups.push(vendor.stop)
    vendor.answers = answers
    const settings = { url: vendor.url, key: 'hunter2' }
    const swaps = {
      chains: { 'eip155:1': '0x', 'eip155:10': '1inch' },
      '0x': settings,
      '1inch': settings,
    }
    const found = await examine('swaps', { GATEFOLD_SWAPS: JSON.stringify(swaps) })
    expect(JSON.stringify(found)).not.toContain('hunter2')
    return found.map(({ status, message }) => [status, message.replace(/:\d+ /, ' ')])
  }

  test('sources that respond, and sources that fail', async () => {
    expect(
      await findings({
        'GET /swap/allowance-holder/price': { liquidityAvailable: false },
        'GET /swap/v6.0/10/quote': { dstAmount: '250000000' },
      }),
    ).toEqual([
      ['error', expect.stringContaining('127.0.0.1 for eip155:1 does not quote ETH to USDC:')],
      ['ok', '127.0.0.1 for eip155:10 quotes ETH to USDC.'],
    ])
    expect(await findings({ 'GET /swap/allowance-holder/price': 401 })).toEqual([
      ['error', expect.stringContaining('0x responded with status 401.')],
      ['error', expect.stringContaining('1inch responded with status 404.')],
    ])
  })

  test('without a vendor', async () => {
    expect(await examine('swaps')).toMatchObject([{ status: 'skipped' }])
  })
})

describe('TLS', () => {
  let certificates: string
  const openssl = (...args: string[]) => run('openssl', args, { cwd: certificates })
  beforeAll(async () => {
    certificates = mkdtempSync(join(folder, 'tls-'))
    await makeCa('root')
    await makeCa('other')
    await makeCertificate('intermediate', 'root', { days: 365, isCa: true })
    const trusted = readFileSync(join(certificates, 'root.pem'), 'utf8')
    const defaults = getCACertificates('default')
    setDefaultCACertificates([...defaults, trusted])
    return () => setDefaultCACertificates(defaults)
  })

  async function makeCa(name: string) {
    const subject = ['-subj', `/CN=${name}`, '-days', '365']
    const key = ['-newkey', 'rsa:2048', '-keyout', `${name}.key`]
    await openssl('req', '-x509', '-nodes', ...key, '-out', `${name}.pem`, ...subject)
  }

  async function makeCertificate(
    name: string,
    issuer: string,
    options: { days: number; host?: string; isCa?: boolean },
  ) {
    const { days, host = 'localhost', isCa } = options
    const extension = isCa ? 'basicConstraints=critical,CA:TRUE' : `subjectAltName=DNS:${host}`
    writeFileSync(join(certificates, `${name}.ext`), extension)
    const key = ['-newkey', 'rsa:2048', '-keyout', `${name}.key`]
    await openssl(
      'req',
      '-nodes',
      ...key,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${isCa ? name : host}`,
    )
    const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.pem`]
    const ca = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial']
    await openssl('x509', '-req', ...files, ...ca, '-days', String(days))
  }

  /** Starts a TLS server with the certificates of these files, the leaf first. */
  async function serve(...names: string[]) {
    const read = (file: string) => readFileSync(join(certificates, file), 'utf8')
    const cert = names.map((name) => read(`${name}.pem`)).join('')
    const server = createServer({ cert, key: read(`${names[0]}.key`) }, (_, response) =>
      response.end('ok'),
    )
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    cleanups.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }

  test.each([
    ['is valid', { days: 60 }, 'ok', /has a valid certificate until 20\d\d-/],
    ['expires soon', { days: 5 }, 'warning', /expires in [45] days/, /Renew the certificate/],
    ['has expired', { days: -1 }, 'error', /expired on/, /Renew the certificate/],
    [
      'is for another host',
      { days: 60, host: 'other.example' },
      'error',
      /another name \(DNS:other\.example\)/,
      /certificate for localhost/,
    ],
    [
      'has an unknown issuer',
      { days: 60, issuer: 'other' },
      'error',
      /incomplete or unknown certificate chain/,
      /fullchain\.pem/,
    ],
    [
      'is sent without its intermediate',
      { days: 60, issuer: 'intermediate' },
      'error',
      /incomplete or unknown certificate chain/,
      /fullchain\.pem/,
    ],
  ] as const)('a certificate that %s', async (...row) => {
    const [, options, status, message, fix] = row
    await makeCertificate('leaf', 'issuer' in options ? options.issuer : 'root', options)
    const url = `https://localhost:${await serve('leaf')}`
    const [finding] = await examine('tls', {}, { urls: [url] })
    expect(finding).toMatchObject({ status, message: expect.stringMatching(message) })
    expect(finding!.fix ?? '').toMatch(fix ?? /^$/)
  })

  test('a certificate with its intermediate, for the URL in GATEFOLD_RELAY_URLS', async () => {
    await makeCertificate('leaf', 'intermediate', { days: 60 })
    const port = await serve('leaf', 'intermediate')
    const env = { GATEFOLD_RELAY_URLS: `wss://localhost:${port}` }
    expect(await examine('tls', env)).toMatchObject([{ status: 'ok' }])
    expect(await examine('clock', env)).toMatchObject([
      { status: 'ok', message: expect.stringContaining(`localhost:${port}`) },
    ])
  })

  test('error: a self-signed certificate', async () => {
    const [finding] = await examine(
      'tls',
      {},
      { urls: [`https://localhost:${await serve('other')}`] },
    )
    expect(finding).toMatchObject({ status: 'error' })
    expect(finding!.message).toMatch(/another name|do not trust/)
  })

  test('error: the server has no TLS, or nothing listens on the port', async () => {
    const plain = chain.url.replace('http:', 'https:')
    const urls = [plain, 'https://127.0.0.1:1', 'http://gate.example', 'ws://localhost:3001']
    const findings = await examine('tls', {}, { urls })
    expect(findings.map(({ status }) => status)).toEqual(['error', 'error', 'error', 'ok'])
    expect(findings[0]!.fix).toContain('Configure a certificate')
    expect(findings[1]!.fix).toContain('Nothing is listening there.')
    expect(findings[2]!.fix).toContain('https://gate.example')
  })

  test('error: nothing listens at the URL of the frame, which has a separate setting', async () => {
    const env = { GATEFOLD_FRAME_SITE: 'localhost', GATEFOLD_FRAME_URL: 'https://127.0.0.1:1' }
    const [finding] = await examine('tls', env)
    expect(finding!.fix).toContain('in GATEFOLD_FRAME_URL.')
  })
})

describe('the command', () => {
  const print = (lines: string[]) => (text: string) => void lines.push(text)

  test('prints problems and their fixes', async () => {
    const lines: string[] = []
    const env = { ...healthy(), REDIS_URL: 'redis://127.0.0.1:1' }
    expect(await doctor([], { env, print: print(lines) })).toBe(false)
    const text = lines.join('\n')
    expect(text).toMatch(/^ERROR    redis     Redis at 127\.0\.0\.1:1 cannot be used/m)
    expect(text).toMatch(/^ {19}-> Nothing is listening there\. Start the/m)
    expect(text).toMatch(/\n1 error, no warnings$/)
  })

  test('prints JSON', async () => {
    const lines: string[] = []
    expect(await doctor(['--json'], { env: healthy(), print: print(lines) })).toBe(true)
    const result = JSON.parse(lines.join('\n')) as { ok: boolean; findings: Finding[] }
    expect(result.ok).toBe(true)
    expect(result.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['settings', 'database', 'origins', 'redis', 'rpc', 'tls', 'clock']),
    )
  })

  test('error: --url is not a URL', async () => {
    const failed = doctor(['--url', 'gate.my.site'], { env: healthy(), print: () => {} })
    await expect(failed).rejects.toThrow('“gate.my.site” is not a URL; write https://gate.my.site.')
  })
})
