import { accounts, addresses, chainData, startChain, usdcAbi, type Chain } from '@gatefold/chain'
import type { BalanceResponse } from '@gatefold/protocol/gateway'
import {
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  formatUnits,
  getAddress,
  http,
  padHex,
  parseUnits,
  publicActions,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listTokenCandidates } from '../storage/history.ts'
import { createTestServer, type TestServer } from '../testing/createTestGateway.ts'
import { startCountingProxy } from '../testing/startCountingProxy.ts'

const [mira, tomas, , , poor] = accounts
const id = 'eip155:31337'
const unlisted = getAddress('0x000000000000000000000000000000000000b00c')
const hostile = getAddress('0x000000000000000000000000000000000000bad0')

let chain: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
let server: TestServer
let now = Date.now()
beforeAll(async () => {
  chain = await startChain()
  proxy = await startCountingProxy(chain.url)
  server = await createTestServer(
    ['money'],
    { rpcUrls: { [id]: [proxy.url] }, chains: withManyTokens() },
    { now: () => now },
  )
})
afterAll(async () => {
  await server?.stop()
  await proxy?.stop()
  await chain?.stop()
})

/** The data of the local chain with 50 tokens, of which three exist. */
function withManyTokens() {
  const data = chainData[id]
  const others = Array.from({ length: 50 - data.tokens.length }, (_, index) => ({
    address: `0xdead${String(index).padStart(36, '0')}` as const,
    name: `Token ${index}`,
    symbol: `T${index}`,
    decimals: 18,
  }))
  return { [id]: { ...data, tokens: [...data.tokens, ...others] } }
}

/** The calls that balances and prices need; the indexer makes others. */
function contractCalls() {
  return proxy.calls.filter(({ method }) => method === 'eth_call')
}

async function read(address: string, query = '') {
  const answer = await server.json(
    `/v1/account/${address}/balance?currency=usd&chainId=${id}&projectId=default${query}`,
  )
  return { ...answer, body: answer.body as BalanceResponse }
}

describe('§3.7.1 §7.8.4 balances', () => {
  test('are those of the chain, with prices of its pools', async () => {
    const { status, body } = await read(mira.address)
    expect(status).toBe(200)
    const client = createPublicClient({ transport: http(chain.url) })
    const [ether, dollars] = await Promise.all([
      client.getBalance({ address: mira.address }),
      client.readContract({
        address: addresses.usdc,
        abi: usdcAbi,
        functionName: 'balanceOf',
        args: [mira.address],
      }),
    ])
    expect(body.balances.map(({ symbol }) => symbol)).toEqual(['ETH', 'WETH', 'USDC', 'BOOK'])
    const [native, , usdc, book] = body.balances
    expect(native).toEqual({
      name: 'Ether',
      symbol: 'ETH',
      chainId: id,
      price: expect.closeTo(2750, -2) as number,
      value: expect.closeTo(Number(formatUnits(ether, 18)) * native!.price, 2) as number,
      quantity: { decimals: '18', numeric: formatUnits(ether, 18) },
      iconUrl: 'http://localhost/public/getTokenImage/ETH',
    })
    expect(usdc).toMatchObject({
      address: `${id}:${addresses.usdc}`,
      price: 1,
      quantity: { decimals: '6', numeric: formatUnits(dollars, 6) },
    })
    expect(book!.price).toBeCloseTo(5.5, 1)
    expect(body.missing).toBeUndefined()
  })

  test('of 50 tokens take two calls, and none while they are cached', async () => {
    now += 10 * 60_000
    proxy.calls.length = 0
    await read(tomas.address)
    expect(contractCalls()).toHaveLength(2)
    now += 29_000
    await read(tomas.address)
    expect(contractCalls()).toHaveLength(2)
  })

  test('concurrent requests for an account share the calls', async () => {
    now += 10 * 60_000
    proxy.calls.length = 0
    const [first, second] = await Promise.all([read(tomas.address), read(tomas.address)])
    expect(first.body).toEqual(second.body)
    expect(contractCalls()).toHaveLength(2)
  })

  test('§9.1.2 are read again after 30 s, and immediately with forceUpdate', async () => {
    const dollars = async (query?: string) => {
      const { body } = await read(poor.address, query)
      return body.balances.find(({ symbol }) => symbol === 'USDC')?.quantity.numeric
    }
    const before = await dollars()
    await send(poor.address, '10')
    expect(await dollars()).toBe(before)
    const after = String(Number(before) + 10)
    expect(await dollars(`&forceUpdate=${id}:${addresses.usdc}`)).toBe(after)
    await send(poor.address, '5')
    expect(await dollars()).toBe(after)
    now += 30_001
    expect(await dollars()).toBe(String(Number(after) + 5))
  })

  test('have the tokens of the history that are not listed, flagged if they have no price', async () => {
    await read(poor.address)
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(
      publicActions,
    )
    const bytecode = (await node.getCode({ address: addresses.book }))!
    await node.setCode({ address: unlisted, bytecode })
    await createWalletClient({
      account: privateKeyToAccount(mira.privateKey),
      transport: http(chain.url),
    }).writeContract({
      chain: null,
      address: unlisted,
      abi: usdcAbi,
      functionName: 'mint',
      args: [poor.address, parseUnits('3', 18)],
    })
    const find = async () => {
      now += 30_001
      const { body } = await read(poor.address)
      return body.balances.find(({ address }) => address === `${id}:${unlisted}`)
    }
    await expect.poll(find).toMatchObject({
      price: 0,
      quantity: { decimals: '18', numeric: '3' },
      flags: { is_spam: true },
    })
    now += 10 * 60_000
    proxy.calls.length = 0
    const { body } = await read(poor.address)
    expect(body.balances[0]).not.toHaveProperty('flags')
    expect(contractCalls()).toHaveLength(2)
  })

  test('attack: are those of the listed tokens if an unlisted one uses up the gas of the call', async () => {
    const account = accounts[5]
    await read(account.address)
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    // Emits Transfer(0x0, the address in the calldata, 1).
    const code = concat([
      '0x60016000526000356000',
      '0x7f',
      toEventSelector('Transfer(address,address,uint256)'),
      '0x60206000a300',
    ])
    await node.setCode({ address: hostile, bytecode: code })
    await createWalletClient({
      account: privateKeyToAccount(mira.privateKey),
      transport: http(chain.url),
    }).sendTransaction({ to: hostile, data: padHex(account.address, { size: 32 }), chain: null })
    const { db } = server.context.storage
    await expect
      .poll(async () => listTokenCandidates(db, id, account.address))
      .toContain(hostile.toLowerCase())
    // Returns 2 MB.
    await node.setCode({ address: hostile, bytecode: '0x622000006000f3' })
    now += 30_001
    const { status, body } = await read(account.address)
    expect(status).toBe(200)
    expect(body.balances.map(({ symbol }) => symbol)).toContain('ETH')
    expect(body.missing).toBeUndefined()
  })

  test('without a chain are those of all chains', async () => {
    const answer = await server.json(`/v1/account/${mira.address}/balance`)
    expect((answer.body as BalanceResponse).balances.length).toBeGreaterThan(0)
  })
})

describe('error:', () => {
  test.each([
    [
      `/v1/account/mira/balance?chainId=${id}`,
      'address',
      'address must be an EVM address of 20 bytes',
    ],
    [
      `/v1/account/${mira.address}/balance?chainId=eip155:5`,
      'chainId',
      `chainId: the chain eip155:5 is not supported; supported chains: ${id}`,
    ],
    [
      `/v1/account/${mira.address}/balance?chainId=mainnet`,
      'chainId',
      'chainId must be a CAIP-2 network id such as eip155:1',
    ],
    [
      `/v1/account/${mira.address}/balance?currency=eur`,
      'currency',
      'currency: EUR is not supported; supported currencies: USD',
    ],
  ])('%s is refused with 400', async (path, field, description) => {
    const { status, body } = await server.json(path)
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'FAILED', reasons: [{ field, description }] })
  })

  test('prices that cannot be read are named as missing, and the balances still returned', async () => {
    now += 60 * 60_000
    const observe = toFunctionSelector('observe(uint32[])').slice(2)
    proxy.refuses = (body) => body.includes(observe)
    const { status, body } = await read(mira.address)
    proxy.refuses = () => false
    expect(status).toBe(200)
    expect(body.missing).toEqual(['prices'])
    expect(body.balances.map(({ symbol, price }) => [symbol, price])).toEqual([
      ['ETH', 0],
      ['WETH', 0],
      ['USDC', 1],
      ['BOOK', 0],
    ])
  })

  test('attack: a request costs several tokens of the rate limits', async () => {
    const config = { rpcUrls: { [id]: [chain.url] }, chains: chainData, ipBurst: 12, ipRate: 1 }
    const small = await createTestServer(['money'], config, { now: () => now })
    const statuses: number[] = []
    // These requests cause no reads, which cost more.
    for (const path of ['fungible/currencies', `convert/tokens?chainId=${id}`, 'identity/x'])
      statuses.push((await small.json(`/v1/${path}`)).status)
    expect(statuses).toEqual([200, 200, 429])
    const body = JSON.stringify({ addresses: [`${id}:${addresses.usdc}`] })
    const post = { method: 'POST', body, address: '192.0.2.9' }
    const posted: number[] = []
    for (let sent = 0; sent < 3; sent++)
      posted.push((await small.send('/v1/fungible/price', post)).status)
    expect(posted).toEqual([200, 200, 429])
    await small.stop()
  })

  test('a chain without a working upstream is 503', async () => {
    now += 60 * 60_000
    proxy.refuses = () => true
    const { status, body } = await read(accounts[3].address)
    proxy.refuses = () => false
    expect(status).toBe(503)
    expect(body).toEqual({
      status: 'FAILED',
      reasons: [{ field: 'chainId', description: `No upstream for ${id} responded.` }],
    })
  })
})

/** Sends USDC, and waits until it is mined. */
async function send(to: `0x${string}`, amount: string) {
  const wallet = createWalletClient({
    account: privateKeyToAccount(mira.privateKey),
    transport: http(chain.url),
  }).extend(publicActions)
  const hash = await wallet.writeContract({
    chain: null,
    address: addresses.usdc,
    abi: usdcAbi,
    functionName: 'transfer',
    args: [to, parseUnits(amount, 6)],
  })
  await expect
    .poll(() => wallet.getTransactionReceipt({ hash }).catch(() => undefined))
    .toBeDefined()
}
