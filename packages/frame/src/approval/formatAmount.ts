import { formatUnits } from 'viem'
import type { Language } from '../strings/language.ts'

/** Decimal signs. To readers of German, 1.234 is a thousand times as much as 1,234. */
export const decimalSigns: Partial<Record<Language['tag'], string>> = { de: ',' }

/** An exact amount with the decimal sign of the language. @param atomic - in the smallest units */
export function formatAmount(atomic: bigint, decimals: number, { tag }: Language): string {
  return formatUnits(atomic, decimals).replace('.', decimalSigns[tag] ?? '.')
}
