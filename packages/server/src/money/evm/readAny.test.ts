import { addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import {
  concat,
  createTestClient,
  encodeAbiParameters,
  erc20Abi,
  http,
  numberToHex,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startCountingProxy } from '../../testing/startCountingProxy.ts'
import { createEvmChain, type EvmChain } from './createEvmChain.ts'
import { readAny } from './readAny.ts'

const id = 'eip155:31337'
const aggregate3 = '0x82ad56cb'
const contract = '0x00000000000000000000000000000000000c0de1'
const greedy = '0x00000000000000000000000000000000000c0de2'
/** The selector of `decimals()`. */
const decimals = '313ce567'
const text = encodeAbiParameters([{ type: 'string' }], ['Plates'])

let node: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
let server: TestServer
let chain: EvmChain
beforeAll(async () => {
  node = await startChain()
  proxy = await startCountingProxy(node.url)
  server = await createTestServer(['money'], {
    rpcUrls: { [id]: [proxy.url] },
    chains: chainData,
    ipBurst: 10_000,
  })
  chain = createEvmChain(server.context.chains.byId.get(id)!, chainData[id])
})
afterAll(async () => {
  await server?.stop()
  await proxy?.stop()
  await node?.stop()
})
afterEach(() => {
  proxy.calls = []
  proxy.changes = (reply) => reply
  proxy.waits = async () => {}
})

async function setCode(address: Address, bytecode: Hex) {
  await createTestClient({ mode: 'anvil', transport: http(node.url) }).setCode({
    address,
    bytecode,
  })
}

const nameOf = async (address: Address) =>
  readAny(chain, { address, abi: erc20Abi, functionName: 'name' })

/** The calls that read one contract. */
const separate = () => proxy.calls.filter((call) => !JSON.stringify(call).includes(aggregate3))

const unknownAddresses = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => numberToHex(first + index, { size: 20 }))

test('attack: addresses without code, and contracts that revert, are not read separately', async () => {
  const read = [...unknownAddresses(0xbad000, 100), addresses.multicall3, addresses.usdc]
  const names = await Promise.all(read.map(nameOf))
  expect(names.filter((name) => name !== undefined)).toEqual(['USD Coin'])
  expect(separate()).toEqual([])
  expect(proxy.calls).toHaveLength(2)
})

test('attack: a contract that leaves little gas to the others does not make them look reverted', async () => {
  // JUMPDEST, PUSH1 0, JUMP
  await setCode(greedy, '0x5b600056')
  // Reverts with less than 600,000 gas, otherwise returns the text.
  const bytecode = concat([
    '0x620927c05a10601557', // PUSH3 600,000, GAS, LT, PUSH1 21, JUMPI
    '0x6060601b60003960606000f3', // PUSH1 96, PUSH1 27, PUSH1 0, CODECOPY, PUSH1 96, PUSH1 0, RETURN
    '0x5b60006000fd', // JUMPDEST, PUSH1 0, PUSH1 0, REVERT
    text,
  ])
  await setCode(contract, bytecode)
  const [hostile, name] = await Promise.all([nameOf(greedy).catch(() => ''), nameOf(contract)])
  expect(hostile).not.toBe('Plates')
  expect(name).toBe('Plates')
})

test('attack: a client whose separate reads wait does not delay those of others, and gets a 503', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const isCombined = (body: string) => body.includes(aggregate3)
  proxy.changes = (reply, call) =>
    isCombined(JSON.stringify(call)) && JSON.stringify(call).includes(decimals)
      ? { ...(reply as object), result: undefined, error: { code: -32_000, message: 'out of gas' } }
      : reply
  proxy.waits = async (body) =>
    body.includes('eth_call') && !isCombined(body) && !body.includes(contract.slice(2))
      ? released
      : undefined
  // PUSH1 96, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 96, PUSH1 0, RETURN
  await setCode(contract, concat(['0x6060600c60003960606000f3', text]))
  const price = async (address: string, tokens: string[]) =>
    server.json('/v1/fungible/price', {
      method: 'POST',
      address,
      body: JSON.stringify({ currency: 'usd', addresses: tokens.map((it) => `${id}:${it}`) }),
    })
  const first = price('192.0.2.1', unknownAddresses(0xbad100, 100))
  await expect.poll(() => separate().length).toBeGreaterThan(0)
  const second = await price('192.0.2.1', unknownAddresses(0xbad200, 100))
  expect(second.status).toBe(503)
  expect(second.body).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'server', description: 'The server is busy; try again in a few seconds.' }],
  })
  const third = await price('192.0.2.2', [contract])
  expect(third).toMatchObject({ status: 200, body: { fungibles: [{ name: 'Plates' }] } })
  release()
  await first
})
