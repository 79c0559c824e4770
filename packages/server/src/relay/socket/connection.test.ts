import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openStorage } from '../../storage/openStorage.ts'
import { saveProject } from '../../storage/projects.ts'
import { createDatabase } from '../../testing/databases.ts'
import {
  createRelayIdentity,
  makeRelayToken,
  openRelayClient,
  relayUrl,
  type RelayClientOptions,
} from '../../testing/openRelayClient.ts'
import { randomTopic } from '../../testing/startRelay.ts'
import { useRelays } from '../../testing/useRelays.ts'
import { testProject } from '../../testing/testProject.ts'

const { addCleanup, start } = useRelays()

/** The close code and reason of a refused client. */
async function refusal(url: string, options: RelayClientOptions) {
  const client = await openRelayClient(url, options)
  return client.closed
}

/** Sends an upgrade request. @returns the HTTP status of the response. */
async function statusOf(url: string, headers: Record<string, string> = {}) {
  const request = httpRequest(url.replace('ws', 'http'), {
    headers: {
      ...headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  })
  request.end()
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  const upgraded = once(request, 'upgrade').then(([response, socket]) => {
    ;(socket as { destroy(): void }).destroy()
    return [response] as [IncomingMessage]
  })
  const [response] = await Promise.race([answered, upgraded])
  response.resume()
  return response.statusCode
}

const startedAt = Date.now()
const seconds = (offset: number) => Math.floor(startedAt / 1000) + offset

describe('refuses with a close frame', () => {
  test.each<[string, RelayClientOptions, string]>([
    [
      'an origin that is not allowed',
      { headers: { origin: 'https://evil.example' } },
      'Unauthorized: origin not allowed',
    ],
    ['an unknown project', { query: { projectId: 'unknown' } }, 'Unauthorized: invalid key'],
    ['a long project id', { query: { projectId: 'x'.repeat(1_000) } }, 'Unauthorized: invalid key'],
    [
      'a client whose clock is an hour fast',
      { claims: { iat: seconds(3_600), exp: seconds(90_000) } },
      'JWT validation error: JWT Token is not yet valid',
    ],
    [
      'an expired token',
      { claims: { iat: seconds(-90_000), exp: seconds(-3_600) } },
      'JWT validation error: JWT Token is expired',
    ],
    [
      'a token for another audience',
      { claims: { aud: 'wss://relay.example' } },
      'JWT validation error: JWT Token is for another audience',
    ],
    [
      'a missing token',
      { query: { auth: undefined } },
      'JWT validation error: JWT Token is missing',
    ],
    [
      'an invalid token',
      { query: { auth: 'a.b.c' } },
      'JWT validation error: JWT Token is not valid',
    ],
  ])('%s', async (_, options, reason) => {
    const relay = await start()
    expect(await refusal(relay.url, options)).toEqual({ code: 3000, reason })
    expect(await relay.metric('gatefold_relay_connections')).toBe(0)
  })

  test('an inactive project', async () => {
    const database = await createDatabase('sqlite')
    addCleanup(() => database.remove())
    const storage = await openStorage(database.config)
    const project = testProject({ id: 'closed', active: false })
    await saveProject(storage.db, project, 1)
    await storage.close()
    const relay = await start(database.config)
    expect(await refusal(relay.url, { query: { projectId: 'closed' } })).toEqual({
      code: 3000,
      reason: 'Unauthorized: invalid key',
    })
  })
})

describe('a client without useOnCloseEvent gets an HTTP status for', () => {
  test.each([
    ['an unknown project', 401, { projectId: 'unknown' }, {}],
    ['an origin that is not allowed', 403, {}, { origin: 'https://evil.example' }],
    ['a missing token', 401, { auth: undefined }, {}],
    ['valid credentials', 101, {}, {}],
  ])('%s: %i', async (_, status, query, headers) => {
    const relay = await start()
    const url = relayUrl(relay.url, { query: { ...query, useOnCloseEvent: undefined } })
    expect(await statusOf(url, headers as Record<string, string>)).toBe(status)
  })
})

describe('admits', () => {
  test.each<[string, RelayClientOptions]>([
    ['an older client without a project id', { query: { projectId: undefined } }],
    ['a page with an allowed origin', { headers: { origin: 'http://localhost:3000' } }],
    [
      'a client whose clock is five minutes fast',
      { claims: { iat: seconds(300), exp: seconds(86_700) } },
    ],
    [
      'a client whose clock is five minutes slow',
      { claims: { iat: seconds(-86_700), exp: seconds(-300) } },
    ],
  ])('%s', async (_, options) => {
    // The clock is fixed, because a busy machine may run the last case minutes after `startedAt`.
    const relay = await start({}, { now: () => startedAt })
    const client = await relay.connect(options)
    expect(await client.call('irn_subscribe', { topic: randomTopic() })).toHaveLength(64)
  })

  test.each([undefined, ''])(
    'a client with a bearer token and the query parameter auth %j',
    async (auth) => {
      const relay = await start()
      const token = makeRelayToken(createRelayIdentity(), relay.url)
      const client = await relay.connect({
        query: { auth },
        headers: { authorization: `Bearer ${token}` },
      })
      expect(await client.publish(randomTopic(), 'x')).toBe(true)
    },
  )

  test('a token whose audience is one of the configured URLs, in any spelling', async () => {
    const relay = await start({ relayUrls: ['wss://relay.example', 'wss://other.example/'] })
    for (const aud of ['wss://relay.example/', 'ws://relay.example', 'wss://other.example'])
      await relay.connect({ claims: { aud } })
    expect(await relay.metric('gatefold_relay_connections')).toBe(3)
    // The requested host is not a valid audience, because the client chooses it.
    expect(await refusal(relay.url, { claims: { aud: relay.url } })).toMatchObject({ code: 3000 })
  })
})

describe('React Native, which sends the requested host as the origin, is admitted', () => {
  test.each<[string, RelayClientOptions]>([
    ['with the host of a configured URL', { claims: { aud: 'wss://relay.example' } }],
    ['with a local host', { headers: { host: '192.168.1.20:8080' } }],
  ])('%s', async (_, { headers, claims }) => {
    const relay = await start(claims ? { relayUrls: ['wss://relay.example'] } : {})
    const named = headers?.host ?? 'relay.example'
    const open = (origin: string) => ({
      headers: { ...headers, origin },
      claims: claims ?? { aud: `ws://${named}` },
    })
    await relay.connect(open(`http://${named}`))
    expect(await relay.metric('gatefold_relay_connections')).toBe(1)
    expect(await refusal(relay.url, open(`http://other.${named}`))).toEqual({
      code: 3000,
      reason: 'Unauthorized: origin not allowed',
    })
  })

  test('but not with a host that is not the relay’s', async () => {
    const relay = await start()
    const headers = { host: 'evil.example', origin: 'https://evil.example' }
    expect(await refusal(relay.url, { headers, claims: { aud: 'wss://evil.example' } })).toEqual({
      code: 3000,
      reason: 'Unauthorized: origin not allowed',
    })
  })
})

test('without configured URLs, a public host is not a valid audience', async () => {
  const relay = await start()
  // The operator of another relay could replay its clients’ tokens, with any header.
  const headers = { host: 'relay.elsewhere.example' }
  const claims = { aud: 'wss://relay.elsewhere.example' }
  expect(await refusal(relay.url, { headers, claims })).toEqual({
    code: 3000,
    reason: 'JWT validation error: JWT Token is for another audience',
  })
  await relay.connect({ headers: { host: '192.168.1.20' }, claims: { aud: 'ws://192.168.1.20' } })
})

test('a client that is refused too often gets an HTTP 429', async () => {
  const relay = await start()
  const options = { identity: createRelayIdentity(), query: { projectId: 'unknown' } }
  const statuses: unknown[] = []
  for (let tries = 0; tries < 14; tries += 1)
    statuses.push(
      await refusal(relay.url, options).then(
        ({ code }) => code,
        (error: Error) => error.message,
      ),
    )
  expect(statuses.slice(0, 11)).toEqual(Array(11).fill(3000))
  expect(statuses.at(-1)).toBe('Unexpected server response: 429')
  // Other clients from the same address are not affected.
  const client = await relay.connect()
  expect(await client.publish(randomTopic(), 'x')).toBe(true)
})

test('a client that was refused once may connect any number of times with a valid token', async () => {
  const relay = await start()
  const identity = createRelayIdentity()
  const late = { iat: seconds(-90_000), exp: seconds(-3_600) }
  expect(await refusal(relay.url, { identity, claims: late })).toMatchObject({ code: 3000 })
  for (let times = 0; times < 14; times += 1) await (await relay.connect({ identity })).drop()
})

test('upgrades are refused on other paths, and by servers without the relay role', async () => {
  const relay = await start()
  expect(await statusOf(relayUrl(`${relay.url}/elsewhere`))).toBe(404)
  const other = await start({ roles: ['gateway'] })
  expect(await statusOf(relayUrl(other.url))).not.toBe(101)
})

describe('keep-alive', () => {
  const relayTiming = { pingMs: 250, tickMs: 1_000 }

  test('a client that answers pings stays connected', async () => {
    const relay = await start({}, { relayTiming })
    const client = await relay.connect()
    for (let pings = 0; pings < 3; pings += 1) await once(client.socket, 'ping')
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('a client that does not answer pings is disconnected', async () => {
    const relay = await start({}, { relayTiming })
    const socket = new WebSocket(relayUrl(relay.url), { autoPong: false })
    await once(socket, 'open')
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1006)
    await expect.poll(() => relay.metric('gatefold_relay_connections')).toBe(0)
  })
})

test('a planned stop closes sockets in waves, with close code 1012', async () => {
  const relay = await start({ shutdownSeconds: 2 })
  const clients = await Promise.all(Array.from({ length: 120 }, () => relay.connect()))
  const stopAt = performance.now()
  const closes = clients.map(async ({ closed }) => {
    const { code } = await closed
    return { code, atMs: performance.now() - stopAt }
  })
  const stopped = relay.stopServer()
  const ends = await Promise.all(closes)
  await stopped
  expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([1012]))
  const times = ends.map(({ atMs }) => atMs)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(800)
  expect(Math.max(...times)).toBeLessThan(2_500)
})

test('a client that is being admitted when the relay stops gets an HTTP 503', async () => {
  const database = await createDatabase('postgres')
  addCleanup(() => database.remove())
  const storage = await openStorage(database.config)
  addCleanup(() => storage.close())
  const relay = await start(database.config)
  const locked = Promise.withResolvers<void>()
  const unlock = Promise.withResolvers<void>()
  // The lock blocks the read of a client's subscriptions.
  const locking = storage.db.transaction().execute(async (transaction) => {
    await sql`lock table relay_subscriptions in access exclusive mode`.execute(transaction)
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  const connecting = relay.connect().then(
    () => 'admitted',
    (error: Error) => error.message,
  )
  const waiting = sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted`
  await expect.poll(async () => (await waiting.execute(storage.db)).rows[0]?.count).toBe(1)
  const stopped = relay.stopServer()
  unlock.resolve()
  expect(await connecting).toBe('Unexpected server response: 503')
  await Promise.all([stopped, locking])
})
