import { parseUnits } from 'viem'
import type { Language } from '../strings/language.ts'
import { decimalSigns } from './formatAmount.ts'
import { unlimitedAmount } from './text.ts'

/** What is wrong with an amount: not a number, zero, too precise for the token, or as much as unlimited. */
export type AmountProblem = 'number' | 'zero' | 'decimals' | 'unlimited'

/**
 * Parses an amount with the decimal sign of the language, without any rounding. The other sign is refused, because
 * readers of German mean a thousand by 1.000.
 *
 * @returns the amount in the smallest units, or what is wrong with it
 */
export function parseAmount(
  text: string,
  decimals: number,
  { tag }: Pick<Language, 'tag'>,
): bigint | AmountProblem {
  const sign = decimalSigns[tag] ?? '.'
  const [whole = '', fraction = '', ...rest] = text.trim().split(sign)
  if (rest.length > 0 || !/^\d{1,80}$/.test(whole + fraction)) return 'number'
  if (fraction.replace(/0+$/, '').length > decimals) return 'decimals'
  const amount = parseUnits(`${whole || '0'}.${fraction || '0'}`, decimals)
  if (amount === 0n) return 'zero'
  return amount >= unlimitedAmount ? 'unlimited' : amount
}
