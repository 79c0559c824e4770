import type { Reason } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { refuse } from './answer.ts'

type Context = { req: { query(): Record<string, string>; raw: Request } }

/** The query of a request; an empty value counts as absent, and unknown names are dropped later. */
export function readQuery(c: Context): Record<string, string> {
  return Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''))
}

/** Checks a value against a schema and names every field that is wrong. */
export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  at = 'body',
):
  | { value: v.InferOutput<Schema>; reasons?: undefined }
  | { value?: undefined; reasons: Reason[] } {
  const result = v.safeParse(schema, value)
  if (result.success) return { value: result.output }
  return { reasons: result.issues.map((issue) => toReason(issue, at)) }
}

function toReason(issue: v.BaseIssue<unknown>, at: string): Reason {
  const field = v.getDotPath(issue) ?? at
  const message = issue.received === 'undefined' ? 'is missing' : issue.message
  return { field, description: `${field} ${message}` }
}

/**
 * Reads a JSON body whatever its content type says.
 *
 * @param limit - bytes; more answers 413 without reading on.
 */
export async function readJson(
  request: Request,
  limit: number,
): Promise<{ value: unknown; bytes: number } | { refusal: Response; fault: 'size' | 'syntax' }> {
  const bytes = await readBytes(request, limit)
  if (!bytes)
    return {
      refusal: refuse(413, {
        field: 'body',
        description: `the body is larger than ${limit} bytes`,
      }),
      fault: 'size',
    }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { value: JSON.parse(text) as unknown, bytes: bytes.length }
  } catch {
    return {
      refusal: refuse(400, { field: 'body', description: 'the body is not JSON' }),
      fault: 'syntax',
    }
  }
}

/** Reads a body. @returns `undefined` when it is larger than `limit` bytes; it is not read on then. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined
  // A stated length has been checked; the server cuts a longer body off.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > limit) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
