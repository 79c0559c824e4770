import { BaseError } from '@gatefold/protocol'

// Amounts of money are decimal text or a bigint in the smallest unit. A number could not hold them exactly.

const plain = /^\d+(\.\d+)?$/

/** Largest number of decimals of a token. ERC-20 allows more, but 10^77 is the largest power below 2^256. */
export const maxDecimals = 77

/** An amount that is not a plain decimal number such as `1.25`, or has more decimals than its token. */
export class InvalidNumberError extends BaseError {
  override name = 'InvalidNumberError'
  constructor(options: { details?: string } = {}) {
    super('Number is not a valid decimal number', { code: 'money.invalid_number', ...options })
  }
}

/** A number of decimals that is not an integer from 0 to 77. */
export class InvalidDecimalsError extends BaseError {
  override name = 'InvalidDecimalsError'
  constructor(decimals: number) {
    super(`${decimals} is not a valid number of decimals`, { code: 'money.invalid_decimals' })
  }
}

/**
 * Converts an amount in whole units to the smallest unit. Never rounds.
 *
 * @param text - a plain decimal number; at most `decimals` digits after the point, not counting trailing zeros
 * @throws {InvalidNumberError} @throws {InvalidDecimalsError}
 * @see spec §5.3.2
 * @example toUnits('1.25', 6) // 1250000n
 */
export function toUnits(text: string, decimals: number): bigint {
  checkDecimals(decimals)
  if (!plain.test(text)) throw new InvalidNumberError()
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > decimals)
    throw new InvalidNumberError({ details: `It has more than ${decimals} decimals.` })
  return BigInt(whole + digits.padEnd(decimals, '0'))
}

/**
 * Converts an amount in the smallest unit to whole units, without trailing zeros.
 *
 * @throws {InvalidDecimalsError}
 * @example fromUnits(1250000n, 6) // '1.25'
 */
export function fromUnits(units: bigint, decimals: number): string {
  checkDecimals(decimals)
  return format(units, decimals)
}

/** Multiplies two decimal numbers exactly. @throws {InvalidNumberError} */
export function multiply(a: string, b: string): string {
  const [left, right] = [parse(a), parse(b)]
  return format(left.units * right.units, left.decimals + right.decimals)
}

/** Adds decimal numbers exactly. @throws {InvalidNumberError} */
export function add(...numbers: readonly string[]): string {
  const parsed = numbers.map(parse)
  const decimals = Math.max(0, ...parsed.map((number) => number.decimals))
  const sum = parsed.reduce(
    (total, number) => total + number.units * 10n ** BigInt(decimals - number.decimals),
    0n,
  )
  return format(sum, decimals)
}

/** Rounds a decimal number down. @throws {InvalidNumberError} @throws {InvalidDecimalsError} */
export function roundDown(text: string, decimals: number): string {
  checkDecimals(decimals)
  const { units, decimals: scale } = parse(text)
  return scale <= decimals
    ? format(units, scale)
    : format(units / 10n ** BigInt(scale - decimals), decimals)
}

/** Compares two decimal numbers: negative, zero or positive, as for `sort`. @throws {InvalidNumberError} */
export function compare(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)]
  const difference =
    left.units * 10n ** BigInt(right.decimals) - right.units * 10n ** BigInt(left.decimals)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/**
 * Converts a price from a JSON number to decimal text.
 *
 * @returns undefined if it is not a finite number above 0
 */
export function fromNumber(number: unknown): string | undefined {
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined
  // The shortest text that identifies the number; very large and very small numbers have an exponent.
  const [mantissa = '', exponent] = String(number).split('e')
  if (exponent === undefined) return mantissa
  const power = Number(exponent)
  const [whole = '', fraction = ''] = mantissa.split('.')
  return power < 0
    ? `0.${'0'.repeat(-power - 1)}${whole}${fraction}`
    : (whole + fraction).padEnd(power + 1, '0')
}

/** The units and decimals of a plain decimal number. @throws {InvalidNumberError} */
export function parse(text: string): { units: bigint; decimals: number } {
  if (!plain.test(text)) throw new InvalidNumberError()
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}

/** As `fromUnits`, for any number of decimals. */
export function format(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return digits.slice(0, point) + (fraction && `.${fraction}`)
}

/** @throws {InvalidDecimalsError} it is not an integer from 0 to `maxDecimals` */
export function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals)
    throw new InvalidDecimalsError(decimals)
}
