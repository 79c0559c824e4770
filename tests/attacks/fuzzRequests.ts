import type { RelayIdentity } from '../../packages/server/src/testing/openRelayClient.ts'
import { makeRelayToken } from '../../packages/server/src/testing/openRelayClient.ts'
import { mutateJson, mutateText, mutateValue } from './mutate.ts'
import type { Random } from './random.ts'
import { chainId } from './startTarget.ts'

/** A request whose body and query are valid. */
type Valid = {
  method: string
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: unknown
}

/** An HTTP request as it is written to the connection. */
export type WrittenRequest = { method: string; target: string; headers: string[]; body: Buffer }

function registration(random: Random) {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    coin_type: 2_147_483_649,
    address: `0x${random.hex(40)}`,
    message: JSON.stringify({ name: 'mira.reown.id', attributes: { bio: 'x' }, timestamp }),
    signature: `0x${random.hex(130)}`,
  }
}

/** Creates a call of a random relay method, with valid params. */
function relayCall(random: Random, { url, identity }: Self): { method: string; params: unknown } {
  const topic = () => random.hex(64)
  const publish = () => ({
    topic: topic(),
    message: random.hex(40),
    ttl: 300,
    tag: 1108,
    prompt: false,
    attestation: 'e30.e30.e30',
    correlationId: 1,
    rpcMethods: ['eth_call'],
    chainId: 'eip155:1',
  })
  const watch = (act: string) =>
    makeRelayToken(identity, url, {
      act,
      typ: 'subscriber',
      whu: 'https://watch.example/',
      tag: [1_100],
      sts: ['queued'],
    })
  return random.pick([
    () => ({ method: 'irn_publish', params: publish() }),
    () => ({ method: 'irn_batchPublish', params: { messages: [publish(), publish()] } }),
    () => ({ method: 'irn_subscribe', params: { topic: topic() } }),
    () => ({ method: 'irn_subscribeBlocking', params: { topic: topic() } }),
    () => ({ method: 'irn_batchSubscribe', params: { topics: [topic(), topic()] } }),
    () => ({ method: 'irn_batchSubscribeBlocking', params: { topics: [topic(), topic()] } }),
    () => ({ method: 'irn_unsubscribe', params: { topic: topic(), id: topic() } }),
    () => ({
      method: 'irn_batchUnsubscribe',
      params: { subscriptions: [{ topic: topic(), id: topic() }] },
    }),
    () => ({ method: 'irn_fetchMessages', params: { topic: topic() } }),
    () => ({ method: 'irn_batchFetchMessages', params: { topics: [topic()] } }),
    () => ({
      method: 'irn_batchReceive',
      params: { receipts: [{ topic: topic(), messageId: topic() }] },
    }),
    () => ({
      method: 'irn_watchRegister',
      params: { registerAuth: watch('irn_watch_register') },
    }),
    () => ({
      method: 'irn_watchUnregister',
      params: { unregisterAuth: watch('irn_watch_unregister') },
    }),
    () => ({ method: 'wc_createTopic', params: { topic: topic() } }),
    () => ({
      method: 'wc_proposeSession',
      params: {
        pairingTopic: topic(),
        sessionProposal: random.hex(40),
        ttl: 300,
        correlationId: 1,
      },
    }),
    () => ({
      method: 'wc_approveSession',
      params: {
        pairingTopic: topic(),
        sessionTopic: topic(),
        sessionProposalResponse: random.hex(40),
        sessionSettlementRequest: random.hex(40),
        ttl: 300,
        correlationId: 1,
      },
    }),
    () => ({ method: random.pick(['iridium_subscribe', 'waku_publish']), params: publish() }),
  ])()
}

/** The client that sends relay requests. */
export type Self = { url: string; identity: RelayIdentity }

let lastId = 1_795_230_077_407_321_600n

/** Creates a mutated relay request, acknowledgement or batch, as JSON text. */
export function fuzzFrame(random: Random, self: Self): string {
  const request = () => ({
    id: random.pick([String((lastId += 1n)), random.below(2 ** 31), Date.now() * 1_000]),
    jsonrpc: '2.0',
    ...relayCall(random, self),
  })
  const one = (): unknown =>
    random.chance(0.1) ? { id: random.below(2 ** 31), jsonrpc: '2.0', result: true } : request()
  const value = random.chance(0.15) ? Array.from({ length: 1 + random.below(6) }, one) : one()
  return mutateJson(random, random.chance(0.9) ? mutateValue(random, value) : value)
}

const address = `0x${'1'.repeat(40)}`

/** Creates a valid request to a random HTTP route. */
function validRequest(random: Random, self: Self): Valid {
  const project = { projectId: 'default', st: 'appkit', sv: 'html-1.7.15' }
  const event = () => ({
    eventId: crypto.randomUUID(),
    url: 'https://page.example/path?query=1',
    domain: 'page.example',
    timestamp: Date.now(),
    props: {
      type: 'track',
      event: 'MODAL_OPEN',
      address,
      properties: { connected: true, list: [1, 'two', { three: 3 }] },
    },
  })
  const calls = [
    ['eth_blockNumber', []],
    ['eth_chainId', []],
    ['net_version', []],
    ['eth_call', [{ to: address, data: '0x' }, 'latest']],
    ['eth_getBalance', [address, 'latest']],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2', address }]],
    ['eth_getProof', [address, ['0x1'], 'latest']],
    ['eth_feeHistory', [4, 'latest', [25]]],
    ['eth_sendRawTransaction', ['0x02']],
    ['eth_sendTransaction', [{}]],
    ['eth_simulateV1', [{ blockStateCalls: [] }, 'latest']],
  ] as const
  const call = () => {
    const [method, params] = random.pick(calls)
    return { id: random.below(2 ** 31), jsonrpc: '2.0', method, params: [...params] }
  }
  const get = (path: string, query: Record<string, string> = project) => ({
    method: 'GET',
    path,
    query,
  })
  const post = (path: string, body: unknown, query: Record<string, string> = project) => ({
    method: 'POST',
    path,
    query,
    body,
  })
  return random.pick<() => Valid>([
    () =>
      get('/getWallets', {
        ...project,
        page: '1',
        entries: '40',
        search: 'meta',
        chains: 'eip155:1,solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        include: random.hex(64),
        exclude: random.hex(64),
        badge_type: 'certified',
        names: 'Harbor',
        rdns: 'example.harbor',
      }),
    () => get(`/getWalletImage/${random.hex(16)}`),
    () => get('/public/getAssetImage/ba0ba0cd-17c6-4806-ad93-f9d174f17900'),
    () => get('/public/getCurrencyImage/USD'),
    () => get('/public/getTokenImage/USDC'),
    () => get('/appkit/v1/config'),
    () => get('/appkit/v1/project-limits'),
    () => get('/projects/v1/origins'),
    () => get('/getAnalyticsConfig'),
    () => get('/v1/supported-chains'),
    () => get('/v1/profile/account/mira.reown.id', { apiVersion: '2' }),
    () => get(`/v1/profile/reverse/0x${random.hex(40)}`, { apiVersion: '2' }),
    () => get('/v1/profile/suggestions/mira', { zone: 'reown.id' }),
    () => get('/v1/profile/zone'),
    () => get(`/v1/profile/ccip/0x${random.hex(40)}/0x9061b923${random.hex(256)}.json`),
    () => post('/v1/profile/account', registration(random)),
    () => post('/v1/profile/records', registration(random)),
    () => get('/v1', { ...project, chainId }),
    () => get('/health'),
    () => get('/health/live'),
    () => get('/metrics'),
    () => get('/v3/public-key'),
    () => get('/default'),
    () => get('/index.js', { token: 'e30.e30.e30' }),
    () => get(`/attestation/${random.hex(64)}`),
    () =>
      get('/v3/attestation', {
        projectId: 'default',
        id: random.hex(64),
        decryptedId: random.hex(64),
        origin: 'https://page.example',
      }),
    () => post('/e', event()),
    () => post('/batch', [event(), event()]),
    () => post('/v1', call(), { ...project, chainId }),
    () => post('/v1/', [call(), call(), call()], { ...project, chainId }),
    () => post('/v3/attestation', { ticket: 'e30.e30.e30', origin: 'https://page.example' }),
    () => ({
      ...post('/attestation', { attestationId: random.hex(64), origin: 'https://page.example' }),
      headers: { 'x-csrf-token': 'e30.e30.e30' },
    }),
    () => {
      const body = { id: '1', jsonrpc: '2.0', ...relayCall(random, self) }
      const auth = makeRelayToken(self.identity, self.url)
      return post('/rpc', body, { auth, projectId: 'default' })
    },
    // The upgrade of a socket.
    () => ({
      ...get('/', { auth: makeRelayToken(self.identity, self.url), projectId: 'default' }),
      headers: {
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    }),
  ])()
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'FOO']

/** Creates a mutated HTTP request to one of the routes. */
export function fuzzRequest(random: Random, self: Self, host: string): WrittenRequest {
  const valid = validRequest(random, self)
  let { method, path } = valid
  const query = new URLSearchParams(valid.query)
  if (random.chance(0.06)) method = random.pick(methods)
  if (random.chance(0.08)) path = mutateText(random, path)
  if (random.chance(0.5))
    for (const name of Object.keys(valid.query ?? {})) {
      if (random.chance(0.2)) query.set(name, mutateText(random, query.get(name)!))
      if (random.chance(0.03)) query.delete(name)
      if (random.chance(0.03)) query.append(name, query.get(name) ?? '')
    }
  let target = `${encodeURI(path.toWellFormed()).replaceAll('?', '%3F')}?${query}`
  if (random.chance(0.03)) target = oddTarget(random, target)
  const headers = new Map(Object.entries({ host, ...valid.headers }))
  if (random.chance(0.3)) addOddHeader(random, headers)
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  if (random.chance(0.03)) lines.push(random.pick(oddLines)(random, lines))
  const text =
    valid.body === undefined && !random.chance(0.03)
      ? ''
      : mutateJson(random, random.chance(0.9) ? mutateValue(random, valid.body) : valid.body)
  return { method, target, headers: lines, body: Buffer.from(text) }
}

function oddTarget(random: Random, target: string): string {
  return random.pick([
    `http://other.example${target}`,
    `//${target}`,
    `/..${target}`,
    `/%00${target}`,
    `/%ff%fe${target}`,
    `${target}#fragment`,
    `${target}&${'a=1&'.repeat(random.below(4_000))}`,
    `${target}&a=%`,
    `${target}&__proto__=1&constructor=1`,
    `/${'x/'.repeat(random.below(2_000))}`,
    `/${'x'.repeat(random.below(140_000))}`,
    '*',
    '/',
    '/?',
  ])
}

function addOddHeader(random: Random, headers: Map<string, string>): void {
  const [name, values] = random.pick<readonly [string, readonly string[]]>([
    ['origin', ['null', 'https://page.example', 'x', 'http://[', `https://${'a'.repeat(5_000)}`]],
    ['referer', ['x', 'https://page.example/', 'http://%', 'about:blank']],
    ['content-type', ['text/plain', 'multipart/form-data', 'application/json; charset=x', 'é']],
    [
      'x-forwarded-for',
      ['::1', '::ffff:1.2.3.4', '[::1]:80', 'x, y, z', ',', '1:2:3', 'fe80::1%a'],
    ],
    ['authorization', ['Bearer', 'Bearer x', `Bearer ${'x'.repeat(9_000)}`, 'Basic eDp5']],
    ['if-none-match', ['*', '"x", W/"y"', ','.repeat(5_000)]],
    ['accept-encoding', ['gzip', 'br;q=x', '*']],
    ['sec-fetch-site', ['same-origin', 'x']],
    ['sec-fetch-dest', ['iframe', 'empty']],
    ['x-csrf-token', ['x', 'e30.e30.', `${'a'.repeat(3_000)}.b.c`]],
    ['access-control-request-headers', ['x', 'a,'.repeat(2_000)]],
    ['access-control-request-method', ['POST', 'x']],
    ['upgrade', ['websocket', 'h2c', 'x']],
    ['connection', ['Upgrade', 'close', 'keep-alive, x']],
    ['sec-websocket-version', ['8', '99', 'x']],
    ['sec-websocket-key', ['x', '']],
    ['sec-websocket-extensions', ['permessage-deflate', 'x;;=', 'permessage-deflate; a="']],
    ['sec-websocket-protocol', ['x', 'a,a', ',']],
    ['expect', ['100-continue', 'x']],
    ['range', ['bytes=0-1']],
    ['cookie', ['a=b; __proto__=c']],
    ['host', ['', 'other.example', 'localhost:99999', '[::1]', 'a b', 'x'.repeat(300)]],
    ['x-long', ['x'.repeat(100_000), 'x'.repeat(140_000)]],
  ])
  headers.set(name, random.pick(values))
}

/** Header lines that are unusual or invalid. */
const oddLines: ((random: Random, lines: string[]) => string)[] = [
  () => 'host: second.example',
  () => 'no colon',
  () => ': no name',
  () => 'na me: x',
  () => 'x: \0',
  () => 'x: a\rb',
  () => ' folded',
  () => 'x: é😀',
  () => `x${'y'.repeat(3_000)}: 1`,
  () => 'transfer-encoding: chunked',
  () => 'transfer-encoding: gzip, chunked',
  () => 'transfer-encoding: x',
  () => 'content-length: -1',
  () => 'content-length: 1e3',
  () => 'content-length: 99999999999999999999',
  (random) => `content-length: ${random.below(100)}`,
  (random) =>
    Array.from({ length: random.below(3_000) }, (_, at) => `x${at}: 1`).join('\r\n') || 'x: 1',
]
