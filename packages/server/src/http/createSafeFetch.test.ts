import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, isIP, type AddressInfo, type TcpNetConnectOpts } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSafeFetch, SafeFetchError, type SafeFetchOptions } from './createSafeFetch.ts'
import { NoSlotError } from './createSlots.ts'
import { runForClient } from './currentClient.ts'

const publicAddress = '8.8.8.8'
const json = { types: ['application/json'], maxBytes: 1_000 }

let server: Server
let port: number
let respond: RequestListener
/** Addresses to which sockets were connected. */
let connected: string[] = []
/** The requests that arrived. */
let requests: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`)
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())
beforeEach(() => {
  connected = []
  requests = []
  respond = (_request, response) =>
    void response.setHeader('content-type', 'application/json').end('{"name":"Plate"}')
})

/** Records the addresses of a connection, but always connects to the test's server. */
function connectToServer(target: TcpNetConnectOpts) {
  if (isIP(target.host!) > 0) connected.push(target.host!)
  else
    target.lookup!(target.host!, { all: true }, (_error, addresses) => {
      for (const { address } of addresses as { address: string }[]) connected.push(address)
    })
  return connect({ port, host: '127.0.0.1' })
}

/** Fetches with a DNS resolver that returns the given answers in turn. */
function fetchWith(...answers: string[][]) {
  const resolve = async () => (answers.length > 1 ? answers.shift()! : (answers[0] ?? []))
  return createSafeFetch({ resolve, connect: connectToServer })
}

async function reasonOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof SafeFetchError ? error.reason : error
}

const fetchPublic = async (options: Partial<SafeFetchOptions> = {}) =>
  fetchWith([publicAddress])('http://nft.example/1.json', { ...json, ...options })

describe('a public URL', () => {
  test('is fetched, with its content type and without cookies or credentials', async () => {
    let headers = {}
    respond = (request, response) => {
      headers = request.headers
      response.setHeader('content-type', 'Application/JSON; charset=utf-8').end('{}')
    }
    const { bytes, type } = await fetchPublic()
    expect({ text: new TextDecoder().decode(bytes), type }).toEqual({
      text: '{}',
      type: 'application/json',
    })
    expect(connected).toEqual([publicAddress])
    expect(headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      connection: 'close',
      host: 'nft.example',
      'user-agent': 'gatefold',
    })
  })

  test.each([
    ['gzip', gzipSync('{"a":1}')],
    ['br', brotliCompressSync('{"a":1}')],
  ])('is decompressed (%s)', async (encoding, body) => {
    respond = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
        .end(body)
    const { bytes } = await fetchPublic()
    expect(new TextDecoder().decode(bytes)).toBe('{"a":1}')
  })

  test('is fetched after redirects to other public hosts', async () => {
    respond = (request, response) => {
      if (request.url === '/1.json') response.writeHead(302, { location: '//cdn.example/a' }).end()
      else response.setHeader('content-type', 'application/json').end('{}')
    }
    await fetchPublic()
    expect(requests).toEqual(['nft.example/1.json', 'cdn.example/a'])
  })
})

describe('attack:', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
  ])('attack: a private address is not requested: %s', async (url) => {
    expect(await reasonOf(fetchWith([publicAddress])(url, json))).toBe('address')
    expect(connected).toEqual([])
  })

  test.each([[['127.0.0.1']], [['::1']], [[publicAddress, '10.0.0.1']]])(
    'attack: a name with a private address is not requested: %s',
    async (addresses) => {
      expect(await reasonOf(fetchWith(addresses)('http://nft.example/', json))).toBe('address')
      expect(connected).toEqual([])
    },
  )

  test('attack: a name whose address changes after the check does not reach a private host', async () => {
    await fetchWith([publicAddress], ['127.0.0.1'])('http://rebind.example/', json)
    expect(connected).toEqual([publicAddress])
  })

  test.each([
    'http://127.0.0.1/',
    'http://internal.example/',
    'http://nft.example:6379/',
    'ftp://nft.example/',
    'file:///etc/passwd',
  ])('attack: a redirect to %s is not followed', async (location) => {
    respond = (_request, response) => void response.writeHead(302, { location }).end()
    const fetchUrl = fetchWith([publicAddress], ['10.0.0.1'])
    expect(await reasonOf(fetchUrl('http://nft.example/1.json', json))).toMatch(
      /^(address|port|url)$/,
    )
    expect(requests).toEqual(['nft.example/1.json'])
  })

  test('attack: redirects end', async () => {
    respond = (_request, response) => void response.writeHead(302, { location: '/again' }).end()
    expect(await reasonOf(fetchPublic())).toBe('redirects')
    expect(requests).toHaveLength(4)
  })

  test.each([
    ['http://nft.example:22/', 'port'],
    ['http://nft.example:8545/', 'port'],
    ['http://user:password@nft.example/', 'url'],
    ['gopher://nft.example/', 'url'],
    ['nft.example', 'url'],
    [`http://nft.example/${'a'.repeat(3_000)}`, 'url'],
  ])('attack: %s is not requested', async (url, reason) => {
    expect(await reasonOf(fetchWith([publicAddress])(url, json))).toBe(reason)
    expect(connected).toEqual([])
  })

  test('attack: a body that is larger after decompression is refused', async () => {
    respond = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(100_000, ' ')))
    expect(await reasonOf(fetchPublic())).toBe('size')
  })

  test('attack: a body that does not end is refused', async () => {
    respond = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('x'.repeat(10))
      const drip = () => void response.write('x'.repeat(400), () => setImmediate(drip))
      drip()
      request.on('close', () => response.destroy())
    }
    expect(await reasonOf(fetchPublic())).toBe('size')
  })

  test('attack: a response that drips is refused after the timeout', async () => {
    respond = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    expect(await reasonOf(fetchPublic({ timeoutMs: 300 }))).toBe('time')
  })

  test('attack: slow responses of one host do not delay those of another host', async () => {
    const held: (() => void)[] = []
    respond = (request, response) => {
      const end = () => void response.setHeader('content-type', 'application/json').end('{}')
      if (request.headers.host === 'slow.example') held.push(end)
      else end()
    }
    const fetchUrl = fetchWith([publicAddress])
    const slow = Array.from({ length: 30 }, async (_, index) =>
      runForClient(`192.0.2.${index}`, async () => fetchUrl('http://slow.example/', json)),
    )
    await fetchUrl('http://nft.example/', json)
    expect(held.length).toBeLessThanOrEqual(8)
    respond = (_request, response) =>
      void response.setHeader('content-type', 'application/json').end('{}')
    for (const end of held) end()
    await Promise.all(slow)
  })

  test('attack: slow fetches of a client do not delay those of another client from the same host', async () => {
    const held: (() => void)[] = []
    respond = (request, response) => {
      const end = () => void response.setHeader('content-type', 'application/json').end('{}')
      if (request.url === '/slow') held.push(end)
      else end()
    }
    const fetchUrl = fetchWith([publicAddress])
    const slow = Array.from({ length: 30 }, async () =>
      runForClient('192.0.2.1', async () => fetchUrl('http://nft.example/slow', json)),
    )
    await expect(
      runForClient('192.0.2.2', async () => fetchUrl('http://nft.example/', json)),
    ).resolves.toBeDefined()
    respond = (_request, response) =>
      void response.setHeader('content-type', 'application/json').end('{}')
    for (const end of held) end()
    await Promise.all(slow)
  })

  test('attack: the timeout of a fetch does not include its wait for slow fetches', async () => {
    respond = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (request.url === '/slow') response.write('{')
      else response.end('{}')
    }
    const fetchUrl = fetchWith([publicAddress])
    const options = { ...json, timeoutMs: 300 }
    const slow = Array.from({ length: 4 }, async () =>
      reasonOf(fetchUrl('http://nft.example/slow', options)),
    )
    await expect(fetchUrl('http://nft.example/', options)).resolves.toBeDefined()
    expect(await Promise.all(slow)).toEqual(Array(4).fill('time'))
  })

  test('attack: a fetch that gets no slot in time is not a failure of its URL', async () => {
    respond = () => {}
    const fetchUrl = createSafeFetch({
      resolve: async () => [publicAddress],
      connect: connectToServer,
      waitMs: 100,
    })
    const slow = Array.from({ length: 4 }, async () =>
      reasonOf(fetchUrl('http://nft.example/slow', { ...json, timeoutMs: 300 })),
    )
    await expect(fetchUrl('http://nft.example/', json)).rejects.toThrow(NoSlotError)
    expect(await Promise.all(slow)).toEqual(Array(4).fill('time'))
  })

  test.each(['text/html', 'application/octet-stream', ''])(
    'attack: the content type %j is refused',
    async (type) => {
      respond = (_request, response) => void response.setHeader('content-type', type).end('{}')
      expect(await reasonOf(fetchPublic())).toBe('type')
    },
  )
})

describe('a private host', () => {
  const url = () => `http://localhost:${port}/1.json`

  test('is requested if the operator lists it with its port', async () => {
    const privateHosts = [`localhost:${port}`]
    await createSafeFetch({ privateHosts })(url(), json)
    expect(requests).toEqual([`localhost:${port}/1.json`])
    const other = createSafeFetch({ privateHosts: ['localhost:80'] })
    expect(await reasonOf(other(url(), json))).toBe('port')
  })

  test('is requested if the configuration names it, but not after a redirect', async () => {
    const fetchUrl = createSafeFetch()
    await fetchUrl(url(), { ...json, isConfigured: true })
    respond = (_request, response) => void response.writeHead(302, { location: url() }).end()
    const redirected = fetchUrl(url(), { ...json, isConfigured: true })
    expect(await reasonOf(redirected)).toBe('port')
  })
})

test.each([
  ['a host without an address', 'http://nft.example/', [], 'unreachable'],
  ['a status other than 200', 'http://nft.example/', [publicAddress], 'status'],
])('error: %s', async (_what, url, addresses, reason) => {
  respond = (_request, response) => void response.writeHead(404).end()
  expect(await reasonOf(fetchWith(addresses)(url, json))).toBe(reason)
})

test('a name is resolved in the DNS, without the hosts file', async () => {
  expect(
    await reasonOf(createSafeFetch()('http://localhost/', { ...json, timeoutMs: 500 })),
  ).toMatch(/^(address|unreachable|time)$/)
})
