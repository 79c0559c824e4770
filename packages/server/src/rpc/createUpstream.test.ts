import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toBatch } from './batch.ts'
import { createUpstream } from './createUpstream.ts'
import { UpstreamError } from './UpstreamError.ts'

type Received = { headers: IncomingMessage['headers']; method?: string | undefined; body: unknown }

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a node that responds with `respond`, and creates an upstream for the node. */
async function start(
  respond: (response: ServerResponse, body: never) => unknown,
  options: { credentials?: string; keepsNumbers?: boolean } = {},
) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer(async (request, response) => {
    const parts = await request.toArray()
    const body: unknown = JSON.parse(Buffer.concat(parts).toString())
    sockets.add(request.socket)
    received.push({ headers: request.headers, method: request.method, body })
    await respond(response, body as never)
  })
  server.on('connection', () => (connections += 1))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  let time = 1_000_000
  const upstream = createUpstream({
    url: `http://${options.credentials ?? ''}${host}/key`,
    now: () => time,
    keepsNumbers: options.keepsNumbers ?? false,
  })
  return {
    upstream,
    received,
    sockets,
    host,
    connections: () => connections,
    pass: (ms: number) => void (time += ms),
  }
}

const call = { method: 'eth_call', params: [{}] }
const never = new AbortController().signal
type Request = { id: number; params?: unknown }
const json = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body))
const echo = (response: ServerResponse, body: Request | Request[]) =>
  json(
    response,
    Array.isArray(body)
      ? body.map(({ id, params }) => ({ id, result: params })).toReversed()
      : { id: body.id, result: body.params },
  )

test('a call is posted as JSON-RPC', async () => {
  const { upstream, received, host } = await start(echo)
  expect(await upstream.send(toBatch([call]), never)).toEqual([{ result: [{}] }])
  expect(received).toMatchObject([
    {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { jsonrpc: '2.0', id: 1, ...call },
    },
  ])
  expect(received[0]!.headers).not.toHaveProperty('authorization')
  expect(upstream).toMatchObject({ host, isRightChain: undefined, isStale: false })
})

test('credentials in the URL are sent as a header', async () => {
  const { upstream, received, host } = await start(echo, { credentials: 'us%3Aer:p%40ss@' })
  await upstream.send(toBatch([call]), never)
  expect(received[0]!.headers.authorization).toBe(`Basic ${btoa('us:er:p@ss')}`)
  expect(upstream.host).toBe(host)
})

test('calls are sent as a batch, and the replies are ordered by id', async () => {
  const { upstream, received } = await start(echo)
  const calls = ['a', 'b', 'c'].map((params) => ({ method: 'm', params }))
  expect(await upstream.send(toBatch(calls), never)).toEqual(
    ['a', 'b', 'c'].map((result) => ({ result })),
  )
  expect(received.map(({ body }) => body)).toEqual([
    calls.map((one, index) => ({ jsonrpc: '2.0', id: index + 1, ...one })),
  ])
})

test('a node that refuses batches gets single calls for a minute, ten at a time', async () => {
  let open = 0
  let maxOpen = 0
  const ten = Promise.withResolvers<void>()
  const { upstream, received, pass } = await start(async (response, body: Request | Request[]) => {
    if (Array.isArray(body)) return json(response, { id: null, error: { code: 1, message: 'no' } })
    open += 1
    maxOpen = Math.max(maxOpen, open)
    // Ten calls arrive before the first is answered. The node is slow, so an eleventh would be noticed.
    if (maxOpen < 10) await ten.promise
    else ten.resolve()
    await new Promise((resolve) => setTimeout(resolve, 20))
    open -= 1
    return echo(response, body)
  })
  const calls = Array.from({ length: 25 }, (_, params) => ({ method: 'm', params }))
  const results = calls.map(({ params }) => ({ result: params }))
  expect(await upstream.send(toBatch(calls), never)).toEqual(results)
  expect([received.length, maxOpen]).toEqual([26, 10])
  pass(59_999)
  expect(await upstream.send(toBatch(calls.slice(0, 2)), never)).toEqual(results.slice(0, 2))
  expect(received).toHaveLength(28)
  pass(1)
  await upstream.send(toBatch(calls.slice(0, 2)), never)
  expect(received).toHaveLength(31)
})

test('attack: a batch that is too long for the node is sent as single calls, but not the next one', async () => {
  const { upstream, received } = await start((response, body: Request | Request[]) => {
    if (!Array.isArray(body) || body.length <= 2) return echo(response, body)
    const error = { code: -32_600, message: 'batch too large' }
    return json(response, [{ jsonrpc: '2.0', id: body[0]!.id, error }])
  })
  await expect(upstream.send(toBatch([call, call, call]), never)).resolves.toHaveLength(3)
  await upstream.send(toBatch([call, call]), never)
  expect(received.map(({ body }) => (Array.isArray(body) ? body.length : 1))).toEqual([
    3, 1, 1, 1, 2,
  ])
})

const result = '0x'
const error = { code: -32_600, message: 'no' }

test.each([
  ['an error in each reply', [{ error }, { error }, { error }], 1],
  ['one error', [{ result }, { error }, { result }], 1],
  ['a result and an error, but fewer replies', [{ result }, { error }], 4],
])(
  'a batch is sent again as single calls only if replies are missing: %s',
  async (_, replies, requests) => {
    const { upstream, received } = await start((response, body: Request | Request[]) =>
      Array.isArray(body)
        ? json(
            response,
            replies.map((reply, index) => ({ id: body[index]!.id, ...reply })),
          )
        : echo(response, body),
    )
    await expect(upstream.send(toBatch([call, call, call]), never)).resolves.toHaveLength(3)
    expect(received).toHaveLength(requests)
  },
)

test.each([null, undefined])(
  'error: a batch that lacks replies, without an error (%s), is not repeated as single calls',
  async (none) => {
    const { upstream, received } = await start((response) =>
      json(response, [{ id: 1, result, error: none }, null]),
    )
    await expect(upstream.send(toBatch([call, call, call]), never)).rejects.toMatchObject({
      reason: 'bad_body',
    })
    expect(received).toHaveLength(1)
  },
)

test('the progress of a batch that is sent as single calls is reported', async () => {
  const { upstream } = await start((response, body: Request | Request[]) =>
    Array.isArray(body) ? json(response, {}) : echo(response, body),
  )
  const onProgress = vi.fn<() => void>()
  const calls = Array.from({ length: 25 }, () => call)
  await upstream.send(toBatch(calls), never, { onProgress })
  expect(onProgress).toHaveBeenCalledTimes(3)
})

describe('a batch whose results are strings', () => {
  const reply = (id: number, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => reply(index + 1, `"0x${index}"`))

  test.each([
    ['in order', [reply(1, '"0x1"'), reply(2, '"Zürich"')], ['0x1', 'Zürich']],
    ['in another order', [reply(2, '"0x2"'), reply(1, '"0x1"')], ['0x1', '0x2']],
    [
      'with an additional reply',
      [reply(1, '"0x1"'), reply(2, '"0x2"'), reply(3, '"0x3"')],
      ['0x1', '0x2'],
    ],
    ['with an escape sequence', [reply(1, String.raw`"a\"b"`), reply(2, '"0x2"')], ['a"b', '0x2']],
    ['with a number', [reply(1, '7'), reply(2, '"0x2"')], [7, '0x2']],
    ['with spaces', [` ${reply(1, '"0x1"')}`, `${reply(2, '"0x2"')} `], ['0x1', '0x2']],
  ])('is parsed %s', async (_what, replies, results) => {
    const { upstream } = await start((response) => response.end(`[${replies.join()}]\n`))
    expect(await upstream.send(toBatch([call, call]), never)).toEqual(
      results.map((result) => ({ result })),
    )
  })

  test.each([
    ['in order', [7, 20]],
    ['in another order', [20, 7]],
  ])('can have ids chosen by the client, %s', async (_what, ids) => {
    const replies = ids.map((id) => reply(id, `"reply to ${id}"`))
    const { upstream } = await start((response) => response.end(`[${replies.join()}]`))
    const { body } = toBatch([call, call])
    expect(await upstream.send({ body, ids: [7, 20] }, never)).toEqual([
      { result: 'reply to 7' },
      { result: 'reply to 20' },
    ])
  })

  test('is not parsed with JSON.parse, which would take twice as long', async () => {
    const replies = numbered(12)
    const text = `[${replies.join()}]\n`
    const { upstream } = await start((response) => response.end(text))
    const parse = vi.spyOn(JSON, 'parse')
    await upstream.send(toBatch(replies.map(() => call)), never)
    expect(parse).not.toHaveBeenCalledWith(text)
    parse.mockRestore()
  })

  test.each([
    ['in order, as text', [reply(1, '"0x1"'), reply(2, '"Zürich"')], undefined],
    ['with ids of two digits, as text', numbered(12), undefined],
    ['in another order, parsed', [reply(2, '"0x2"'), reply(1, '"0x1"')], ['0x1', '0x2']],
    [
      'with an escape sequence, parsed',
      [reply(1, String.raw`"a\"b"`), reply(2, '"0x2"')],
      ['a"b', '0x2'],
    ],
  ])('is forwarded %s', async (_what, replies, results) => {
    const text = `[${replies.join()}]`
    const { upstream } = await start((response) => response.end(`${text} \n`))
    expect(await upstream.forward(toBatch(replies.map(() => call)), never)).toEqual(
      results?.map((result) => ({ result })) ?? text,
    )
  })

  test.each([
    ['more text after it', `[${reply(1, '"0x1"')},${reply(2, '"0x2"')}],7`],
    ['no opening bracket', `(${reply(1, '"0x1"')},${reply(2, '"0x2"')}]`],
    ['no closing bracket', `[${reply(1, '"0x1"')},${reply(2, '"0x2"')}`],
    ['a comma instead of the closing bracket', `[${reply(1, '"0x1"')},${reply(2, '"0x2"')},`],
    ['a control character', `[${reply(1, '"0x1\n"')},${reply(2, '"0x2"')}]`],
    ['an invalid escape sequence', `[${reply(1, String.raw`"\x"`)},${reply(2, '"0x2"')}]`],
    ['the same id twice', `[${reply(1, '"0x1"')},${reply(1, '"0x2"')}]`],
  ])('error: is rejected with %s', async (_what, text) => {
    const { upstream } = await start((response) => response.end(text))
    for (const method of ['send', 'forward'] as const)
      await expect(upstream[method](toBatch([call, call]), never)).rejects.toMatchObject({
        reason: 'bad_body',
      })
  })
})

describe('a reply', () => {
  test.each<[string, unknown, unknown]>([
    ['null', { id: 1, result: null }, { result: null }],
    ['null, with an error that is null', { id: 1, error: null, result: null }, { result: null }],
    [
      'an error',
      { id: 1, error: { code: 3, message: 'no', more: 1 } },
      { error: { code: 3, message: 'no' } },
    ],
    [
      'an error with data',
      { id: 1, error: { code: 3, message: 'no', data: '0x' } },
      { error: { code: 3, message: 'no', data: '0x' } },
    ],
  ])('can be %s', async (_what, body, reply) => {
    const { upstream } = await start((response) => json(response, body))
    expect(await upstream.send(toBatch([call]), never)).toEqual([reply])
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a string', 'ok'],
    ['an array', []],
    ['a reply with another id', { id: 2, result: 1 }],
    ['a reply whose id is a string', { id: '1', result: 1 }],
    ['a reply without a result', { id: 1 }],
    ['an error without a code', { id: 1, error: { message: 'no' } }],
    ['an error whose code is a string', { id: 1, error: { code: '3', message: 'no' } }],
    ['an error without a message', { id: 1, error: { code: 3 } }],
    ['a reply whose error is a string', { id: 1, error: 'no', result: 1 }],
  ])('error: is rejected if it is %s', async (_what, body) => {
    const { upstream } = await start((response) => json(response, body))
    await expect(upstream.send(toBatch([call]), never)).rejects.toMatchObject({
      name: 'UpstreamError',
      reason: 'bad_body',
    })
  })

  test.each([
    ['missing from a batch', [{ id: 1, result: 1 }]],
    ['null', [{ id: 1, result: 1 }, null]],
  ])('error: is rejected if it is %s', async (_what, body) => {
    const { upstream } = await start((response) => json(response, body))
    await expect(upstream.send(toBatch([call, call]), never)).rejects.toMatchObject({
      reason: 'bad_body',
    })
  })
})

describe('error: a response', () => {
  test.each<[number, string, string, boolean]>([
    [400, '{"error":"no"}', 'status_400', true],
    [401, '{}', 'status_401', false],
    [405, '{}', 'status_405', true],
    [413, '{}', 'status_413', true],
    [414, '{}', 'status_414', true],
    [415, '{}', 'status_415', true],
    [422, '{}', 'status_422', true],
    [429, '{}', 'status_429', false],
    [431, '{}', 'status_431', true],
    [500, '{}', 'status_500', false],
    [204, '', 'status_204', false],
    [201, '{"jsonrpc":"2.0","id":1,"result":1}', 'status_201', false],
    [200, '<html>', 'bad_body', false],
  ])(
    'with status %i and body %s causes the error %s',
    async (status, body, reason, isRequestFault) => {
      const { upstream } = await start((response) => response.writeHead(status).end(body))
      const error = await upstream.send(toBatch([call]), never).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UpstreamError)
      expect(error).toMatchObject({ reason, message: reason, isRequestFault })
    },
  )

  test('that is not JSON does not make the upstream repeat the calls one by one', async () => {
    const { upstream, received } = await start((response) => response.end('<html>'))
    await expect(upstream.send(toBatch([call, call]), never)).rejects.toMatchObject({
      reason: 'bad_body',
      cause: expect.any(SyntaxError) as unknown,
    })
    expect(received).toHaveLength(1)
  })

  test('with status 400 is a reply if it is JSON-RPC', async () => {
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'reverted' } }
    const { upstream } = await start((response) => json(response.writeHead(400), body))
    expect(await upstream.send(toBatch([call]), never)).toEqual([{ error: body.error }])
  })

  test('attack: is rejected if it redirects', async () => {
    const { upstream, received } = await start((response) =>
      response.writeHead(307, { location: '/other' }).end(),
    )
    await expect(upstream.send(toBatch([call]), never)).rejects.toMatchObject({
      reason: 'status_307',
    })
    expect(received).toHaveLength(1)
  })

  test('attack: is rejected if it exceeds 4 MiB', async () => {
    const frame = '{"id":1,"result":""}'
    const sized = (bytes: number) => `{"id":1,"result":"${'x'.repeat(bytes - frame.length)}"}`
    const most = 4 * 1024 * 1024
    const [largest, larger] = await Promise.all(
      [sized(most), sized(most + 1)].map((text) => start((response) => response.end(text))),
    )
    expect(await largest!.upstream.send(toBatch([call]), never)).toHaveLength(1)
    await expect(larger!.upstream.send(toBatch([call]), never)).rejects.toMatchObject({
      reason: 'too_large',
      isRequestFault: true,
    })
  })

  test('attack: is rejected if it exceeds 4 MiB after decompression', async () => {
    const bomb = gzipSync(`{"id":1,"result":"${'x'.repeat(5 * 1024 * 1024)}"}`)
    const { upstream } = await start((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    await expect(upstream.send(toBatch([call]), never)).rejects.toMatchObject({
      reason: 'too_large',
    })
  })

  test.each([
    ['as it is', false],
    ['compressed', true],
  ])(
    'attack: is counted and read in a turn if it has more than 64 KiB, sent %s',
    async (_, isGzip) => {
      const text = `{"id":1,"result":"${'x'.repeat(100_000)}"}`
      const { upstream } = await start((response) =>
        isGzip
          ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
          : response.end(text),
      )
      let counted = 0
      const turn = Promise.withResolvers<void>()
      const turns: number[] = []
      const meter = {
        add: (bytes: number) => Boolean((counted += bytes)),
        turn(bytes: number) {
          turns.push(bytes)
          return turn.promise
        },
      }
      const parse = vi.spyOn(JSON, 'parse')
      const sent = upstream.send(toBatch([call]), never, { meter })
      await expect.poll(() => turns).toEqual([text.length])
      expect([counted, parse.mock.calls.some(([value]) => value === text)]).toEqual([
        text.length,
        false,
      ])
      parse.mockRestore()
      turn.resolve()
      expect(await sent).toHaveLength(1)
      const full = upstream.send(toBatch([call]), never, { meter: { ...meter, add: () => false } })
      await expect(full).rejects.toMatchObject({ reason: 'no_room', isRequestFault: true })
    },
  )

  test('can be compressed, and is rejected if the compressed data is invalid or cut off', async () => {
    const compressed = gzipSync('{"id":1,"result":"0x1"}')
    const parts = [compressed, 'not gzip', compressed.subarray(0, 20)]
    const [whole, broken, cut] = await Promise.all(
      parts.map(async (part) =>
        start((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(part)),
      ),
    )
    expect(await whole!.upstream.send(toBatch([call]), never)).toEqual([{ result: '0x1' }])
    expect(whole!.received[0]!.headers['accept-encoding']).toBe('gzip')
    for (const { upstream } of [broken!, cut!])
      await expect(upstream.send(toBatch([call]), never)).rejects.toMatchObject({
        reason: 'cut_off',
      })
  })

  test('is rejected if it is cut off', async () => {
    const { upstream } = await start((response) => {
      response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy())
    })
    await expect(upstream.send(toBatch([call]), never)).rejects.toMatchObject({
      reason: 'cut_off',
      isRequestFault: false,
    })
  })

  test('is rejected if it times out before or after its headers', async () => {
    const silent = await start(() => {})
    await expect(
      silent.upstream.send(toBatch([call]), AbortSignal.timeout(50)),
    ).rejects.toMatchObject({
      reason: 'timeout',
    })
    const partial = await start((response) => response.writeHead(200).write('{'))
    await expect(
      partial.upstream.send(toBatch([call]), AbortSignal.timeout(100)),
    ).rejects.toMatchObject({
      reason: 'timeout',
    })
  })

  test.each([
    ['one byte more', 1, 'slow_body', true],
    ['64 KiB', 0, 'timeout', false],
  ])(
    'attack: that times out is a fault of the node unless it is larger than 64 KiB (%s)',
    async (_, more, reason, isRequestFault) => {
      const { upstream } = await start((response) =>
        response.writeHead(200).write(' '.repeat(64 * 1024 + more)),
      )
      await expect(
        upstream.send(toBatch([call]), AbortSignal.timeout(1_000)),
      ).rejects.toMatchObject({
        reason,
        isRequestFault,
      })
    },
  )

  test('is rejected if the node closes the connection before it responds', async () => {
    const { upstream } = await start((response) => response.destroy())
    await expect(upstream.send(toBatch([call]), never)).rejects.toMatchObject({
      reason: 'unreachable',
    })
  })
})

test('a call that is aborted before it is sent, or while the connection is opened, is not sent', async () => {
  const { upstream, received, connections } = await start(echo)
  const reason = expect.objectContaining({ reason: 'timeout' })
  await expect(upstream.send(toBatch([call]), AbortSignal.abort())).rejects.toEqual(reason)
  const controller = new AbortController()
  const sent = upstream.send(toBatch([call]), controller.signal)
  controller.abort()
  await expect(sent).rejects.toEqual(reason)
  await upstream.send(toBatch([{ method: 'last' }]), never)
  expect(received).toMatchObject([{ body: { method: 'last', params: [] } }])
  expect(connections()).toBeLessThanOrEqual(2)
})

test('connections are kept for further calls', async () => {
  const { upstream, sockets } = await start(echo)
  for (let count = 0; count < 10; count += 1) await upstream.send(toBatch([call]), never)
  // A connection is free again only in the next turn of the event loop.
  expect(sockets.size).toBeLessThanOrEqual(2)
})

test('large integers are preserved only with keepsNumbers', async () => {
  const text = '{"id":1,"result":[18446744073709551615,-9007199254740993,12,1.5,"text"]}'
  const respond = (response: ServerResponse) => response.end(text)
  const [kept, rounded] = await Promise.all([
    start(respond, { keepsNumbers: true }),
    start(respond),
  ])
  const [reply] = await kept.upstream.send(toBatch([call]), never)
  expect(JSON.stringify(reply)).toBe(
    '{"result":[18446744073709551615,-9007199254740993,12,1.5,"text"]}',
  )
  // Other values do not change.
  expect(reply).toMatchObject({ result: [{}, {}, 12, 1.5, 'text'] })
  expect(await rounded.upstream.send(toBatch([call]), never)).toEqual([
    { result: [2 ** 64, -(2 ** 53), 12, 1.5, 'text'] },
  ])
})

test.each(['[9007199254740993]', '9007199254740993', '[1, 9007199254740993]', '-9007199254740993'])(
  'a large integer is preserved in the result %s',
  async (result) => {
    const { upstream } = await start((response) => response.end(`{"id":1,"result": ${result}}`), {
      keepsNumbers: true,
    })
    const [reply] = await upstream.send(toBatch([call]), never)
    expect(JSON.stringify(reply)).toBe(`{"result":${result.replace(' ', '')}}`)
  },
)
