import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBundlerClient, entryPoint08Address } from 'viem/account-abstraction'
import { http, type Hex } from 'viem'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { startUpstream } from '../testing/startUpstream.ts'

const id = 'eip155:31337'
const hash: Hex = `0x${'ab'.repeat(32)}`
const operation = {
  sender: '0x0000000000000000000000000000000000000001',
  nonce: '0x0',
  callData: '0x',
  callGasLimit: '0x1',
  verificationGasLimit: '0x1',
  preVerificationGas: '0x1',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
  signature: '0x',
}

let first: Awaited<ReturnType<typeof startUpstream>>
let second: typeof first
let gateway: TestGateway
let sponsoring: TestGateway
beforeAll(async () => {
  const answer = (method: string) =>
    method === 'eth_getUserOperationReceipt'
      ? { success: true }
      : method === 'eth_supportedEntryPoints'
        ? [entryPoint08Address]
        : hash
  first = await startUpstream({ chainId: 31_337, answer })
  second = await startUpstream({ chainId: 31_337, answer })
  const bundlerUrls = { [id]: [first.url, second.url] }
  gateway = await createTestGateway({ rpcUrls: {}, bundlerUrls })
  sponsoring = await createTestGateway({ rpcUrls: {}, bundlerUrls, bundlerSponsors: true })
})
afterAll(async () => {
  await Promise.all([gateway?.stop(), sponsoring?.stop()])
  await Promise.all([first?.stop(), second?.stop()])
})

const call = async (method: string, params: unknown[], to = gateway) =>
  to.json(`/v1/bundler?chainId=${id}&projectId=default&bundler=pimlico`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

describe('POST /v1/bundler', () => {
  test('§7.12.4 forwards the methods of ERC-4337 to a bundler', async () => {
    const sent = await call('eth_sendUserOperation', [operation, entryPoint08Address])
    expect(sent).toMatchObject({ status: 200, body: { id: 1, result: hash } })
    expect(JSON.parse(first.bodies.at(-1)!)).toMatchObject({
      method: 'eth_sendUserOperation',
      params: [operation, entryPoint08Address],
    })
    const receipt = await call('eth_getUserOperationReceipt', [hash])
    expect(receipt.body).toEqual({ jsonrpc: '2.0', id: 1, result: { success: true } })
    expect(JSON.parse(first.bodies.at(-1)!)).toMatchObject({
      method: 'eth_getUserOperationReceipt',
      params: [hash],
    })
  })

  test('serves viem’s bundler client', async () => {
    const transport = http(`http://gateway/v1/bundler?chainId=${id}&projectId=default`, {
      fetchFn: async (_url, init) =>
        gateway.send(`/v1/bundler?chainId=${id}&projectId=default`, init),
    })
    const client = createBundlerClient({ transport })
    expect(await client.getSupportedEntryPoints()).toEqual([entryPoint08Address])
    expect(await client.getChainId()).toBe(31_337)
  })

  test('sends an operation to the next bundler if one fails', async () => {
    first.behavior = { status: 503 }
    second.bodies.length = 0
    const sent = await call('eth_sendUserOperation', [operation, entryPoint08Address])
    first.behavior = 'ok'
    expect(sent.body).toMatchObject({ result: hash })
    expect(second.bodies).toHaveLength(1)
  })

  test.each([['eth_sendRawTransaction'], ['eth_getBalance'], ['debug_bundler_sendBundleNow']])(
    'attack: %s is not forwarded to a bundler',
    async (method) => {
      first.bodies.length = 0
      const { body } = await call(method, [hash])
      expect(body).toMatchObject({ error: { code: -32601 } })
      expect(first.bodies).toEqual([])
    },
  )

  test('attack: a visitor cannot have operations sponsored unless the operator enables it', async () => {
    const request = ['pm_getPaymasterData', [operation, entryPoint08Address, '0x7a69', {}]] as const
    const refused = await call(request[0], [...request[1]])
    expect(refused.body).toMatchObject({ error: { code: -32601 } })
    const sponsored = await call(request[0], [...request[1]], sponsoring)
    expect(sponsored.body).toMatchObject({ result: hash })
  })

  test('error: names the chains that have a bundler', async () => {
    const { status, body } = await gateway.json('/v1/bundler?chainId=eip155:1&projectId=default', {
      method: 'POST',
      body: '{}',
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      reasons: [
        {
          field: 'chainId',
          description: `chainId eip155:1 is not supported; supported chains: ${id}`,
        },
      ],
    })
  })
})
