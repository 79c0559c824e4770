import { BaseError } from '@gatefold/protocol'

import { UnsupportedOperationError, UserRejectedError } from '../../core/kit/errors.ts'

/** User rejection in EIP-1193, WalletConnect and ethers. */
const rejectionCodes: readonly unknown[] = [4001, 5000, 'ACTION_REJECTED']
/** JSON-RPC “method not found”, EIP-1193 “unsupported method”. */
const unsupportedCodes: readonly unknown[] = [-32601, 4200]

/** Matches the error messages of wallets that send no code. */
const unsupportedText = /(method|request).*(not (supported|found|available|exist)|unsupported)/is

/** An error and its causes, breadth first; wallets nest the relevant error at any depth. */
export function* causesOf(error: unknown): Generator<Record<string, unknown>> {
  const seen = new Set<unknown>()
  const queue = [error]
  while (queue.length > 0) {
    const next = queue.shift()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    const record = next as Record<string, unknown>
    yield record
    queue.push(record.cause, record.data, record.originalError, record.error)
  }
}

/** Whether an error or one of its causes has one of the codes. */
export function hasCode(error: unknown, ...codes: readonly unknown[]): boolean {
  for (const { code } of causesOf(error)) if (codes.includes(code)) return true
  return false
}

/** Whether the visitor declined. @see spec §8.11.4 */
export function isRejection(error: unknown): boolean {
  return error instanceof UserRejectedError || hasCode(error, ...rejectionCodes)
}

/** Whether the wallet does not support the method. */
export function isUnsupported(error: unknown): boolean {
  return hasCode(error, ...unsupportedCodes) || hasText(error, unsupportedText)
}

/** Whether the message of an error or of one of its causes matches. */
export function hasText(error: unknown, pattern: RegExp): boolean {
  for (const { message } of causesOf(error))
    if (typeof message === 'string' && pattern.test(message)) return true
  return false
}

/**
 * Converts a wallet's error. A `BaseError` is returned unchanged, a rejection becomes a `UserRejectedError`,
 * and an unsupported operation an `UnsupportedOperationError`.
 *
 * @param otherwise - converts any other error
 */
export function toWalletError(
  error: unknown,
  operation: string,
  otherwise: (cause: unknown) => BaseError,
): BaseError {
  if (error instanceof BaseError) return error
  if (isRejection(error)) return new UserRejectedError({ cause: error, request: 'Request' })
  if (isUnsupported(error)) return new UnsupportedOperationError(operation, { cause: error })
  return otherwise(error)
}
