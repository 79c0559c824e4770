import { nativeTokenAddress, readOneInchSwap, readZeroExSwap } from '@gatefold/protocol/gateway'
import type { AggregatorSwap } from '@gatefold/protocol/gateway'
import { getAddress, isAddressEqual, zeroAddress, type Address, type Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import { readUniswapSwap, type Swap } from './readUniswapSwap.ts'
import { unlimitedAmount } from './text.ts'

/** A swap through contracts in the operator's chain data, and whose they are. */
export type KnownSwap = Swap & { by: 'Uniswap' | '0x' | '1inch' }

/** What a swap is read for. */
export type SwapContext = {
  chain: ChainConfig
  from: Address
  /** Whether a contract is a Settler of 0x. */
  isSettler: (contract: Address) => Promise<boolean>
}

/**
 * Decodes a call of Uniswap, 0x or 1inch as a swap. Loaded with the first call that has data, on a network with one of
 * them.
 *
 * @returns `undefined` for any other call, and for the same call of another contract
 */
export async function readSwap(
  { to, ...call }: { to: Address | null; data: Hex; value: bigint },
  { chain, from, isSettler }: SwapContext,
): Promise<KnownSwap | undefined> {
  if (!to) return undefined
  const { uniswap, zeroEx, oneInch } = chain
  if (uniswap && isAddressEqual(to, uniswap.router)) {
    const swap = readUniswapSwap(call, from, uniswap)
    return swap && { ...swap, by: 'Uniswap' }
  }
  if (oneInch && isAddressEqual(to, oneInch.router)) {
    const swap = readOneInchSwap(call)
    // The router pays the caller in place of the zero address.
    return swap && toSwap(swap, '1inch', from)
  }
  const swap = zeroEx && readZeroExSwap({ ...call, to })
  if (!swap || (swap.holder && !isAddressEqual(swap.holder, zeroEx.allowanceHolder)))
    return undefined
  return (await isSettler(swap.settler)) ? toSwap(swap, '0x', zeroAddress) : undefined
}

/** @param nobody - who gets the coins if the recipient is the zero address */
function toSwap(
  { pay, get, amount, minimum, recipient }: AggregatorSwap,
  by: KnownSwap['by'],
  nobody: Address,
): KnownSwap | undefined {
  if (amount === 0n || amount >= unlimitedAmount) return undefined
  const receiver = recipient === zeroAddress ? nobody : getAddress(recipient)
  const toToken = (token: Address) => (token === nativeTokenAddress ? undefined : getAddress(token))
  const tokens = { pay: toToken(pay), get: toToken(get) }
  return { ...tokens, most: amount, least: minimum, isExact: true, receiver, by }
}
