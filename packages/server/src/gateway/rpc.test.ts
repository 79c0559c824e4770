import { isRpcRequest, RpcRequest, type RpcResponse } from '@gatefold/protocol/gateway'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { startUpstream } from '../testing/startUpstream.ts'

const address = '0x0000000000000000000000000000000000000001'

let upstream: Awaited<ReturnType<typeof startUpstream>>
let gateway: TestGateway
beforeAll(async () => {
  upstream = await startUpstream({
    chainId: 31_337,
    answer: (method, params) => {
      if (method === 'eth_call')
        throw { code: 3, message: 'execution reverted', data: '0x08c379a0' }
      if (method === 'net_version') return '31337'
      return method === 'eth_getBalance' ? `balance of ${String(params[0])}` : '0x10'
    },
  })
  gateway = await createTestGateway({
    rpcUrls: { 'eip155:31337': [upstream.url] },
    // The tests send more requests than an address may at once.
    ipBurst: 1_000_000,
  })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.stop()
})
beforeEach(() => {
  upstream.behavior = 'ok'
  upstream.bodies.length = 0
})

const url = '/v1?chainId=eip155%3A31337&projectId=default'

async function post(body: unknown, path = url, headers: Record<string, string> = {}) {
  const answer = await gateway.json(path, {
    method: 'POST',
    // The request that viem's transport in the official client sends.
    headers: { 'content-type': 'text/plain', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { ...answer, body: answer.body as RpcResponse }
}

const call = (method: string, params: unknown = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('§7.12.1/1 §7.12.1/2 §7.12.3 one request', () => {
  test.each(['/v1', '/v1/'])('POST %s returns the same id', async (path) => {
    const answer = await post(
      call('eth_getBalance', [address, 'latest'], 'abc'),
      `${path}?chainId=eip155:31337&projectId=default&st=appkit&sv=x&sessionId=1&source=y`,
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 'abc', result: `balance of ${address}` })
  })

  test('a revert is forwarded unchanged', async () => {
    const { status, body } = await post(call('eth_call', [{ to: address }, 'latest']))
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 3, message: 'execution reverted', data: '0x08c379a0' },
    })
  })

  test('the chain id needs no upstream, and the network id is cached', async () => {
    expect((await post(call('eth_chainId'))).body).toMatchObject({ result: '0x7a69' })
    expect(upstream.bodies).toEqual([])
    await post(call('net_version'))
    await post(call('net_version'))
    expect(upstream.bodies).toHaveLength(1)
  })

  test('results that can change are not cached', async () => {
    await post(call('eth_blockNumber'))
    await post(call('eth_blockNumber'))
    expect(upstream.bodies).toHaveLength(2)
  })

  test('a request cannot choose the upstream host', async () => {
    await post(
      { ...call('eth_blockNumber'), url: 'http://169.254.169.254/' },
      `${url}&rpcUrl=http://169.254.169.254/&providerId=x`,
    )
    expect(upstream.bodies).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
    ])
  })
})

test('attack: an upstream gets only the fields that were checked', async () => {
  const text = `{"__proto__":{"method":"anvil_reset"},"method":"anvil_reset","method":"eth_blockNumber",
    "params":["0x1"],"params":[],"Method":"anvil_reset","url":"http://169.254.169.254/","id":1e400,"jsonrpc":"2.0"}`
  const forwarded = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
  expect((await post(text)).body).toEqual({ jsonrpc: '2.0', id: null, result: '0x10' })
  await post(`[${text},${text}]`)
  expect(upstream.bodies).toEqual([
    forwarded,
    `[${forwarded},${forwarded.replace('"id":1', '"id":2')}]`,
  ])
})

describe('§9.4.2/2 a batch', () => {
  test('of 100 calls is answered in order', async () => {
    const calls = Array.from({ length: 100 }, (_, id) =>
      call('eth_getBalance', [`0x${id.toString(16).padStart(40, '0')}`, 'latest'], id),
    )
    const { status, body } = await post(calls)
    expect(status).toBe(200)
    expect(body).toEqual(
      calls.map(({ id, params }) => ({
        jsonrpc: '2.0',
        id,
        result: `balance of ${(params as string[])[0]}`,
      })),
    )
    expect(upstream.bodies.map((text) => (JSON.parse(text) as unknown[]).length)).toEqual([100])
  })

  test('may contain duplicate ids and invalid calls', async () => {
    const { status, body } = await post([
      call('eth_blockNumber'),
      call('eth_blockNumber'),
      call('eth_sign', [], 2),
      7,
      call('eth_getBalance', ['me'], 3),
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 1, result: '0x10' },
      { id: 1, result: '0x10' },
      { id: 2, error: { code: -32_601 } },
      { id: null, error: { code: -32_600 } },
      { id: 3, error: { code: -32_602 } },
    ])
  })

  test.each([
    ['no', []],
    ['101', Array(101).fill(call('eth_chainId'))],
  ])('error: of %s calls is refused', async (_name, calls) => {
    const { status, body } = await post(calls)
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: null, error: { code: -32_600 } })
    expect(upstream.bodies).toEqual([])
  })
})

describe('error: a malformed or unsupported request gets the right code and does not reach an upstream', () => {
  test.each<[body: unknown, status: number, code: number, field: string, id: unknown]>([
    ['', 400, -32_700, 'body', null],
    ['{', 400, -32_700, 'body', null],
    ['{"jsonrpc":"2.0","id":1,"method":"eth_chainId"', 400, -32_700, 'body', null],
    ['[1,', 400, -32_700, 'body', null],
    ['null', 400, -32_600, 'body', null],
    ['7', 400, -32_600, 'body', null],
    ['"eth_chainId"', 400, -32_600, 'body', null],
    [{}, 400, -32_600, 'jsonrpc', null],
    [{ ...call('eth_chainId'), jsonrpc: '1.0' }, 400, -32_600, 'jsonrpc', 1],
    [{ ...call('eth_chainId'), jsonrpc: 2 }, 400, -32_600, 'jsonrpc', 1],
    [{ jsonrpc: '2.0', method: 'eth_chainId' }, 400, -32_600, 'id', null],
    [{ ...call('eth_chainId'), id: {} }, 400, -32_600, 'id', null],
    [{ ...call('eth_chainId'), id: true }, 400, -32_600, 'id', null],
    [{ jsonrpc: '2.0', id: 1 }, 400, -32_600, 'method', 1],
    [call('', []), 400, -32_600, 'method', 1],
    [{ ...call('x'), method: 7 }, 400, -32_600, 'method', 1],
    [call('eth_chainId', 'latest'), 400, -32_600, 'params', 1],
    [call('eth_chainId', 7), 400, -32_600, 'params', 1],
    [call('eth_sendTransaction', [{}]), 200, -32_601, 'method', 1],
    [call('personal_sign', []), 200, -32_601, 'method', 1],
    [call('eth_accounts', []), 200, -32_601, 'method', 1],
    [call('debug_traceTransaction', []), 200, -32_601, 'method', 1],
    [call('anvil_setBalance', []), 200, -32_601, 'method', 1],
    [call('constructor', []), 200, -32_601, 'method', 1],
    [call('__proto__', []), 200, -32_601, 'method', 1],
    [call('eth_getBalance', []), 400, -32_602, 'params[0]', 1],
    [call('eth_getBalance', ['me', 'latest']), 400, -32_602, 'params[0]', 1],
    [call('eth_getBalance', [address, 'newest']), 400, -32_602, 'params[1]', 1],
    [call('eth_getBalance', { address }), 400, -32_602, 'params', 1],
    [call('eth_call', ['0x']), 400, -32_602, 'params[0]', 1],
    [call('eth_getLogs', []), 400, -32_602, 'params[0]', 1],
    [call('eth_sendRawTransaction', ['0xabc']), 400, -32_602, 'params[0]', 1],
    [call('eth_getTransactionReceipt', ['0x12']), 400, -32_602, 'params[0]', 1],
  ])('%j', async (body, status, code, field, id) => {
    const answer = await post(body)
    expect([answer.status, answer.body.id]).toEqual([status, id])
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      error: { code, data: { reasons: [{ field }] } },
    })
    expect(upstream.bodies).toEqual([])
  })

  test('the check of a request accepts exactly what the schema accepts', () => {
    const id = fc.oneof(fc.jsonValue(), fc.constantFrom('x'.repeat(256), 'x'.repeat(257)))
    const request = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2),
        id: fc.oneof(fc.integer(), id),
        method: fc.oneof(fc.string(), fc.jsonValue()),
        params: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(request, request, fc.jsonValue()), (value) => {
        expect(isRpcRequest(value)).toBe(v.is(RpcRequest, value))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each<[what: string, request: string, code: number]>([
    ['a method in the prototype', '"__proto__":{"method":"eth_blockNumber"}', -32_600],
    ['the last of two methods', '"method":"eth_blockNumber","method":"anvil_reset"', -32_601],
    ['the last of two parameters', '"method":"eth_getCode","params":["0x"],"params":7', -32_600],
    ['another case', '"Method":"eth_blockNumber"', -32_600],
  ])('attack: %s is checked as it is forwarded', async (_what, fields, code) => {
    const text = `{"jsonrpc":"2.0","id":1,${fields}}`
    expect((await post(text)).body).toMatchObject({ error: { code } })
    expect((await post(`[${text}]`)).body).toMatchObject([{ error: { code } }])
    expect(upstream.bodies).toEqual([])
  })

  test('error: 101 levels of parameters are refused', async () => {
    const nested = `${'['.repeat(101)}${']'.repeat(101)}`
    const text = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${nested}}`
    expect((await post(`[${text}]`)).body).toMatchObject({ error: { code: -32_700 } })
    expect(upstream.bodies).toEqual([])
  })

  test('500 fuzzed requests', async () => {
    const notARequest = fc.oneof(
      fc.jsonValue().filter((value) => !Array.isArray(value)),
      fc.record({
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        id: fc.oneof(fc.integer(), fc.jsonValue()),
        method: fc.oneof(fc.string(), fc.jsonValue()),
        params: fc.jsonValue(),
      }),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.integer(),
        method: fc.constantFrom(
          'eth_getBalance',
          'eth_getLogs',
          'eth_sendRawTransaction',
          'eth_getProof',
        ),
        params: fc.array(fc.jsonValue()),
      }),
    )
    await fc.assert(
      fc.asyncProperty(notARequest, async (value) => {
        upstream.bodies.length = 0
        const { status, body } = await post(JSON.stringify(value))
        if (!('error' in body)) return
        expect([-32_600, -32_601, -32_602]).toContain(body.error.code)
        expect(status).toBe(body.error.code === -32_601 ? 200 : 400)
        expect(upstream.bodies).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('error: refused requests', () => {
  test.each([
    ['/v1?projectId=default', 'chainId', 400],
    ['/v1?chainId=&projectId=default', 'chainId', 400],
    ['/v1?chainId=mainnet', 'chainId', 400],
    ['/v1?chainId=eip155:1', 'chainId', 400],
    ['/v1?chainId=__proto__', 'chainId', 400],
    ['/v1?chainId=eip155:31337&projectId=unknown', 'projectId', 401],
  ])('%s', async (path, field, status) => {
    const answer = await gateway.json(path, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ status: 'FAILED', reasons: [{ field }] })
    const namesSupported = JSON.stringify(answer.body).includes('supported chains: eip155:31337')
    expect(namesSupported).toBe(field === 'chainId')
  })

  test('a refused origin gets 401', async () => {
    const { status, body } = await post(call('eth_chainId'), url, {
      origin: 'https://evil.example',
    })
    expect(status).toBe(401)
    expect(body).toMatchObject({ reasons: [{ field: 'origin' }] })
  })

  test('a body above 1 MiB is refused', async () => {
    const { status, body } = await post(call('eth_call', [{ data: `0x${'00'.repeat(600_000)}` }]))
    expect([status, body]).toEqual([
      413,
      expect.objectContaining({ reasons: [expect.objectContaining({ field: 'body' })] }),
    ])
    expect(upstream.bodies).toEqual([])
  })

  test('a body above 1 MiB without a content-length is refused', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(256 * 1024).fill(32)),
    })
    const { status } = await gateway.json(url, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(status).toBe(413)
  })

  test('GET returns 426, because WebSockets are not supported', async () => {
    const { status, body, headers } = await gateway.json(url)
    expect([status, headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect(body).toMatchObject({ status: 'FAILED' })
  })
})

test('error: 503 with Retry-After if no upstream responds', async () => {
  upstream.behavior = { status: 500 }
  const { status, body, headers } = await post(call('eth_blockNumber'))
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('5')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatchObject({ status: 'FAILED', reasons: [{ field: 'chainId' }] })
})

test('supported chains are those with an upstream', async () => {
  expect((await gateway.json('/v1/supported-chains')).body).toEqual({
    http: ['eip155:31337'],
    ws: [],
  })
})

describe('batches', () => {
  const send = async (limited: TestGateway, count: number, from = '192.0.2.1') =>
    (
      await limited.send(url, {
        method: 'POST',
        body: JSON.stringify(Array(count).fill(call('eth_chainId'))),
        address: from,
      })
    ).status
  const start = (config: Partial<Config>) =>
    createTestGateway({ rpcUrls: { 'eip155:31337': [upstream.url] }, ...config }, { now: () => 0 })

  test('attack: each call counts against the limit of the project', async () => {
    const limited = await start({ projectRate: 1, projectBurst: 10, ipBurst: 100 })
    const statuses = [await send(limited, 6), await send(limited, 6), await send(limited, 4)]
    expect(statuses).toEqual([200, 429, 429])
    await limited.stop()
  })

  test('attack: each call counts against the limit of the address; other addresses are not affected', async () => {
    const limited = await start({})
    const sizes = Array.from({ length: 30 }, () => 100)
    const statuses: number[] = []
    for (const size of sizes) statuses.push(await send(limited, size))
    // 2,000 tokens are enough for 20 batches.
    expect(statuses).toEqual(sizes.map((_, index) => (index < 20 ? 200 : 429)))
    expect(await send(limited, 100, '192.0.2.2')).toBe(200)
    await limited.stop()
  })

  test('attack: a request for an unknown chain counts too', async () => {
    const limited = await start({ ipRate: 1, ipBurst: 2 })
    const sent: number[] = []
    for (let count = 0; count < 3; count += 1)
      sent.push((await limited.send('/v1?projectId=default', { method: 'POST', body: '' })).status)
    expect(sent).toEqual([400, 400, 429])
    await limited.stop()
  })

  test('attack: 20 batches of 1,000 calls are refused', async () => {
    const limited = await start({})
    for (let count = 0; count < 20; count += 1) expect(await send(limited, 1_000)).toBe(400)
    await limited.stop()
  })

  test('attack: all addresses in a /64 IPv6 network share a limit', async () => {
    const limited = await start({ ipRate: 1, ipBurst: 10 })
    const statuses: number[] = []
    for (let host = 1; host <= 6; host += 1)
      statuses.push(await send(limited, 5, `2001:db8:1:2:${host}::${host}`))
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429])
    expect(await send(limited, 5, '2001:db8:1:3::1')).toBe(200)
    await limited.stop()
  })

  test('attack: a call to an expensive method costs several tokens, even outside a batch', async () => {
    const budget = { projectBurst: 1_000, ipBurst: 45, ipRate: 1 }
    for (const [method, params, granted] of [
      ['eth_getLogs', [{}], 2],
      ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x4e20' }], 1],
      ['eth_getLogs', [{ FROMBLOCK: '0x0' }], 0],
      ['eth_call', [{ to: address }, 'latest', { [address]: { code: '0x' } }], 2],
      ['eth_call', [{ to: address }, 'latest'], 45],
      ['eth_call', [{ data: '0x00' }, 'latest'], 2],
      ['eth_getBlockByNumber', ['latest', true], 2],
    ] as const) {
      const limited = await start(budget)
      const statuses: number[] = []
      for (let count = 0; count < 50; count += 1)
        statuses.push(
          (
            await limited.send(url, {
              method: 'POST',
              body: JSON.stringify(call(method, params)),
            })
          ).status,
        )
      expect(statuses.filter((status) => status === 200)).toHaveLength(granted)
      await limited.stop()
    }
  })
})

test('attack: a request that costs more than a full bucket is refused, whenever its body arrives', async () => {
  let time = 0
  const own = await createTestGateway(
    { rpcUrls: { 'eip155:31337': [upstream.url] }, ipRate: 100, ipBurst: 40 },
    { now: () => time },
  )
  /** Sends a request whose body arrives a second after its headers. */
  const post = async (body: unknown) => {
    const bytes = new ReadableStream(
      {
        pull(controller) {
          time += 1_000
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return own.json(url, { method: 'POST', body: bytes, duplex: 'half' } as RequestInit)
  }
  const logs = call('eth_getLogs', [{}])
  const plain = { id: 1, jsonrpc: '2.0', method: 'eth_getBlockReceipts', params: ['latest'] }
  expect((await post([logs, logs])).status).toBe(200)
  for (const body of [
    [logs, logs, logs],
    [plain, plain, plain],
    call('eth_getLogs', [{ fromBlock: '0x0' }]),
  ]) {
    const { status, body: answer } = await post(body)
    expect([status, answer]).toMatchObject([
      400,
      { error: { code: -32_600, data: { reasons: [{ field: 'body' }] } } },
    ])
  }
  await own.stop()
})

test('attack: the network id is cached for only five minutes', async () => {
  let time = 1_000
  const own = await createTestGateway(
    { rpcUrls: { 'eip155:31337': [upstream.url] } },
    { now: () => time },
  )
  const request = () => own.send(url, { method: 'POST', body: JSON.stringify(call('net_version')) })
  await request()
  time += 300_000
  await request()
  expect(upstream.bodies).toHaveLength(1)
  time += 1
  await request()
  expect(upstream.bodies).toHaveLength(2)
  await own.stop()
})
