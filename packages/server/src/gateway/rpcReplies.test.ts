import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'

const mib = 1024 * 1024
const url = '/v1?chainId=eip155%3A1&projectId=default'
const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: `0x${'0'.repeat(40)}` }] }
const body = JSON.stringify(call)

let node: ReturnType<typeof createServer>
let gateway: TestGateway
/** Sends the response to a call. */
let respond: (response: ServerResponse) => void
let received: number
beforeEach(async () => {
  received = 0
  node = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    if (text.includes('eth_chainId')) return response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    received += 1
    respond(response)
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  const now = () => 1_800_000_000_000
  const rpcUrls = { 'eip155:1': [`http://127.0.0.1:${port}`] }
  // Never reached, even on a busy machine.
  const rpcTiming = { tryMs: 120_000, hedgeMs: 120_000, budgetMs: 120_000 }
  gateway = await createTestGateway(
    { rpcUrls, ipBurst: 100, projectBurst: 200 },
    { now, rpcTiming },
  )
})
afterEach(async () => {
  await gateway.stop()
  node.closeAllConnections()
  await new Promise((resolve) => node.close(resolve))
})

const reply = (bytes: number) => `{"jsonrpc":"2.0","id":1,"result":"0x${'0'.repeat(bytes)}"}`

async function post(address: string) {
  const response = await gateway.send(url, { method: 'POST', body, address })
  const text = await response.text()
  return { status: response.status, length: text.length, headers: response.headers }
}

test('attack: a large response costs its address and project tokens, which may leave them in debt', async () => {
  respond = (response) => response.end(reply(mib))
  expect((await post('192.0.2.1')).status).toBe(200)
  // 100 tokens less one for the call, and 128 for the response.
  const refused = await post('192.0.2.1')
  expect(refused.status).toBe(429)
  expect((await post('192.0.2.2')).status).toBe(200)
  expect((await post('192.0.2.3')).status).toBe(429)
  expect(received).toBe(2)
})

test('a response of up to 64 KiB costs nothing', async () => {
  respond = (response) => response.end(reply(65_000))
  for (let count = 0; count < 100; count += 1) expect((await post('192.0.2.1')).status).toBe(200)
  expect((await post('192.0.2.1')).status).toBe(429)
})

test('attack: unfinished responses use the memory of their address', async () => {
  const waiting: ServerResponse[] = []
  respond = (response) => {
    response.write(reply(3.9 * mib).slice(0, -2))
    waiting.push(response)
  }
  const posts = Array.from({ length: 6 }, () => post('192.0.2.1'))
  await expect.poll(() => waiting.length).toBe(6)
  // Six times 3.9 MiB are 23.4 MiB, of 24 MiB. An unfinished response would leave this one waiting.
  await expect
    .poll(() => gateway.context.memory.hasRoom('192.0.2.1', mib), { timeout: 30_000 })
    .toBe(false)
  const refused = await post('192.0.2.1')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  for (const response of waiting) response.end('"}')
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  // Nothing remains counted.
  expect(gateway.context.memory.hasRoom('192.0.2.1', 24 * mib)).toBe(true)
})
