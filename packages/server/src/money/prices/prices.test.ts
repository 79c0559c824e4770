import {
  accounts,
  addresses,
  chainData,
  startChain,
  usdcAbi,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import { nativeTokenAddress, type PriceResponse } from '@gatefold/protocol/gateway'
import {
  createTestClient,
  http,
  parseAbi,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
  type Address,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'

const id = 'eip155:31337'
const ether = `${id}:${nativeTokenAddress}`
const book = `${id}:${addresses.book}`
const managerAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])
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
let now = Date.now()
const servers: TestServer[] = []
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  snapshot = await chain.snapshot()
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  await chain.revert(snapshot)
})

async function start(chains: Config['chains'] = chainData) {
  const server = await createTestServer(
    ['money'],
    { rpcUrls: { [id]: [chain.url] }, chains },
    { now: () => now },
  )
  servers.push(server)
  return server
}

async function priceOf(server: TestServer, address: string) {
  const { status, body } = await server.json('/v1/fungible/price', {
    method: 'POST',
    body: JSON.stringify({ projectId: 'default', currency: 'usd', addresses: [address] }),
  })
  expect(status).toBe(200)
  return (body as PriceResponse).fungibles[0]!.price
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

/** Lets time pass on the chain and for the server. */
async function wait(seconds: number) {
  const trader = createTrader()
  await trader.increaseTime({ seconds })
  await trader.mine({ blocks: 1 })
  now += seconds * 1000
}

describe('§7.8.7 a price', () => {
  test('is the average of the deepest pool', async () => {
    const server = await start()
    expect(await priceOf(server, ether)).toBeCloseTo(2750, -2)
    expect(await priceOf(server, book)).toBeCloseTo(5.5, 0)
  })

  test('follows the pools once a trade has lasted', async () => {
    const server = await start()
    const before = await priceOf(server, ether)
    await sellEther('50')
    await wait(120)
    expect(await priceOf(server, ether)).toBeLessThan(before * 0.95)
  })

  test('attack: a trade just before the price is read does not move it', async () => {
    const server = await start()
    const before = await priceOf(server, ether)
    await sellEther('300')
    now += 61_000
    expect(await priceOf(server, ether)).toBe(before)
  })

  test('attack: without an earlier price, pools that have just traded have none', async () => {
    await sellEther('300')
    expect(await priceOf(await start(), ether)).toBe(0)
  })

  test('attack: a thin pool has no price, and a deep one has', async () => {
    // Without wrapped ether, the only pool with BOOK that counts is the new one with USDC.
    const { wrapped: _, ...data } = chainData[id]
    const chains = { [id]: data }
    await openPool({ books: '1', dollars: '1000' })
    await wait(120)
    expect(await priceOf(await start(chains), book)).toBe(0)
    await openPool({ books: '500', dollars: '500000' })
    await wait(3_600)
    expect(await priceOf(await start(chains), book)).toBeCloseTo(1000, -1)
  })
})

/** Adds liquidity to a pool of BOOK and USDC, at 1,000 USDC per BOOK. */
async function openPool({ books, dollars }: { books: string; dollars: string }) {
  const trader = createTrader()
  const amounts: Record<Address, bigint> = {
    [addresses.book]: parseEther(books),
    [addresses.usdc]: parseUnits(dollars, 6),
  }
  const manager = addresses.uniswapV3PositionManager
  const isBookFirst = addresses.book.toLowerCase() < addresses.usdc.toLowerCase()
  const [token0, token1] = isBookFirst
    ? [addresses.book, addresses.usdc]
    : [addresses.usdc, addresses.book]
  const [amount0, amount1] = [amounts[token0]!, amounts[token1]!]
  const price = Number(amount1) / Number(amount0)
  const middle = Math.round(Math.log(price) / Math.log(1.0001) / 60) * 60
  for (const [token, amount] of [
    [token0, amount0],
    [token1, amount1],
  ] as const) {
    await mined(
      trader.writeContract({
        chain: null,
        address: token,
        abi: usdcAbi,
        functionName: 'mint',
        args: [trader.account.address, amount],
      }),
    )
    await mined(
      trader.writeContract({
        chain: null,
        address: token,
        abi: usdcAbi,
        functionName: 'approve',
        args: [manager, amount],
      }),
    )
  }
  await mined(
    trader.writeContract({
      chain: null,
      address: manager,
      abi: managerAbi,
      gas: poolGas,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, 3_000, BigInt(Math.floor(Math.sqrt(price) * 2 ** 96))],
    }),
  )
  await mined(
    trader.writeContract({
      chain: null,
      address: manager,
      abi: managerAbi,
      gas: poolGas,
      functionName: 'mint',
      args: [
        {
          token0,
          token1,
          fee: 3_000,
          tickLower: middle - 6_000,
          tickUpper: middle + 6_000,
          amount0Desired: amount0,
          amount1Desired: amount1,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: trader.account.address,
          deadline: 2n ** 64n,
        },
      ],
    }),
  )

  async function mined(sent: Promise<`0x${string}`>) {
    const { status } = await receiptOf(trader, await sent)
    expect(status).toBe('success')
  }
}
