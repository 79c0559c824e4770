import { isRpcRequest, type RpcRequest } from '@gatefold/protocol/gateway'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isAllowed, isSend, parametersProblem, priceOf } from '../rpc/methods.ts'
import { readPlainBatch } from '../rpc/readPlainBatch.ts'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { startUpstream } from '../testing/startUpstream.ts'

let upstream: Awaited<ReturnType<typeof startUpstream>>
let gateway: TestGateway
beforeAll(async () => {
  upstream = await startUpstream({
    chainId: 31_337,
    answer: (method, params) => {
      if (method === 'eth_estimateGas') throw { code: 3, message: 'execution reverted' }
      return method === 'net_version' ? '31337' : `${method} of ${JSON.stringify(params)}`
    },
  })
  gateway = await createTestGateway({
    rpcUrls: { 'eip155:31337': [upstream.url] },
    ipBurst: 10_000_000,
    ipRate: 1_000_000,
    projectBurst: 10_000_000,
    projectRate: 1_000_000,
  })
  // From now on, it is in the cache.
  await post('{"jsonrpc":"2.0","id":1,"method":"net_version"}')
})
afterAll(async () => {
  await gateway.stop()
  await upstream.stop()
})
beforeEach(() => {
  upstream.bodies.length = 0
})

const isKnown = (method: string) => method === 'eth_chainId' || method === 'net_version'
const isPlain = (text: string) => readPlainBatch(text, { table: 'eip155', isKnown }) !== undefined

/** @returns the status and body of the response, and the calls that the upstream got, without their ids. */
async function post(body: string) {
  upstream.bodies.length = 0
  const { status, body: answer } = await gateway.json(
    '/v1?chainId=eip155%3A31337&projectId=default',
    { method: 'POST', body },
  )
  const forwarded = upstream.bodies.map((text) => text.replaceAll(/"id":\d+/g, ''))
  return { status, answer, forwarded }
}

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const hash = `0x${'ab'.repeat(32)}`
const method = fc.constantFrom(
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getBlockByNumber',
  'eth_gasPrice',
  'eth_getStorageAt',
  'eth_sendRawTransaction',
  'net_version',
  'anvil_reset',
  'getBalance',
)
const parameter = fc.constantFrom(
  `"${address}"`,
  `"${address.slice(1)}"`,
  `"${hash}"`,
  '"latest"',
  '"LATEST"',
  '"0x1"',
  '"0x"',
  'true',
  'null',
  '1',
  '1e3',
  '{}',
  '[]',
  '"\\u0030x1"',
  '"é"',
  '""',
  '"a b"',
  '{"fromBlock":"0x1"}',
  `{"to":"${address}","data":"0x00"}`,
  '{"to":"0x1","to":"0x2"}',
  '{"2":"a","1":"b"}',
  '{"to":"0x1",}',
  '{"to":"0x1""data":"0x"}',
  '{"__proto__":"0x1"}',
  '{"to":{"to":"0x1"}}',
)
const params = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom('', `"${address}","latest"`, `"${hash}"`, '"latest",true'),
  },
  { weight: 1, arbitrary: fc.constant(`{"data":"0x70a08231","to":"${address}"},"latest"`) },
  { weight: 2, arbitrary: fc.array(parameter, { maxLength: 4 }).map((list) => list.join(',')) },
)
const id = fc.oneof(
  { weight: 4, arbitrary: fc.nat(1_000).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('null', '"a"', '1.5', '-1', '01', '9007199254740993') },
)
const anyRequest = fc
  .tuple(id, method, params)
  .map(
    ([ident, name, list]) =>
      `{"jsonrpc":"2.0","id":${ident},"method":"${name}","params":[${list}]}`,
  )
const plainRequest = fc
  .tuple(
    fc.nat(1_000),
    fc.constantFrom(
      ['eth_blockNumber', ''],
      ['eth_call', `{"data":"0x70a08231","to":"${address}"},"latest"`],
      ['eth_call', `{"to":"${address}"}`],
      ['eth_simulateV1', '{}'],
      ['eth_estimateGas', `{"to":"${address}"}`],
      ['eth_getBalance', `"${address}"`],
      ['eth_getBlockByNumber', '"0x1",false'],
      ['eth_getTransactionByHash', `"${hash}"`],
    ),
  )
  .map(
    ([ident, [name, list]]) =>
      `{"jsonrpc":"2.0","id":${ident},"method":"${name}","params":[${list}]}`,
  )
const request = fc.oneof(
  { weight: 5, arbitrary: plainRequest },
  { weight: 1, arbitrary: anyRequest },
)
/** A batch with increasing ids, unless an id is unusual. */
const batch = fc
  .array(request, { minLength: 1, maxLength: 5 })
  .map((requests) =>
    requests.map((text, index) => text.replace(/"id":(\d{1,4}),/, `"id":${index * 3},`)).join(','),
  )
  .map((list) => `[${list}]`)

test('a batch in the plain form gets the same response as in another form, and the upstream the same calls', async () => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(batch, async (text) => {
      if (isPlain(text)) plain += 1
      expect(isPlain(` ${text}`)).toBe(false)
      expect(await post(text)).toEqual(await post(` ${text}`))
    }),
    { numRuns: 500 },
  )
  expect(plain).toBeGreaterThan(30)
})

test('a plain batch is text that parsing, checking and encoding would not change', () => {
  fc.assert(
    fc.property(batch, (text) => {
      const plain = readPlainBatch(text, { table: 'eip155', isKnown })
      if (!plain) return
      const calls = JSON.parse(text) as RpcRequest[]
      expect(JSON.stringify(calls)).toBe(text)
      expect(plain.body).toBe(text)
      expect(plain.ids).toEqual(calls.map((call) => call.id))
      expect(new Set(plain.ids).size).toBe(calls.length)
      expect(plain.price).toBe(
        calls.reduce((sum, call) => sum + priceOf(call.method, call.params), 0),
      )
      for (const call of calls) {
        expect(isRpcRequest(call) && isAllowed('eip155', call.method)).toBe(true)
        expect(isSend(call.method) || isKnown(call.method)).toBe(false)
        expect(parametersProblem('eip155', call.method, call.params)).toBe(undefined)
      }
    }),
    { numRuns: 5_000 },
  )
})

const getBalance = (ident: unknown, to = `"${address}","latest"`) =>
  `{"jsonrpc":"2.0","id":${String(ident)},"method":"eth_getBalance","params":[${to}]}`

test('a plain batch is forwarded unchanged, and its ids are those of the client', async () => {
  const text = `[${[7, 8, 20].map((ident) => getBalance(ident)).join(',')}]`
  expect((await post(text)).answer).toMatchObject([{ id: 7 }, { id: 8 }, { id: 20 }])
  expect(upstream.bodies).toEqual([text])
})
