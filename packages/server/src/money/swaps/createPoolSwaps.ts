import type { Reason } from '@gatefold/protocol/gateway'
import { encodeFunctionData, parseSignature, type Address, type Hex } from 'viem'
import { routerAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { Pools } from '../prices/createPools.ts'
import { isNative, RefusedError } from '../requests.ts'
import { encodePath, quoteRoutes, type Route } from './findRoutes.ts'
import { noRoute } from './reasons.ts'
import { minimumOf, type SwapOrder, type SwapPair, type SwapSource } from './SwapSource.ts'

/**
 * The recipient that stands for the router itself. @see SwapRouter02,
 * `Constants.ADDRESS_THIS`
 */
const routerItself = '0x0000000000000000000000000000000000000002'

/** Gas of a swap, excluding the gas of its pools. */
const routerGas = 60_000n

/**
 * Swaps in the pools of Uniswap v2 and v3, through SwapRouter02. Everything is read from the chain.
 *
 * @see docs/swaps/pools.md
 */
export function createPoolSwaps(pools: Pools): SwapSource {
  async function findRoutes(chain: EvmChain, pair: SwapPair) {
    const { from, to, amount } = pair
    const [first, last] = [pooled(chain, from), pooled(chain, to)]
    const routes = await quoteRoutes(pools, chain, first, last, amount)
    return routes.length > 0
      ? { routes }
      : { routes, reason: await explainNone(pools, chain, first, last) }
  }

  return {
    takesPermits: true,
    hasDeadline: true,
    spender,
    async quote(chain, pair) {
      const { routes, reason } = await findRoutes(chain, pair)
      const quotes = routes.map(({ amountOut, gas, priceImpact, route }) => ({
        amountOut,
        gas: gas + routerGas,
        priceImpact,
        route: route.tokens,
        fee: route.fees.reduce((sum, fee) => sum + fee, 0) / 10_000,
      }))
      return { quotes, ...(reason && { reason }) }
    },
    async build(chain, order) {
      const { routes, reason } = await findRoutes(chain, order)
      const [best] = routes
      if (!best) throw new RefusedError(reason!.field, reason!.description, reason!.code)
      const minimum = minimumOf(best.amountOut, order.slippage)
      return {
        to: spender(chain),
        data: encodeSwap(order, best.route, minimum),
        value: isNative(order.from) ? order.amount : 0n,
      }
    },
  }
}

function spender({ id, data }: EvmChain): Address {
  if (data.uniswap) return data.uniswap.router
  throw new RefusedError(
    'chainId',
    `swaps are not available on ${id}, because it has no router`,
    'no_swaps',
  )
}

async function explainNone(
  pools: Pools,
  chain: EvmChain,
  first: Address,
  last: Address,
): Promise<Reason> {
  const [direct, pair] = await Promise.all([
    pools.find(chain, first, last),
    pools.findPair(chain, first, last),
  ])
  return direct.length > 0 || pair !== undefined
    ? {
        field: 'amount',
        description: 'the pools have too little liquidity for this amount',
        code: 'low_liquidity',
      }
    : noRoute
}

/** The token that stands for an address in pools, which contain no native currency. */
function pooled({ data }: EvmChain, address: Address): Address {
  return isNative(address) ? (data.wrapped ?? address) : address
}

function encodeSwap(order: SwapOrder, route: Route, minimum: bigint): Hex {
  const { account, amount, deadline, from, permit } = order
  const isNativeOut = isNative(order.to)
  const receiver = isNativeOut ? routerItself : account
  const swapCall = route.pairs
    ? encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactTokensForTokens',
        args: [amount, minimum, route.tokens, receiver],
      })
    : encodeFunctionData({
        abi: routerAbi,
        functionName: 'exactInput',
        args: [
          {
            path: encodePath(route),
            recipient: receiver,
            amountIn: amount,
            amountOutMinimum: minimum,
          },
        ],
      })
  const unwrap = isNativeOut
    ? [
        encodeFunctionData({
          abi: routerAbi,
          functionName: 'unwrapWETH9',
          args: [minimum, account],
        }),
      ]
    : []
  const permitCall = permit ? [encodePermit({ ...permit, amount, token: from })] : []
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'multicall',
    args: [deadline, [...permitCall, swapCall, ...unwrap]],
  })
}

/** The router's call that uses a permit, unless someone else has already used it. */
function encodePermit(permit: {
  token: Address
  amount: bigint
  deadline: number
  signature: Hex
}): Hex {
  const { r, s, yParity } = parseSignature(permit.signature)
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'selfPermitIfNecessary',
    args: [permit.token, permit.amount, BigInt(permit.deadline), 27 + yParity, r, s],
  })
}
