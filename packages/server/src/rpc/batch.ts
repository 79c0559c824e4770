/** One call to an upstream; its id is generated. */
export type Call = { method: string; params?: unknown }

/**
 * Calls as the body of a request. While an upstream responds, only this text is kept: thousands of parsed calls would
 * take the garbage collector a fifth of the proxy's time.
 */
export type Batch = {
  /** JSON: an array of requests, or one request if there is one id. */
  body: string
  /** The ids in `body`, which differ. */
  ids: readonly number[]
}

export function toBatch(calls: readonly Call[]): Batch {
  const requests = calls.map(toRequest)
  return {
    body: JSON.stringify(calls.length === 1 ? requests[0] : requests),
    ids: requests.map(({ id }) => id),
  }
}

function toRequest({ method, params = [] }: Call, index: number) {
  return { jsonrpc: '2.0', id: index + 1, method, params }
}

/** The calls of a batch. */
export function callsOf({ body }: Batch): Call[] {
  return [JSON.parse(body) as Call | Call[]].flat()
}
