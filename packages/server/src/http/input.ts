import type { Reason } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { readHeader, type HttpContext } from './access.ts'
import type { Answers } from './answers.ts'
import { uncountedBytes } from './createMemoryBudgets.ts'
import { parseJson } from './parseJson.ts'
import { readUpTo } from './readUpTo.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

type Context = { req: { query(): Record<string, string>; raw: Request } }

/** A request's query without empty values, which count as absent. */
export function readQuery(c: Context): Record<string, string> {
  return Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''))
}

/**
 * Validates a value with a schema, up to the first invalid field. A body may have thousands of invalid values, and a
 * reason is far larger than a value.
 */
export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  at = 'body',
):
  | { value: v.InferOutput<Schema>; reasons?: undefined }
  | { value?: undefined; reasons: Reason[] } {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return { value: result.output }
  return { reasons: result.issues.map((issue) => toReason(issue, at)) }
}

function toReason(issue: v.BaseIssue<unknown>, at: string): Reason {
  const field = v.getDotPath(issue) ?? at
  const message = issue.received === 'undefined' ? 'is missing' : issue.message
  return { field, description: `${field} ${message}` }
}

/**
 * Reads a JSON body, whatever its content type. A body that is nested too deeply or has too many values is
 * treated as invalid JSON.
 *
 * @param limit - in bytes; a longer body is refused with a 413.
 * @param tryRead - reads some texts without parsing them; returns `undefined` for the others.
 */
export async function readJson(
  c: HttpContext,
  limit: number,
  { refuse }: Pick<Answers, 'refuse'>,
  tryRead: (text: string) => unknown = () => undefined,
): Promise<{ value: unknown; bytes: number } | { refusal: Response; fault: 'size' | 'syntax' }> {
  const bytes = await readBytes(c, limit)
  if (!bytes)
    return {
      refusal: refuse(413, {
        field: 'body',
        description: `the body is larger than ${limit} bytes`,
      }),
      fault: 'size',
    }
  try {
    const text = utf8.decode(bytes)
    return { value: tryRead(text) ?? parseJson(text), bytes: bytes.length }
  } catch {
    return {
      refusal: refuse(400, { field: 'body', description: 'the body is not JSON' }),
      fault: 'syntax',
    }
  }
}

/**
 * Reads a body in turns of the request's address. Stops and returns `undefined` if the body is larger than `limit`
 * bytes.
 */
export async function readBytes(c: HttpContext, limit: number): Promise<Uint8Array | undefined> {
  const request = c.req.raw
  const length = readHeader(c, 'content-length')
  if (Number(length ?? 0) > limit) return undefined
  const nextTurn = (bytes: number) => c.env?.nextTurn?.(bytes)
  // Node ends the body at its `content-length`, so the body cannot be larger.
  if (length !== undefined && Number(length) <= uncountedBytes) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    // While the loop is not busy, waiting would cost a short request another iteration of the loop.
    const turn = c.env?.enterTurn?.(bytes.length)
    if (turn) await turn
    return bytes
  }
  return readUpTo(request.body, limit, nextTurn)
}
