import { maxMoneyBodyBytes, SwapBody, type TransactionResponse } from '@gatefold/protocol/gateway'
import { encodeFunctionData, parseSignature, type Address, type Hex } from 'viem'
import { estimateGas, getGasPrice } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import { routerAbi } from '../evm/abis.ts'
import { revertReason } from '../evm/errors.ts'
import { handleBody, isNative, json, RefusedError, toCaip } from '../requests.ts'
import { requireRouter } from './allowance.ts'
import { encodePath, type RouteQuote } from './findRoutes.ts'
import { findQuotes } from './quotes.ts'

/** The recipient that means the router itself. @see SwapRouter02, `Constants.ADDRESS_THIS` */
const routerItself = '0x0000000000000000000000000000000000000002'

/** Share of the estimated gas that is added, because the pools may change before the transaction is mined. */
const gasMarginPercent = 20n

/**
 * `POST /v1/convert/build-transaction`: the transaction that swaps an amount on the best route. It is simulated for the
 * user first. A transaction that would fail is not offered; the error names the cause.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.10, §9.3.1
 */
export function postBuildTransaction(context: MoneyContext) {
  return handleBody(context, SwapBody, maxMoneyBodyBytes, async (body) => {
    const { amount, from, to, userAddress, eip155 } = body
    const { chain, quotes, reasons } = await findQuotes(context, { amount, from, to })
    const [best] = quotes
    if (!best) {
      const { field, description, code } = reasons![0]!
      throw new RefusedError(field, description, code)
    }
    const swap = {
      amount,
      minimum: minimumOf(best.amountOut, eip155.slippage),
      route: best.route,
      recipient: userAddress.address,
      isNativeOut: isNative(to.address),
      deadline: BigInt(Math.floor(context.now() / 1000) + eip155.deadline * 60),
    }
    if (eip155.permit && isNative(from.address))
      throw new RefusedError('eip155.permit', 'the native currency needs no permit')
    const permit = eip155.permit && encodePermit({ ...eip155.permit, amount, token: from.address })
    const router = requireRouter(chain)
    const data = encodeSwap({ ...swap, permit })
    const value = isNative(from.address) ? amount : 0n
    const [gas, gasPrice] = await Promise.all([
      estimateGas(chain.client, { account: swap.recipient, to: router, data, value }).catch(
        (error: unknown) => {
          throw toRefusal(error) ?? error
        },
      ),
      getGasPrice(chain.client),
    ])
    const response: TransactionResponse = {
      tx: {
        from: toCaip(chain, swap.recipient),
        to: toCaip(chain, router),
        data,
        value: String(value),
        eip155: {
          gas: String((gas * (100n + gasMarginPercent)) / 100n),
          gasPrice: String(gasPrice),
        },
      },
    }
    return json(response)
  })
}

/** The least amount that a swap may return. @param slippage - in percent, with two decimals. */
function minimumOf(amount: bigint, slippage: number): bigint {
  return (amount * (10_000n - BigInt(Math.round(slippage * 100)))) / 10_000n
}

function encodeSwap(swap: {
  amount: bigint
  minimum: bigint
  route: RouteQuote['route']
  recipient: Address
  isNativeOut: boolean
  deadline: bigint
  permit: Hex | undefined
}): Hex {
  const { amount, minimum, recipient, route, isNativeOut, permit } = swap
  const receiver = isNativeOut ? routerItself : recipient
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
          args: [minimum, recipient],
        }),
      ]
    : []
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'multicall',
    args: [swap.deadline, [...(permit ? [permit] : []), swapCall, ...unwrap]],
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

/** Explains why a swap would fail. `STF` is the router's error if it cannot take the tokens. */
function toRefusal(error: unknown): RefusedError | undefined {
  const reason = revertReason(error)
  if (reason === undefined) return undefined
  if (/insufficient funds|exceeds (?:balance|allowance of account)|OutOfFund/i.test(reason))
    return new RefusedError(
      'amount',
      'the account has too little of the native currency for the amount and its gas',
      'low_native_balance',
    )
  if (/STF|TRANSFER_FROM_FAILED/.test(reason))
    return new RefusedError(
      'userAddress',
      'the router may not spend this amount: the allowance or the balance is too small',
      'low_allowance',
    )
  if (/Too little received|Insufficient/.test(reason))
    return new RefusedError(
      'amount',
      'the price has moved by more than the slippage',
      'price_moved',
    )
  return new RefusedError('amount', `the swap would fail: ${reason.slice(0, 200)}`, 'would_revert')
}
