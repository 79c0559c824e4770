import { limits } from '@gatefold/protocol'
import type * as v from 'valibot'
import { check } from '../../http/input.ts'
import { parseJson } from '../../http/parseJson.ts'
import type { MoneyContext } from '../context.ts'
import { RefusedError } from '../requests.ts'

/**
 * Reads a message that an account has signed.
 *
 * @throws {RefusedError} if it is malformed, or was not signed recently.
 */
export function readMessage<
  Schema extends v.GenericSchema<unknown, { name: string; timestamp: number }>,
>({ now }: Pick<MoneyContext, 'now'>, schema: Schema, text: string): v.InferOutput<Schema> {
  let parsed: unknown
  try {
    parsed = parseJson(text)
  } catch {
    throw new RefusedError('message', 'message is not JSON')
  }
  const { value, reasons } = check(schema, parsed, 'message')
  if (reasons) throw new RefusedError('message', `message: ${reasons[0]!.description}`)
  const age = now() / 1000 - value.timestamp
  if (age > limits.nameMessageSeconds || -age > limits.nameClockSkewSeconds)
    throw new RefusedError(
      'message',
      `message: timestamp is too far from the server's time, ${new Date(now()).toISOString()}; check the clock and sign again`,
      'stale_message',
    )
  return value
}
