import { BaseError } from '@gatefold/protocol'

import { checkDecimals, format, parse } from './decimal.ts'

// A separate module, because the account view divides nothing.

/** A division by zero. */
export class DivisionByZeroError extends BaseError {
  override name = 'DivisionByZeroError'
  constructor() {
    super('Division by zero', { code: 'money.division_by_zero' })
  }
}

/**
 * Divides two decimal numbers, rounded down to `decimals`.
 *
 * @throws {InvalidNumberError} @throws {DivisionByZeroError} @throws {InvalidDecimalsError}
 */
export function divide(a: string, b: string, decimals: number): string {
  checkDecimals(decimals)
  const [left, right] = [parse(a), parse(b)]
  if (right.units === 0n) throw new DivisionByZeroError()
  const scale = 10n ** BigInt(decimals + right.decimals)
  return format((left.units * scale) / (right.units * 10n ** BigInt(left.decimals)), decimals)
}
