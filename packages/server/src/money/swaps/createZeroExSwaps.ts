import { CaipNetworkId, limits } from '@gatefold/protocol'
import { readZeroExSwap } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { parseAbi, type Address, type Hex } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf, type ZeroEx } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { isRevert } from '../evm/errors.ts'
import { RefusedError } from '../requests.ts'
import {
  Amount,
  CallData,
  createSwapVendor,
  Gas,
  SomeAmount,
  VendorAddress,
} from './createSwapVendor.ts'
import { lowLiquidity, reasonOf } from './reasons.ts'
import type { VendorSettings } from './settings.ts'
import { minimumOf, SwapSourceError, type SwapOrder, type SwapSource } from './SwapSource.ts'

/** The registry's feature number of the Settlers that accounts call directly. */
const takerSubmitted = 2n

const settlersAbi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function prev(uint128 featureId) view returns (address)',
])

const NoLiquidity = v.object({ liquidityAvailable: v.literal(false) })

const Fee = v.nullish(v.object({ amount: Amount, token: VendorAddress }))

const price = {
  liquidityAvailable: v.literal(true),
  sellToken: VendorAddress,
  buyToken: VendorAddress,
  sellAmount: Amount,
  buyAmount: SomeAmount,
  minBuyAmount: SomeAmount,
  fees: v.optional(v.object({ zeroExFee: v.optional(Fee) })),
}

const Price = v.union([NoLiquidity, v.object({ ...price, gas: v.nullish(Gas) })])

const Quote = v.union([
  NoLiquidity,
  v.object({
    ...price,
    transaction: v.object({ to: VendorAddress, data: CallData, value: Amount }),
  }),
])

/**
 * Swaps that a service with 0x's Swap API v2 builds for AllowanceHolder. The
 * service receives tokens, amounts and, for a transaction, the account.
 *
 * @see https://docs.0x.org/api-reference/api-overview, docs/swaps/0x.md
 */
export function createZeroExSwaps({ key, url }: VendorSettings, now: () => number): SwapSource {
  const request = createSwapVendor({
    name: '0x',
    headers: { '0x-api-key': key, '0x-version': 'v2' },
    now,
  })

  return {
    takesPermits: false,
    hasDeadline: false,
    spender: (chain) => contractsOf(chain).allowanceHolder,
    async quote(chain, pair) {
      const path = `${url}/swap/allowance-holder/price`
      const response = await request(path, toQuery(chain, pair), Price)
      if ('refusal' in response) return { quotes: [], reason: toReason(response.refusal) }
      const { answer } = response
      if (!answer.liquidityAvailable) return { quotes: [], reason: lowLiquidity }
      assertPair(answer, pair)
      const quote = {
        amountOut: answer.buyAmount,
        gas: answer.gas ?? BigInt(limits.swapGasUnits),
        route: [pair.from, pair.to],
        fee: feeOf(answer),
      }
      return { quotes: [quote] }
    },
    async build(chain, order) {
      const query = {
        ...toQuery(chain, order),
        taker: order.account,
        // One basis point less than the order's, because the service rounds the minimum down.
        slippageBps: String(order.slippage - 1),
      }
      const response = await request(`${url}/swap/allowance-holder/quote`, query, Quote)
      if ('refusal' in response) {
        const { field, description, code } = toReason(response.refusal)
        throw new RefusedError(field, description, code)
      }
      const { answer } = response
      if (!answer.liquidityAvailable)
        throw new RefusedError(lowLiquidity.field, lowLiquidity.description, lowLiquidity.code)
      assertPair(answer, order)
      const { transaction } = answer
      const minimum = minimumOf(answer.buyAmount, order.slippage)
      if (answer.minBuyAmount < minimum) throw different('the minimum')
      await assertSwap(chain, order, transaction, minimum)
      return { ...transaction, minimum }
    },
  }
}

function contractsOf({ id, data }: EvmChain): ZeroEx {
  if (data.zeroEx) return data.zeroEx
  throw new RefusedError('chainId', `swaps of 0x are not available on ${id}`, 'no_swaps')
}

function toQuery(
  { id }: EvmChain,
  { from, to, amount }: Pick<SwapOrder, 'from' | 'to' | 'amount'>,
): Record<string, string> {
  const chainId = CaipNetworkId.parse(id).reference
  return { chainId, sellToken: from, buyToken: to, sellAmount: String(amount) }
}

/** 0x names the problem in `name`. @see https://docs.0x.org/docs/introduction/api-issues */
function toReason(refusal: unknown) {
  return reasonOf((refusal as { name?: unknown } | null | undefined)?.name)
}

function assertPair(
  {
    sellToken,
    buyToken,
    sellAmount,
  }: Record<'sellToken' | 'buyToken', Address> & {
    sellAmount: bigint
  },
  { from, to, amount }: Pick<SwapOrder, 'from' | 'to' | 'amount'>,
): void {
  const isPair = keyOf(sellToken) === keyOf(from) && keyOf(buyToken) === keyOf(to)
  if (!isPair || sellAmount !== amount) throw different('the tokens or the amount')
}

/** The share of the service's fee, in percent; 0 if it is in a third token. */
function feeOf(answer: {
  buyToken: Address
  sellToken: Address
  buyAmount: bigint
  sellAmount: bigint
  fees?: { zeroExFee?: { amount: bigint; token: Address } | null | undefined } | undefined
}): number {
  const fee = answer.fees?.zeroExFee
  if (!fee) return 0
  const whole =
    keyOf(fee.token) === keyOf(answer.buyToken)
      ? answer.buyAmount + fee.amount
      : keyOf(fee.token) === keyOf(answer.sellToken)
        ? answer.sellAmount
        : undefined
  if (!whole || fee.amount > whole) return 0
  return Number((fee.amount * 1_000_000n) / whole) / 10_000
}

/** @throws {SwapSourceError} if a transaction does not match the order exactly, or does not use the contracts of 0x. */
async function assertSwap(
  chain: EvmChain,
  order: SwapOrder,
  { to, data, value }: { to: Address; data: Hex; value: bigint },
  minimum: bigint,
): Promise<void> {
  const { account, amount, from } = order
  const swap = readZeroExSwap({ to, data, value })
  if (!swap) throw different('the call')
  const { allowanceHolder } = contractsOf(chain)
  if (swap.holder && keyOf(swap.holder) !== keyOf(allowanceHolder)) throw different('the contract')
  if (swap.pay !== keyOf(from)) throw different('the token to pay with')
  if (swap.amount !== amount) throw different('the amount to pay')
  if (swap.recipient !== keyOf(account)) throw different('the recipient')
  if (swap.get !== keyOf(order.to)) throw different('the token to get')
  if (swap.minimum < minimum) throw different('the minimum')
  if (!(await isSettler(chain, swap.settler))) throw different('the Settler')
}

/**
 * Whether a contract is the current or the previous Settler. `ownerOf` reverts while the Settlers are paused.
 *
 * @see https://github.com/0xProject/0x-settler#how-do-i-find-the-most-recent-deployment
 */
async function isSettler(chain: EvmChain, address: Address): Promise<boolean> {
  const registry = { address: contractsOf(chain).settlers, abi: settlersAbi } as const
  const ifRevert = (error: unknown) => {
    if (!isRevert(error)) throw error
    return undefined
  }
  const [current, previous] = await Promise.all([
    readContract(chain.client, {
      ...registry,
      functionName: 'ownerOf',
      args: [takerSubmitted],
    }).catch(ifRevert),
    readContract(chain.client, {
      ...registry,
      functionName: 'prev',
      args: [takerSubmitted],
    }).catch(ifRevert),
  ])
  if (!current) return false
  return [current, previous].some((known) => known && keyOf(known) === keyOf(address))
}

function different(what: string): SwapSourceError {
  return new SwapSourceError(`0x built a swap that differs from the request: ${what}`)
}
