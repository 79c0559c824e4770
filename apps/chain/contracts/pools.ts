import { type Address, parseAbi, parseUnits } from 'viem'
import { usdcAbi, wethAbi } from '../src/abis.ts'
import type { Addresses } from './deploy.ts'
import type { Workshop } from './workshop.ts'

const positionManagerAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])
const v2FactoryAbi = parseAbi([
  'function createPair(address a, address b) returns (address pair)',
  'function getPair(address a, address b) view returns (address)',
])
const pairAbi = parseAbi(['function mint(address to) returns (uint256 liquidity)'])
const factoryAbi = parseAbi([
  'function getPool(address a, address b, uint24 fee) view returns (address)',
])

/** Tick spacing by fee. Fees are in hundredths of a basis point. */
const tickSpacing = { 500: 10, 3000: 60 } as const

type Pool = {
  fee: keyof typeof tickSpacing
  /** A token of the pool; the other one is WETH. */
  token: Address
  decimals: number
  /** Price of one ether, in whole tokens. */
  price: number
  /** Ether to deposit, together with tokens of the same value. */
  ether: number
}

/** Creates the Uniswap pools, at about 2,750 USDC or USDT and 500 BOOK per ether. */
export async function openPools(workshop: Workshop, addresses: Addresses): Promise<Addresses> {
  const { usdc, usdt, book } = addresses
  if (!usdc || !usdt || !book) throw new Error('The tokens are not deployed.')
  const dollars = { token: usdc, decimals: 6, price: 2750 }
  return {
    uniswapV3Pool: await openPool(workshop, addresses, { ...dollars, fee: 500, ether: 400 }),
    uniswapV3Pool3000: await openPool(workshop, addresses, { ...dollars, fee: 3000, ether: 200 }),
    uniswapV3PoolBook: await openPool(workshop, addresses, {
      token: book,
      decimals: 18,
      fee: 3000,
      price: 500,
      ether: 100,
    }),
    // Small, so that a swap in it is rarely the best one.
    uniswapV2Pair: await openPair(workshop, addresses, { ...dollars, ether: 20 }),
    uniswapV3PoolUsdt: await openPool(workshop, addresses, {
      ...dollars,
      token: usdt,
      fee: 3000,
      ether: 100,
    }),
  }
}

/** Creates a pair of Uniswap v2 with liquidity. */
async function openPair(
  { client, owner, send }: Workshop,
  { weth, uniswapV2Factory: factory }: Addresses,
  { token, decimals, price, ether }: Omit<Pool, 'fee'>,
): Promise<Address> {
  if (!weth || !factory) throw new Error('Uniswap v2 is not deployed.')
  const etherAmount = parseUnits(String(ether), 18)
  const tokenAmount = parseUnits(String(ether * price), decimals)
  await send({
    to: factory,
    abi: v2FactoryAbi,
    functionName: 'createPair',
    args: [weth, token],
  })
  const pair = await client.readContract({
    address: factory,
    abi: v2FactoryAbi,
    functionName: 'getPair',
    args: [weth, token],
  })
  await send({ to: weth, abi: wethAbi, functionName: 'deposit', value: etherAmount })
  await send({ to: weth, abi: usdcAbi, functionName: 'transfer', args: [pair, etherAmount] })
  await send({ to: token, abi: usdcAbi, functionName: 'mint', args: [pair, tokenAmount] })
  await send({ to: pair, abi: pairAbi, functionName: 'mint', args: [owner.address] })
  return pair
}

async function openPool(
  { client, owner, send }: Workshop,
  addresses: Addresses,
  { fee, token, decimals, price, ether }: Pool,
): Promise<Address> {
  const { weth, uniswapV3PositionManager: manager, uniswapV3Factory: factory } = addresses
  if (!weth || !manager || !factory) throw new Error('Uniswap is not deployed.')
  const etherAmount = parseUnits(String(ether), 18)
  const tokenAmount = parseUnits(String(ether * price), decimals)

  await send({ to: weth, abi: wethAbi, functionName: 'deposit', value: etherAmount })
  await send({ to: token, abi: usdcAbi, functionName: 'mint', args: [owner.address, tokenAmount] })
  for (const [to, amount] of [
    [weth, etherAmount],
    [token, tokenAmount],
  ] as const) {
    await send({ to, abi: usdcAbi, functionName: 'approve', args: [manager, amount] })
  }

  // A pool's price is token1 per token0; token0 has the lower address.
  const wethFirst = weth.toLowerCase() < token.toLowerCase()
  const [token0, token1] = wethFirst ? [weth, token] : [token, weth]
  const [amount0, amount1] = wethFirst ? [etherAmount, tokenAmount] : [tokenAmount, etherAmount]
  await send({
    to: manager,
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, squareRoot((amount1 << 192n) / amount0)],
  })

  // The range extends from about half to about twice the price.
  const middle = Math.log(Number(amount1) / Number(amount0)) / Math.log(1.0001)
  const spacing = tickSpacing[fee]
  const tick = (offset: number) => Math.round((middle + offset) / spacing) * spacing
  await send({
    to: manager,
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        token0,
        token1,
        fee,
        tickLower: tick(-6930),
        tickUpper: tick(6930),
        amount0Desired: amount0,
        amount1Desired: amount1,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: owner.address,
        deadline: 2n ** 64n,
      },
    ],
  })
  return client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'getPool',
    args: [token0, token1, fee],
  })
}

/** Integer square root, by Newton's method. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  while (true) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
