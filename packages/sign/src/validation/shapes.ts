import { missingOrInvalid } from './texts.ts'

/** A plain object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/**
 * The parameters of a call as plain JSON, as they cross a wire or a tab.
 *
 * @throws {ValidationError} when they are no object or hold what JSON cannot say.
 */
export function toPlain<parameters>(parameters: parameters, method: string): parameters {
  if (!isRecord(parameters)) throw missingOrInvalid(`${method} params: ${String(parameters)}`)
  try {
    return JSON.parse(JSON.stringify(parameters, toPlainError)) as parameters
  } catch {
    throw missingOrInvalid(`${method} params hold what JSON cannot say, such as a bigint`)
  }
}

/** JSON would leave nothing of an `Error`. */
function toPlainError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { code, message, data } = value as Error & { code?: unknown; data?: unknown }
  return { code, message, data }
}
