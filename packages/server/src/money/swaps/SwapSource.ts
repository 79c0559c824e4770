import type { Reason, SwapBody } from '@gatefold/protocol/gateway'
import type * as v from 'valibot'
import type { Address, Hex } from 'viem'
import type { EvmChain } from '../evm/createEvmChain.ts'

/**
 * The tokens and the amount of a swap. Either token may be
 * `nativeTokenAddress`; they differ.
 */
export type SwapPair = {
  from: Address
  to: Address
  /** The amount to pay, in its smallest unit; above 0. */
  amount: bigint
}

export type SwapOrder = SwapPair & {
  /** The account that pays and receives. */
  account: Address
  /** In basis points, from 1 to 5,000. */
  slippage: number
  /**
   * Until when the transaction may be executed, in seconds since 1970; ignored
   * by sources whose contract has no deadline.
   */
  deadline: bigint
  /** A permit (ERC-2612) of exactly the amount, for the spender. */
  permit?: NonNullable<v.InferOutput<typeof SwapBody>['eip155']['permit']> | undefined
  /** Whether the account approves exactly the amount right before, in the same batch of calls (EIP-5792). */
  withApproval?: boolean | undefined
  /** Whether the account sets the allowance to zero before that approval. */
  withReset?: boolean | undefined
}

export type SwapQuote = {
  /** The amount to get, in its smallest unit; above 0. */
  amountOut: bigint
  /** Estimated gas of the transaction. */
  gas: bigint
  /**
   * Percentage by which the quote is worse than the price for a thousandth of
   * the amount. If `undefined`, it is derived from the prices of both tokens.
   */
  priceImpact?: number | undefined
  /**
   * The tokens of the route, in order; only the first and the last if the
   * source does not state the others.
   */
  route: readonly Address[]
  /** In percent; included in the amount. */
  fee: number
}

/**
 * A source of swaps. A chain has exactly one source.
 *
 * @see docs/swaps/writing-a-source.md
 */
export type SwapSource = {
  /** Whether `build` can use a permit instead of an allowance. */
  takesPermits: boolean
  /** Whether the transactions of `build` fail after the deadline. */
  hasDeadline: boolean
  /**
   * The contract that needs an allowance of the token to pay with. Never taken
   * from another service's response.
   *
   * @throws {RefusedError} with the code `no_swaps` if the source has no contract on the chain.
   */
  spender(chain: EvmChain): Address
  /**
   * Quotes for an amount, best first; empty, with the reason, if the source has
   * no swap for it.
   *
   * @throws {SwapSourceError} or an error of the chain, if the source cannot be read now.
   */
  quote(chain: EvmChain, pair: SwapPair): Promise<{ quotes: SwapQuote[]; reason?: Reason }>
  /**
   * Builds the swap transaction, which pays exactly the amount and returns at
   * least the quoted amount less the slippage.
   *
   * @throws {RefusedError} if the source has no swap for the order.
   * @throws as `quote`
   */
  build(chain: EvmChain, order: SwapOrder): Promise<BuiltSwap>
}

/** The swap transaction. */
export type BuiltSwap = {
  to: Address
  data: Hex
  value: bigint
  /**
   * The minimum amount that the account must receive in a simulation, for a
   * call that does not name every contract that it uses.
   */
  minimum?: bigint
}

export type Swaps = {
  /** The source of a chain's swaps: the one in the settings, otherwise the pools. */
  of(chain: Pick<EvmChain, 'id'>): SwapSource
}

/** A source did not respond, or not as documented. The message contains nothing that the source sent. */
export class SwapSourceError extends Error {
  override name = 'SwapSourceError'
}

/**
 * The minimum amount that a swap may return. @param slippage - in basis points.
 */
export function minimumOf(amount: bigint, slippage: number): bigint {
  return (amount * BigInt(10_000 - slippage)) / 10_000n
}
