import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatefold-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('every setting has a default', () => {
  expect(readConfig({})).toEqual({
    roles: undefined,
    host: '127.0.0.1',
    port: 3001,
    framePort: 3002,
    frameUrl: undefined,
    frameKeys: undefined,
    escrowKeys: undefined,
    escrowDatabaseUrl: undefined,
    socials: {},
    smtpUrl: undefined,
    mailFrom: undefined,
    redisUrls: undefined,
    redisReplicas: 0,
    databaseUrl: undefined,
    dataDir: '.gatefold',
    rpcUrls: {
      'eip155:31337': ['http://127.0.0.1:8545'],
      'eip155:31338': ['http://127.0.0.1:8546'],
    },
    bundlerUrls: {},
    bundlerSponsors: false,
    smartAccounts: {},
    chains: {},
    ipfsGateway: undefined,
    arweaveGateway: undefined,
    privateHosts: undefined,
    history: { 'eip155:31337': 'rpc', 'eip155:31338': 'rpc' },
    historyBackfillBlocks: 10_000,
    historyAddresses: 10_000,
    historyCallsPerSecond: 2_000,
    prices: { chains: {}, quotes: {} },
    exchangeRates: { fixed: {} },
    onramp: {},
    relayUrls: undefined,
    relayDeliveryDelayMs: 15,
    relayCapacityMib: 4_096,
    relayAddressMib: 32,
    relayHourlyMib: 102_400,
    relayAddressHourlyMib: 1_024,
    relayAddressSockets: 20_000,
    relayAddressClients: 20_000,
    relayAddressTopics: 50_000,
    logLevel: 'info',
    swaps: { chains: {} },
    trustedProxies: 0,
    ipRate: 100,
    ipBurst: 2_000,
    projectRate: 2_000,
    projectBurst: 20_000,
    analytics: true,
    analyticsDays: 90,
    analyticsHourlyMib: 128,
    analyticsAddressHourlyMib: 16,
    metricsToken: undefined,
    shutdownSeconds: 10,
  })
})

describe('social logins', () => {
  const google = { clientId: 'id', clientSecret: 'secret' }
  const read = (socials: unknown) => readConfig({ GATEFOLD_SOCIALS: JSON.stringify(socials) })

  test('have the documented endpoints, unless others are set', () => {
    expect(read({ google }).socials.google).toEqual({
      ...google,
      issuer: 'https://accounts.google.com',
    })
    const issuer = 'http://localhost:3003'
    expect(read({ google: { ...google, issuer } }).socials.google?.issuer).toBe(issuer)
  })

  test('error: Farcaster needs the chain of its registries', () => {
    expect(() => read({ farcaster: {} })).toThrow(
      'GATEFOLD_SOCIALS names eip155:10 for farcaster; expected a chain in GATEFOLD_RPC_URLS',
    )
  })

  test.each([
    'http://accounts.example',
    'http://localhost.evil.example',
    'http://localhost@a.example',
  ])('attack: secrets are not sent without TLS to another machine: %s', (issuer) => {
    expect(() => read({ google: { ...google, issuer } })).toThrow(
      /expected JSON.* The error is at google\.issuer/,
    )
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ GATEFOLD_PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test('the relay can have several URLs', () => {
  const env = { GATEFOLD_RELAY_URLS: 'wss://relay.example, ws://10.0.0.1:3001/' }
  expect(readConfig(env).relayUrls).toEqual(['wss://relay.example', 'ws://10.0.0.1:3001/'])
})

test('upstreams are given as JSON, or as the path to a JSON file', () => {
  const urls = { 'eip155:1': ['https://one.example/key', 'https://two.example'] }
  const file = join(folder, 'rpc.json')
  writeFileSync(file, JSON.stringify(urls))
  expect(readConfig({ GATEFOLD_RPC_URLS: JSON.stringify(urls) }).rpcUrls).toEqual(urls)
  expect(readConfig({ GATEFOLD_RPC_URLS: file }).rpcUrls).toEqual(urls)
})

describe('error: an invalid value is reported with the expected value', () => {
  test.each([
    ['GATEFOLD_PORT', '70000', 'a port from 0 to 65535'],
    ['GATEFOLD_FRAME_PORT', '70000', 'a port from 0 to 65535'],
    ['GATEFOLD_FRAME_URL', 'https://wallet.example/sdk', 'an origin'],
    ['GATEFOLD_PORT', '3001.5', 'a port from 0 to 65535'],
    ['GATEFOLD_ROLES', 'gateway relay', 'a comma-separated list of roles'],
    ['GATEFOLD_RELAY_URLS', 'wss://a.example,b.example', 'a comma-separated list of ws://'],
    ['GATEFOLD_RELAY_DELIVERY_DELAY_MS', '1001', 'a number of milliseconds from 0 to 1000'],
    ['GATEFOLD_HOST', 'my host', 'an address or host name'],
    ['GATEFOLD_LOG_LEVEL', 'loud', 'one of fatal, error, warn'],
    ['GATEFOLD_TRUSTED_PROXIES', '-1', 'a number of proxies from 0 to 10'],
    ['GATEFOLD_IP_RATE', '0', 'requests per second'],
    ['GATEFOLD_ANALYTICS', 'yes', 'on or off'],
    ['GATEFOLD_DATA_DIR', import.meta.filename, 'a folder'],
    ['GATEFOLD_SHUTDOWN_SECONDS', 'soon', 'a number of seconds'],
  ])('%s=%s', (variable, value, expected) => {
    const read = () => readConfig({ [variable]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(`${variable} is “${value}”; expected ${expected}`)
  })

  test.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['GATEFOLD_METRICS_TOKEN', 'hunter2'],
    ['GATEFOLD_SMTP_URL', 'http://user:hunter2@mail.example'],
    ['GATEFOLD_ESCROW_DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['GATEFOLD_RPC_URLS', '{"eip155:1":["ftp://hunter2.example"]}'],
    ['GATEFOLD_RPC_URLS', '{"eip155:1":[]}'],
    ['GATEFOLD_RPC_URLS', '{"mainnet":["https://hunter2.example"]}'],
    ['GATEFOLD_RPC_URLS', '{hunter2'],
    ['GATEFOLD_RPC_URLS', './nowhere/rpc.json'],
    ['GATEFOLD_ONRAMP', '{"sandbox":{"faucetKey":"hunter2"}}'],
    ['GATEFOLD_ONRAMP', '{"meld":{"publicKey":"p","apikey":"hunter2"}}'],
  ])('%s, whose value may be a secret and is not shown', (variable, value) => {
    const read = () => readConfig({ [variable]: value })
    expect(read).toThrow(`${variable} is a value (not shown); expected`)
    expect(read).not.toThrow(/hunter2/)
  })

  test('several invalid values are reported together', () => {
    const read = () =>
      readConfig({ GATEFOLD_PORT: 'x', GATEFOLD_ANALYTICS: 'x', GATEFOLD_HOST: '?' })
    expect(read).toThrow(
      /3 settings are invalid.*GATEFOLD_HOST.*GATEFOLD_PORT.*GATEFOLD_ANALYTICS/s,
    )
  })
})

test('error: SMTP without a sender, and an escrow store in the database of the shares', () => {
  expect(() => readConfig({ GATEFOLD_SMTP_URL: 'smtp://mail.example' })).toThrow(
    'GATEFOLD_MAIL_FROM is not set',
  )
  const url = 'postgres://user:hunter2@db/x'
  const read = () => readConfig({ DATABASE_URL: url, GATEFOLD_ESCROW_DATABASE_URL: url })
  expect(read).toThrow('expected another one')
  expect(read).not.toThrow(/hunter2/)
})

test('docs/operators.md lists every setting', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/operators.md'), 'utf8')
  for (const { variable, fallback, about } of Object.values(settings))
    expect(guide).toContain(
      `| \`${variable}\` | ${fallback === undefined ? 'not set' : `\`${fallback}\``} | ${about} |`,
    )
})
