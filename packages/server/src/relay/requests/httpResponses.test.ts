import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limits } from '@gatefold/protocol'
import type { Env } from '../../http/access.ts'
import { createMemoryBudgets } from '../../http/createMemoryBudgets.ts'
import { createTurns } from '../../http/createTurns.ts'
import { createRelayIdentity, makeRelayToken } from '../../testing/openRelayClient.ts'
import { testProject } from '../../testing/testProject.ts'
import { RelayStorageError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'
import { postRpc } from './postRpc.ts'

const identity = createRelayIdentity()
const url = 'wss://relay.example'
const token = makeRelayToken(identity, url)
const topic = 'a'.repeat(64)
const requestOf = (method: string, params: object) =>
  JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })
const subscribe = requestOf('irn_subscribe', { topic })
const publish = requestOf('irn_publish', { topic, message: 'x', ttl: 300, tag: 1 })
const project = (id: string) => testProject({ id, name: id })

type Setup = {
  /** Time until the address may send another request. */
  limitedMs?: number
  admitsClient?: boolean
  /** The delay of the client’s rate limits. */
  delayMs?: number
  driver?: object
  relayUrls?: string[] | undefined
}

/** Creates a relay with a scripted driver and scripted limits. */
function create(setup: Setup = {}) {
  const { limitedMs = 0, admitsClient = true, delayMs = 0, driver } = setup
  const relayUrls = 'relayUrls' in setup ? setup.relayUrls : [url]
  const events: unknown[] = []
  const record = (name: string, result: unknown) => ({
    take: (key: string) => {
      events.push([name, key])
      return result
    },
  })
  const rateLimit = record('rate limit', delayMs)
  const relay = {
    context: {
      config: { trustedProxies: 0, relayUrls },
      limits: { address: record('address limit', limitedMs) },
      log: { error: () => {} },
      memory: createMemoryBudgets(),
      metrics: { limited: { inc: () => {} } },
      now: Date.now,
      projects: { get: (id: string) => (id === 'unknown' ? undefined : project(id)) },
      turns: createTurns(),
    },
    addressLimits: {
      admitClient(address: string, clientId: string) {
        events.push(['client', address, clientId])
        return admitsClient
      },
      admitTopics: () => true,
    },
    driver: {
      subscribe: async (clientId: string) => void events.push(['subscribe', clientId]),
      publish: async () => ['stored'],
      ...driver,
    },
    hub: {
      topicsOf: () => new Set(),
      isFull: () => false,
      subscribed: () => () => void events.push(['deliver']),
    },
    metrics: {
      answers: { inc: () => {} },
      delayed: { inc: () => {} },
      published: { inc: () => {} },
      refused: { inc: ({ reason }: { reason: string }) => void events.push(['refused', reason]) },
    },
    pendingSubscriptions: new Map(),
    rateLimits: { publish: rateLimit, topic: rateLimit },
    storageBudgets: {
      charge: async (payer: object, items: object[]) => {
        events.push(['charge', payer])
        return items.map(() => '')
      },
      release: () => {},
    },
  } as unknown as RelayContext
  const app = new Hono<Env>().post('/rpc', postRpc(relay))
  app.onError(() => new Response('fault', { status: 500 }))
  const bindings = { incoming: { socket: { remoteAddress: '192.0.2.1' } } }
  const post = async (query: string, body: string, headers: Record<string, string> = {}) =>
    app.request(`/rpc${query}`, { method: 'POST', body, headers }, bindings)
  return { post, events }
}

/** Posts a body with a valid token. */
async function post(setup: Setup, body: string, query = `?auth=${token}`, headers = {}) {
  const { post, events } = create(setup)
  const response = await post(query, body, headers)
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? '' : (JSON.parse(text) as unknown),
    retryAfter: response.headers.get('retry-after'),
    events,
  }
}

test('any page can read a response, which is sent before waiting messages are delivered', async () => {
  const { post, events } = create()
  const response = await post(`?auth=${token}&projectId=site`, subscribe)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'application/json',
    'cache-control': 'no-store',
  })
  expect(await response.json()).toMatchObject({ id: 1, jsonrpc: '2.0' })
  expect(events).toEqual([
    ['address limit', '192.0.2.1'],
    ['client', '192.0.2.1', identity.clientId],
    ['rate limit', identity.clientId],
    ['subscribe', identity.clientId],
    ['deliver'],
  ])
})

test('a publish is charged to the client, its address and its project', async () => {
  const { status, events } = await post({}, publish, `?auth=${token}&projectId=site`)
  expect(status).toBe(200)
  const payer = { address: '192.0.2.1', projectId: 'site', clientId: identity.clientId }
  expect(events).toContainEqual(['charge', expect.objectContaining(payer)])
})

test('a body that contains only acknowledgements gets an empty response', async () => {
  const { post } = create()
  const response = await post(`?auth=${token}`, '{"id":1,"jsonrpc":"2.0","result":true}')
  expect([response.status, await response.text()]).toEqual([204, ''])
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test.each([
  ['the query', `?auth=${token}`, {}],
  ['the query, before the header', `?auth=${token}`, { authorization: 'Bearer a.b.c' }],
  ['the header', '', { authorization: `Bearer ${token}` }],
  ['the header, if the query has no value', '?auth=', { authorization: `Bearer ${token}` }],
  [
    'the header, from an allowed page',
    '?origin',
    { authorization: `Bearer ${token}`, origin: 'https://app.example' },
  ],
])('the token is read from %s', async (_, query, headers) => {
  expect((await post({}, subscribe, query, headers)).status).toBe(200)
})

test('without configured URLs, a token may name the local host of the request', async () => {
  const local = makeRelayToken(identity, 'ws://192.168.1.20')
  const postTo = (host: string) =>
    post({ relayUrls: undefined }, subscribe, `?auth=${local}`, { host })
  expect(await postTo('192.168.1.20')).toMatchObject({ status: 200 })
  expect(await postTo('192.168.1.21')).toMatchObject({ status: 401 })
})

const auth = `?auth=${token}`
const errorOf = (code: number, message: string, data: string) => ({
  id: null,
  jsonrpc: '2.0',
  error: { code, message: expect.stringMatching(message) as unknown, data },
})

test.each<
  [what: string, query: string, headers: object, status: number, body: object, reason: string]
>([
  [
    'page that is not allowed',
    auth,
    { origin: 'https://evil.example' },
    403,
    errorOf(3000, '^Auth error: Unauthorized: origin not allowed$', 'OriginNotAllowed'),
    'originNotAllowed',
  ],
  [
    'unknown project',
    `${auth}&projectId=unknown`,
    {},
    401,
    errorOf(3000, '^Auth error: Unauthorized: invalid key$', 'ProjectNotFound'),
    'invalidKey',
  ],
  ['missing token', '', {}, 401, errorOf(3000, 'Token is missing$', 'MissingJwt'), 'jwtMissing'],
  [
    'invalid token',
    '?auth=a.b.c',
    {},
    401,
    errorOf(3000, 'Token is not valid$', 'InvalidJwt'),
    'jwtInvalid',
  ],
])(
  'error: a request with an %s is refused and counted',
  async (_, query, headers, status, body, reason) => {
    expect(await post({}, subscribe, query, headers)).toEqual({
      status,
      body,
      retryAfter: null,
      events: [
        ['address limit', '192.0.2.1'],
        ['refused', reason],
      ],
    })
  },
)

test.each<[what: string, setup: Setup, retryAfter: string, message: string]>([
  ['from one address', { limitedMs: 6_500 }, '7', 'try again in 7 s$'],
  ['from new clients of one address', { admitsClient: false }, '60', 'too many new clients'],
  ['from one client', { delayMs: Infinity }, '10', 'try again in 10 s$'],
])('attack: too many requests %s are refused', async (_, setup, retryAfter, message) => {
  const answered = await post(setup, publish)
  expect(answered).toMatchObject({
    status: 429,
    body: errorOf(3001, `^Too many requests: .*${message}`, 'TooManyRequests'),
    retryAfter,
  })
  expect(answered.events).not.toContainEqual(['charge', expect.anything()])
})

test('attack: a body of more than 4 MiB is refused', async () => {
  const maxBytes = 4 * limits.relayMessageBytes
  expect(await post({}, subscribe.padEnd(maxBytes))).toMatchObject({ status: 200 })
  expect(await post({}, subscribe.padEnd(maxBytes + 1))).toMatchObject({
    status: 413,
    body: errorOf(
      -32_600,
      `^Invalid payload: the body is larger than 4194304 bytes$`,
      'PayloadSizeExceeded',
    ),
  })
})

test('error: a publish gets a response if the store fails', async () => {
  const driver = { publish: () => Promise.reject(new RelayStorageError()) }
  expect(await post({ driver }, publish)).toMatchObject({
    status: 200,
    body: { id: 1, error: { data: 'StorageError' } },
  })
})

test('error: an unexpected error is not a rate limit', async () => {
  const { post } = create({ delayMs: 1n as never })
  expect((await post(auth, subscribe)).status).toBe(500)
})
