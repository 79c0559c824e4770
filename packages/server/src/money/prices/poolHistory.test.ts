import { accounts, addresses, type Chain, chainData, receiptOf, startChain } from '@gatefold/chain'
import {
  nativeTokenAddress,
  type HistoryResponse,
  type PriceHistoryResponse,
} from '@gatefold/protocol/gateway'
import { createTestClient, http, parseAbi, parseEther, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Config } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'

const id = 'eip155:31337'
const ether = `${id}:${nativeTokenAddress}`
const usdc = `${id}:${addresses.usdc}`
const book = `${id}:${addresses.book}`
const minute = 60_000
const hour = 60 * minute
const routerAbi = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
])

/**
 * A fixed gas limit. A pool writes an observation in the first transaction of each second; an estimate for the previous
 * second would not include the gas for it.
 */
const poolGas = 8_000_000n

let chain: Chain
let snapshot: `0x${string}`
let now = 0
const servers: TestServer[] = []
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  snapshot = await chain.snapshot()
  const { timestamp } = await createTrader().getBlock()
  now = Number(timestamp) * 1000
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  await chain.revert(snapshot)
})

async function start(config: Partial<Config> = {}) {
  const server = await createTestServer(
    ['money'],
    { rpcUrls: { [id]: [chain.url] }, chains: chainData, ...config },
    { now: () => now },
  )
  servers.push(server)
  return server
}

function createTrader() {
  const [trader] = accounts
  return createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(trader.privateKey),
    transport: http(chain.url),
    pollingInterval: 20,
  })
    .extend(walletActions)
    .extend(publicActions)
}

/** Lets time pass on the chain and for the server. */
async function wait(ms: number) {
  const trader = createTrader()
  await trader.increaseTime({ seconds: ms / 1000 })
  await trader.mine({ blocks: 1 })
  const { timestamp } = await trader.getBlock()
  now = Number(timestamp) * 1000
}

/** Sells ether in both pools with USDC. */
async function sellEther(amount: string) {
  const trader = createTrader()
  for (const fee of [500, 3_000]) {
    const hash = await trader.writeContract({
      chain: null,
      address: addresses.uniswapV3SwapRouter02,
      abi: routerAbi,
      gas: poolGas,
      functionName: 'exactInputSingle',
      args: [
        {
          tokenIn: addresses.weth,
          tokenOut: addresses.usdc,
          fee,
          recipient: trader.account.address,
          amountIn: parseEther(amount),
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: 0n,
        },
      ],
      value: parseEther(amount),
    })
    await receiptOf(trader, hash)
  }
}

async function history(server: TestServer, token: string, query = '') {
  const answer = await server.json(`/v1/fungible/history?address=${token}${query}`)
  expect(answer.status).toBe(200)
  return (answer.body as PriceHistoryResponse).points
}

async function priceOf(server: TestServer, token: string) {
  const answer = await server.json('/v1/fungible/price', {
    method: 'POST',
    body: JSON.stringify({ addresses: [token] }),
  })
  return (answer.body as { fungibles: { price: number }[] }).fungibles[0]!.price
}

describe('the history of a price from pools', () => {
  test('has the observations that the pools store, and ends with the current price', async () => {
    const server = await start()
    await wait(3 * hour)
    const before = await priceOf(server, ether)
    const points = await history(server, ether)
    expect(points.length).toBeGreaterThan(4)
    expect(points.length).toBeLessThanOrEqual(60)
    const times = points.map(([at]) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(points.at(-1)).toEqual([now, before])
    for (const [, price] of points) expect(price / before).toBeCloseTo(1, 2)
    const other = await history(server, book)
    expect(other.length).toBeGreaterThan(4)
    for (const [, price] of other) expect(price).toBeCloseTo(5.5, 0)
  })

  test('has sampled prices for times that the pools no longer store, also after a restart', async () => {
    const server = await start()
    await wait(hour)
    const before = await priceOf(server, ether)
    const sampledAt = now
    await wait(30 * minute)
    await sellEther('50')
    await wait(hour)
    const after = await priceOf(server, ether)
    expect(after).toBeLessThan(before * 0.95)
    const points = await history(server, ether)
    expect(points).toContainEqual([sampledAt, before])
    expect(points.at(-1)).toEqual([now, after])
    const week = await history(server, ether, '&period=week')
    expect(week).toContainEqual([sampledAt, before])
  })

  test('values the transfers of an account at the price of their time, and older ones not at all', async () => {
    const server = await start({ exchangeRates: { fixed: { EUR: 0.5 } } })
    const [, receiver] = accounts
    /** The transfer to the receiver in its history. */
    const read = async (query = '') =>
      server.json(`/v1/account/${receiver.address}/history?chainId=${id}${query}`)
    const transfer = async (query?: string) =>
      ((await read(query)).body as HistoryResponse).data[0]?.transfers[0]
    await transfer()
    await wait(hour)
    const before = await priceOf(server, ether)
    const client = createTrader()
    const hash = await client.sendTransaction({
      chain: null,
      to: receiver.address,
      value: parseEther('2'),
    })
    await receiptOf(client, hash)
    await expect.poll(() => transfer()).toMatchObject({ price: before })
    await wait(30 * minute)
    await sellEther('50')
    await wait(hour)
    expect(await priceOf(server, ether)).toBeLessThan(before * 0.95)
    expect(await transfer()).toMatchObject({ price: before, value: before * 2 })
    expect(await transfer('&currency=eur')).toMatchObject({ price: before / 2, value: before })
    expect((await read()).body).toMatchObject({ currency: 'USD' })
    expect((await read('&currency=eur')).body).toMatchObject({ currency: 'EUR' })
    expect(await read('&currency=xxx')).toMatchObject({
      status: 400,
      body: { reasons: [{ field: 'currency' }] },
    })
    now += 40 * 24 * hour
    const late = await transfer()
    expect(late).toMatchObject({ quantity: { numeric: '2' } })
    expect(late).not.toHaveProperty('price')
    expect(late).not.toHaveProperty('value')
  })

  test('has samples of all listed tokens without requests for their prices', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const server = await start()
      await server.json('/v1/fungible/currencies')
      await vi.advanceTimersByTimeAsync(15 * minute)
      const { db } = server.context.storage
      const sampled = async () => {
        const rows = await db.selectFrom('price_samples').select('token').distinct().execute()
        return rows.map(({ token }) => token).toSorted()
      }
      const expected = [addresses.weth, addresses.book, addresses.usdt]
        .map((it) => it.toLowerCase())
        .toSorted()
      await expect.poll(sampled).toEqual(expected)
    } finally {
      vi.useRealTimers()
    }
  })

  test('is converted with a fixed exchange rate', async () => {
    const server = await start({ exchangeRates: { fixed: { EUR: 0.5 } } })
    await wait(3 * hour)
    const [dollars, euros] = [
      await history(server, ether),
      await history(server, ether, '&currency=eur'),
    ]
    expect(euros).toEqual(dollars.map(([at, price]) => [at, price * 0.5]))
  })

  test('of a dollar token, and of one without a price, is empty', async () => {
    const server = await start()
    await wait(3 * hour)
    expect(await history(server, usdc)).toEqual([])
    expect(await history(server, `${id}:${addresses.multicall3}`)).toEqual([])
  })

  test('attack: tokens outside the list are not sampled', async () => {
    const data = chainData[id]
    const tokens = data.tokens.filter(({ symbol }) => symbol !== 'BOOK')
    const server = await start({ chains: { [id]: { ...data, tokens } } })
    await wait(3 * hour)
    expect(await priceOf(server, book)).toBeCloseTo(5.5, 0)
    const { db } = server.context.storage
    const sampled = async () => {
      const rows = await db.selectFrom('price_samples').select('token').distinct().execute()
      return rows.map(({ token }) => token)
    }
    await expect.poll(sampled).toEqual([addresses.weth.toLowerCase()])
  })
})
