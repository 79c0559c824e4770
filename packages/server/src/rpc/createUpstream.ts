import type { RpcError } from '@gatefold/protocol/gateway'
import { createBreaker, type Breaker } from './createBreaker.ts'
import { createPost } from './createPost.ts'
import { UpstreamError } from './UpstreamError.ts'

/** One call to an upstream; its id is generated. */
export type Call = { method: string; params?: unknown }

/** A node's reply to a call: a result, or an error such as a revert. */
export type Reply = { result: unknown } | { error: RpcError }

export type Upstream = {
  /** The host without the path, which may contain a key. */
  host: string
  breaker: Breaker
  /** `undefined` until its chain id is known; `false` while it serves another chain. */
  isRightChain: boolean | undefined
  /** Whether its latest block is far behind those of the other upstreams. */
  isStale: boolean
  /**
   * Sends calls.
   *
   * @returns the replies, in the order of the calls.
   * @throws {UpstreamError} if there is no complete, well-formed response.
   */
  send(calls: Call[], signal: AbortSignal): Promise<Reply[]>
}

/** Maximum size of a response, in bytes. */
const maxResponseBytes = 10 * 1024 * 1024
/** How long an upstream that refused a batch gets single calls. */
const singlesMs = 60_000
/** Maximum concurrent calls to an upstream that does not accept batches. */
const singlesAtATime = 10

/**
 * Creates a client for a JSON-RPC endpoint over HTTP.
 *
 * @param options.url - from configuration only, never from a request; a user name and password in
 *   it become an `Authorization` header.
 * @param options.keepsNumbers - whether to preserve integers above 2^53 in responses, as for Solana.
 */
export function createUpstream(options: {
  url: string
  now: () => number
  keepsNumbers: boolean
}): Upstream {
  const { url, authorization } = readUrl(options.url)
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(authorization && { authorization }),
  }
  const post = createPost({ url, headers, maxBytes: maxResponseBytes })
  let singlesUntil = 0

  async function exchange(body: unknown, signal: AbortSignal): Promise<unknown> {
    const { status, text } = await post(JSON.stringify(body), signal)
    // This 400 comes from a proxy in front of the node.
    if (status === 400 && !text.includes('"jsonrpc"')) throw new UpstreamError('status_400')
    try {
      return options.keepsNumbers ? parseKeepingNumbers(text) : (JSON.parse(text) as unknown)
    } catch (error) {
      throw new UpstreamError('bad_body', error)
    }
  }

  async function sendOne(call: Call, signal: AbortSignal): Promise<Reply> {
    const reply = await exchange({ jsonrpc: '2.0', id: 1, ...call }, signal)
    return toReply(reply, 1)
  }

  async function sendSingles(calls: Call[], signal: AbortSignal): Promise<Reply[]> {
    const replies: Reply[] = []
    for (let start = 0; start < calls.length; start += singlesAtATime) {
      const group = calls.slice(start, start + singlesAtATime)
      replies.push(...(await Promise.all(group.map((call) => sendOne(call, signal)))))
    }
    return replies
  }

  return {
    host: new URL(url).host,
    breaker: createBreaker(options.now),
    isRightChain: undefined,
    isStale: false,
    async send(calls, signal) {
      if (calls.length === 1) return [await sendOne(calls[0]!, signal)]
      if (options.now() < singlesUntil) return sendSingles(calls, signal)
      const batch = calls.map((call, index) => ({ jsonrpc: '2.0', id: index + 1, ...call }))
      const answer = await exchange(batch, signal)
      if (!Array.isArray(answer)) {
        // A single response to a batch: the node does not support batches, or refused this one.
        singlesUntil = options.now() + singlesMs
        return sendSingles(calls, signal)
      }
      const byId = new Map(answer.map((reply) => [(reply as { id?: unknown } | null)?.id, reply]))
      return calls.map((_, index) => toReply(byId.get(index + 1), index + 1))
    },
  }
}

function toReply(value: unknown, id: number): Reply {
  const reply = value as
    | { id?: unknown; result?: unknown; error?: Partial<RpcError> }
    | null
    | undefined
  if (typeof reply !== 'object' || reply === null || reply.id !== id)
    throw new UpstreamError('bad_body')
  const { error } = reply
  if (error !== undefined && error !== null) {
    if (typeof error.code !== 'number' || typeof error.message !== 'string')
      throw new UpstreamError('bad_body')
    const { code, message, data } = error
    return { error: data === undefined ? { code, message } : { code, message, data } }
  }
  if (!('result' in reply)) throw new UpstreamError('bad_body')
  return { result: reply.result }
}

// V8 has supported `JSON.rawJSON` since 11.4, but TypeScript's library types lack it.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

function parseKeepingNumbers(text: string): unknown {
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    context?.source
      ? rawJSON(context.source)
      : value
  return JSON.parse(text, reviver) as unknown
}

function readUrl(text: string) {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    url: url.href,
    authorization: username ? `Basic ${Buffer.from(credentials).toString('base64')}` : undefined,
  }
}
