import { formatBalance } from '@gatefold/kit/core'
import { formatUnits } from 'viem'
import type { Hex } from './wallet.ts'

/** `0x1234…cdef`: enough of a long hexadecimal word to compare two by eye. */
export function shorten(word: Hex, ends = 4): string {
  return word.length <= 2 * ends + 3 ? word : `${word.slice(0, 2 + ends)}…${word.slice(-ends)}`
}

type Sum = { atomic: bigint; decimals: number; symbol: string }

/** From a million up a pill has no room for all digits. */
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 2,
  roundingMode: 'floor',
})

/** A balance as the kit shows it, short from a million up: `2.481 ETH`, `1.23M ETH`. */
export function formatHoldings({ atomic, decimals, symbol }: Sum): string {
  const whole = atomic / 10n ** BigInt(decimals)
  const amount =
    whole >= 1_000_000n ? compact.format(whole) : formatBalance(formatUnits(atomic, decimals))
  return `${amount} ${symbol}`
}

/** A sum to the last digit: what is sent is never rounded. */
export function formatSum({ atomic, decimals, symbol }: Sum): string {
  return `${formatUnits(atomic, decimals)} ${symbol}`
}
