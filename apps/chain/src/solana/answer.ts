import { RpcError } from './RpcError.ts'

type Handler = (params: readonly unknown[]) => unknown

/** Maximum number of calls in a batch. */
const maxBatch = 100

/**
 * Answers a JSON-RPC request or batch.
 *
 * @param find - returns the method with a name
 * @returns the response as JSON; `undefined` if there is nothing to send
 * @see https://www.jsonrpc.org/specification
 */
export async function answer(
  text: string,
  find: (method: string) => Handler | undefined,
): Promise<string | undefined> {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch {
    return stringify(failure(null, new RpcError('parse', 'Parse error')))
  }
  if (!Array.isArray(request)) return toText(await answerOne(request, find))
  if (request.length === 0 || request.length > maxBatch)
    return stringify(failure(null, new RpcError('invalidRequest', 'Invalid request')))
  const responses = await Promise.all(request.map((one) => answerOne(one, find)))
  const sent = responses.filter((one) => one !== undefined)
  return sent.length === 0 ? undefined : stringify(sent)
}

async function answerOne(value: unknown, find: (method: string) => Handler | undefined) {
  const { jsonrpc, id, method, params } = (value ?? {}) as Record<string, unknown>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== undefined && !isId))
    return failure(null, new RpcError('invalidRequest', 'Invalid request'))
  try {
    if (params !== undefined && params !== null && !Array.isArray(params))
      throw new RpcError('invalidParams', 'Invalid params: invalid type: map, expected a list.')
    const handler = find(method)
    if (!handler) throw new RpcError('methodNotFound', 'Method not found')
    const result = await handler((params as unknown[] | null | undefined) ?? [])
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id }
  } catch (error) {
    if (!(error instanceof RpcError)) console.error(error)
    const shown = error instanceof RpcError ? error : new RpcError('internal', 'Internal error')
    return id === undefined ? undefined : failure(id, shown)
  }
}

function failure(id: unknown, error: RpcError) {
  return { jsonrpc: '2.0', error: error.toJSON(), id }
}

function toText(response: object | undefined): string | undefined {
  return response && stringify(response)
}

// V8 has supported `JSON.rawJSON` since 11.4, but TypeScript's library types lack it.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

/** JSON in which 64-bit integers are numbers, as nodes write them. */
export function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'bigint' ? rawJSON(one.toString()) : one,
  )
}
