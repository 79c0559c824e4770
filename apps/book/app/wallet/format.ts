import { formatBalance } from '@gatefold/kit/core'
import { formatUnits } from 'viem'
import type { Hex } from './wallet.ts'

/** Shortens a hex value to its first and last characters: `0x1234…cdef`. */
export function shorten(value: Hex, ends = 4): string {
  return value.length <= 2 * ends + 3 ? value : `${value.slice(0, 2 + ends)}…${value.slice(-ends)}`
}

type Amount = { atomic: bigint; decimals: number; symbol: string }

/** Used for balances of a million or more, because longer numbers do not fit into a pill. */
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 2,
  roundingMode: 'floor',
})

/**
 * Formats a balance as the kit does (`2.481 ETH`), but in compact notation from one million (`1.23M ETH`).
 */
export function formatCompactBalance({ atomic, decimals, symbol }: Amount): string {
  const whole = atomic / 10n ** BigInt(decimals)
  const amount =
    whole >= 1_000_000n ? compact.format(whole) : formatBalance(formatUnits(atomic, decimals))
  return `${amount} ${symbol}`
}

/** Formats an amount without rounding. */
export function formatAmount({ atomic, decimals, symbol }: Amount): string {
  return `${formatUnits(atomic, decimals)} ${symbol}`
}
