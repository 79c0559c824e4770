import { missingOrInvalid } from './messages.ts'

/** Whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a string that is not blank. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/**
 * Copies parameters as plain JSON, which can be sent to peers and other tabs.
 *
 * @throws {ValidationError} if they are not an object or cannot be serialized
 */
export function toPlain<parameters>(parameters: parameters, method: string): parameters {
  if (!isRecord(parameters)) throw missingOrInvalid(`${method} params: ${String(parameters)}`)
  try {
    return JSON.parse(JSON.stringify(parameters, toPlainError)) as parameters
  } catch {
    throw missingOrInvalid(
      `${method} params cannot be serialized as JSON, for example because of a bigint`,
    )
  }
}

/** An `Error` would serialize to `{}`. */
function toPlainError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { code, message, data } = value as Error & { code?: unknown; data?: unknown }
  return { code, message, data }
}
