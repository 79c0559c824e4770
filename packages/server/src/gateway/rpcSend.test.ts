import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAllowed, isSend } from '../rpc/methods.ts'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { startUpstream } from '../testing/startUpstream.ts'

// A transaction is sent to one upstream at a time and never in a batch. Reads may be hedged and batched.

const raw = '0x02f86c01'
const hash = `0x${'ab'.repeat(32)}`
const address = '0x0000000000000000000000000000000000000001'

let first: Awaited<ReturnType<typeof startUpstream>>
let second: typeof first
let gateway: TestGateway
beforeAll(async () => {
  const answer = () => hash
  first = await startUpstream({ chainId: 31_337, answer })
  second = await startUpstream({ chainId: 31_337, answer })
  gateway = await createTestGateway({ rpcUrls: { 'eip155:31337': [first.url, second.url] } })
})
afterAll(async () => {
  await gateway?.stop()
  await Promise.all([first?.stop(), second?.stop()])
})

const post = (body: unknown) =>
  gateway.json('/v1?chainId=eip155:31337&projectId=default', {
    method: 'POST',
    body: JSON.stringify(body),
  })
const send = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }
const read = { jsonrpc: '2.0', id: 2, method: 'eth_getBalance', params: [address, 'latest'] }

describe('§7.12.1 eth_sendRawTransaction', () => {
  test('is not hedged: unlike a read, it is not sent to a second upstream if the first one is slow', async () => {
    // Longer than `hedgeMs`, after which a read is also sent to the next upstream.
    first.behavior = { afterMs: 1_500 }
    expect((await post(send)).body).toMatchObject({ result: hash })
    expect(first.bodies).toHaveLength(1)
    expect(second.bodies).toEqual([])
    expect((await post(read)).body).toMatchObject({ result: hash })
    expect(second.bodies).toHaveLength(1)
  })

  test('is not batched with other calls', async () => {
    first.behavior = 'ok'
    first.bodies.length = 0
    await post([read, { ...send, id: 3 }, { ...read, id: 4 }])
    const bodies = first.bodies.map((body) => JSON.parse(body) as { method?: string })
    const alone = bodies.filter(({ method }) => method === 'eth_sendRawTransaction')
    expect(alone).toEqual([expect.objectContaining({ params: [raw] })])
    expect(bodies.filter((body) => Array.isArray(body))).toHaveLength(1)
  })
})

test('both allowed methods that send a transaction are treated as sends', () => {
  expect(['eth_sendRawTransaction', 'sendTransaction'].map(isSend)).toEqual([true, true])
  expect(isAllowed('eip155', 'eth_sendRawTransaction')).toBe(true)
  expect(isAllowed('solana', 'sendTransaction')).toBe(true)
  expect(['eth_getBalance', 'eth_call', 'getBalance'].map(isSend)).toEqual([false, false, false])
})
