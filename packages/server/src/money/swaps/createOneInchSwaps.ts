import { CaipNetworkId, limits } from '@gatefold/protocol'
import { readOneInchSwap } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import { keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { RefusedError } from '../requests.ts'
import {
  Amount,
  CallData,
  createSwapVendor,
  Gas,
  SomeAmount,
  VendorAddress,
} from './createSwapVendor.ts'
import { reasonOf } from './reasons.ts'
import type { VendorSettings } from './settings.ts'
import {
  minimumOf,
  SwapSourceError,
  type SwapOrder,
  type SwapPair,
  type SwapSource,
} from './SwapSource.ts'

const Quote = v.object({ dstAmount: SomeAmount, gas: v.nullish(Gas) })

const Swap = v.object({
  dstAmount: SomeAmount,
  tx: v.object({ to: VendorAddress, data: CallData, value: Amount }),
})

/**
 * Swaps that a service with 1inch's Swap API v6 builds for AggregationRouterV6.
 * The service receives tokens, amounts and, for a transaction, the account.
 *
 * @see https://portal.1inch.dev/documentation/apis/swap, docs/swaps/1inch.md
 */
export function createOneInchSwaps({ key, url }: VendorSettings, now: () => number): SwapSource {
  const request = createSwapVendor({
    name: '1inch',
    headers: { authorization: `Bearer ${key}` },
    now,
  })
  const pathOf = ({ id }: EvmChain, name: string) =>
    `${url}/swap/v6.0/${CaipNetworkId.parse(id).reference}/${name}`

  return {
    takesPermits: false,
    hasDeadline: false,
    spender,
    async quote(chain, pair) {
      const query = { ...toQuery(pair), includeGas: 'true' }
      const response = await request(pathOf(chain, 'quote'), query, Quote)
      if ('refusal' in response) return { quotes: [], reason: toReason(response.refusal) }
      const { dstAmount, gas } = response.answer
      const quote = {
        amountOut: dstAmount,
        gas: gas ?? BigInt(limits.swapGasUnits),
        route: [pair.from, pair.to],
        fee: 0,
      }
      return { quotes: [quote] }
    },
    async build(chain, order) {
      const query = {
        ...toQuery(order),
        from: order.account,
        origin: order.account,
        // In percent. One basis point less than the order's, because the service rounds the minimum.
        slippage: String((order.slippage - 1) / 100),
        // The account may need an allowance first; the transaction is simulated by this server.
        disableEstimate: 'true',
        allowPartialFill: 'false',
        // Makes the service use `swap`, whose arguments contain both tokens,
        // instead of a function for single pools.
        compatibility: 'true',
      }
      const response = await request(pathOf(chain, 'swap'), query, Swap)
      if ('refusal' in response) {
        const { field, description, code } = toReason(response.refusal)
        throw new RefusedError(field, description, code)
      }
      const { dstAmount, tx } = response.answer
      const minimum = minimumOf(dstAmount, order.slippage)
      assertSwap(chain, order, tx, minimum)
      return { ...tx, minimum }
    },
  }
}

function spender({ id, data }: EvmChain): Address {
  if (data.oneInch) return data.oneInch.router
  throw new RefusedError('chainId', `swaps of 1inch are not available on ${id}`, 'no_swaps')
}

function toQuery({ from, to, amount }: SwapPair): Record<string, string> {
  return { src: from, dst: to, amount: String(amount) }
}

/** 1inch names the problem in `description`. @see https://help.1inch.io, “Common API error messages” */
function toReason(refusal: unknown) {
  return reasonOf((refusal as { description?: unknown } | null | undefined)?.description)
}

/** @throws {SwapSourceError} if a transaction does not match the order exactly, or does not use the router of 1inch. */
function assertSwap(
  chain: EvmChain,
  order: SwapOrder,
  { to, data, value }: { to: Address; data: Hex; value: bigint },
  minimum: bigint,
): void {
  const { account, amount, from } = order
  if (keyOf(to) !== keyOf(spender(chain))) throw different('the contract')
  const swap = readOneInchSwap({ data, value })
  if (!swap) throw different('the call')
  if (swap.pay !== keyOf(from)) throw different('the token to pay with')
  if (swap.get !== keyOf(order.to)) throw different('the token to get')
  if (swap.amount !== amount) throw different('the amount to pay')
  if (swap.recipient !== keyOf(account)) throw different('the recipient')
  if (swap.minimum < minimum) throw different('the minimum')
}

function different(what: string): SwapSourceError {
  return new SwapSourceError(`1inch built a swap that differs from the request: ${what}`)
}
