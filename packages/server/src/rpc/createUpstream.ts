import type { RpcError } from '@gatefold/protocol/gateway'
import { callsOf, toBatch, type Batch } from './batch.ts'
import { createBreaker, type Breaker } from './createBreaker.ts'
import { createPost, type Meter } from './createPost.ts'
import { UpstreamError } from './UpstreamError.ts'

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
   * @param options.onProgress - called after a part of a batch that is sent in parts.
   * @param options.meter - accounts for large responses.
   * @returns the replies, in the order of the calls.
   * @throws {UpstreamError} if there is no complete, well-formed response.
   */
  send(batch: Batch, signal: AbortSignal, options?: SendOptions): Promise<Reply[]>
  /**
   * Sends the batch of a client.
   *
   * @returns the upstream's JSON text, if it is exactly what a client gets for the replies.
   * @throws {UpstreamError} as `send`.
   */
  forward(batch: Batch, signal: AbortSignal, options?: SendOptions): Promise<Reply[] | string>
}

export type SendOptions = {
  onProgress?: (() => void) | undefined
  meter?: Meter | undefined
}

/** Maximum size of a response, in bytes. */
const maxResponseBytes = 4 * 1024 * 1024
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
  const url = new URL(options.url)
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...authorizationOf(url),
  }
  const post = createPost({ url, headers, maxBytes: maxResponseBytes })
  let singlesUntil = 0

  async function exchange({ body }: Batch, signal: AbortSignal, meter?: Meter): Promise<string> {
    const { status, text } = await post(body, signal, meter)
    // This 400 comes from a proxy in front of the node.
    if (status === 400 && !text.includes('"jsonrpc"')) throw new UpstreamError('status_400')
    return text
  }

  function parse(text: string): unknown {
    try {
      // A reviver takes several times as long.
      const keepsNumbers = options.keepsNumbers && /[[:,]\s*-?\d{16}/.test(text)
      return keepsNumbers ? parseKeepingNumbers(text) : (JSON.parse(text) as unknown)
    } catch (error) {
      throw new UpstreamError('bad_body', error)
    }
  }

  async function sendSingles(
    batch: Batch,
    signal: AbortSignal,
    { onProgress, meter }: SendOptions,
  ): Promise<Reply[]> {
    const calls = callsOf(batch)
    const replies: Reply[] = []
    for (let start = 0; start < calls.length; start += singlesAtATime) {
      const group = calls.slice(start, start + singlesAtATime)
      const answers = await Promise.all(
        group.map((call) => exchange(toBatch([call]), signal, meter)),
      )
      for (const answer of answers) replies.push(toReply(parse(answer), 1))
      onProgress?.()
    }
    return replies
  }

  /** Sends calls. @param read - reads a response; the replies are parsed as JSON if it returns `undefined`. */
  async function request<Read>(
    batch: Batch,
    signal: AbortSignal,
    how: SendOptions,
    read: (text: string, ids: readonly number[]) => Read | undefined,
  ): Promise<Reply[] | Read> {
    const { ids } = batch
    if (ids.length > 1 && options.now() < singlesUntil) return sendSingles(batch, signal, how)
    const text = await exchange(batch, signal, how.meter)
    if (ids.length === 1) return [toReply(parse(text), ids[0]!)]
    const simple = read(text, ids)
    if (simple !== undefined) return simple
    const answer = parse(text)
    if (!Array.isArray(answer)) {
      // A single response to a batch: the node does not support batches, or refused this one.
      singlesUntil = options.now() + singlesMs
      return sendSingles(batch, signal, how)
    }
    // An array that lacks replies, with an error: the node does not support batches of this length. Geth sends this.
    if (answer.length < ids.length && answer.some(isErrorReply))
      return sendSingles(batch, signal, how)
    const isOrdered =
      answer.length === ids.length && answer.every((reply, index) => hasId(reply, ids[index]!))
    const replies = isOrdered ? answer : toOrdered(answer, ids)
    return replies.map((reply, index) => toReply(reply, ids[index]!))
  }

  return {
    host: url.host,
    breaker: createBreaker(options.now),
    isRightChain: undefined,
    isStale: false,
    send: (batch, signal, options = {}) => request(batch, signal, options, readSimpleReplies),
    forward: (batch, signal, options = {}) => request(batch, signal, options, readSimpleText),
  }
}

/**
 * Match a reply in the form that most nodes use, with a result that is a string without escapes. `simpleText` does not
 * capture the result.
 */
const simpleReply = /\{"jsonrpc":"2\.0","id":(\d+),"result":"([^"\\\p{Cc}]*)"\}([,\]])/uy
const simpleText = /\{"jsonrpc":"2\.0","id":(\d+),"result":"[^"\\\p{Cc}]*"\}([,\]])/uy

/**
 * Reads the replies to a batch if all results are simple strings, such as those of `eth_call`. Takes half the time of
 * parsing them as JSON.
 *
 * @returns `undefined` if the text has any other form.
 */
function readSimpleReplies(text: string, ids: readonly number[]): Reply[] | undefined {
  const replies: Reply[] = []
  const isSimple = matchReplies(simpleReply, text, ids, ([, , result]) => replies.push({ result }))
  return isSimple ? replies : undefined
}

/**
 * The text of such replies. Takes a third of the time of reading and encoding them.
 *
 * @returns `undefined` if the text has any other form.
 */
function readSimpleText(text: string, ids: readonly number[]): string | undefined {
  return matchReplies(simpleText, text, ids) ? text.slice(0, simpleText.lastIndex) : undefined
}

/** Whether a text is an array of replies that match, in the order of their ids. `lastIndex` is then its end. */
function matchReplies(
  reply: RegExp,
  text: string,
  ids: readonly number[],
  add?: (match: RegExpExecArray) => void,
): boolean {
  if (!text.startsWith('[')) return false
  reply.lastIndex = 1
  const last = ids.length - 1
  for (let index = 0; index <= last; index += 1) {
    const match = reply.exec(text)
    if (!match || match[1] !== `${ids[index]}` || match.at(-1) !== (index < last ? ',' : ']'))
      return false
    add?.(match)
  }
  return text.slice(reply.lastIndex).trim() === ''
}

function hasId(value: unknown, id: number): boolean {
  return (value as { id?: unknown } | null | undefined)?.id === id
}

function isErrorReply(value: unknown): boolean {
  const { error } = (value ?? {}) as { error?: unknown }
  return error !== undefined && error !== null
}

function toOrdered(answer: unknown[], ids: readonly number[]): unknown[] {
  const byId = new Map(answer.map((reply) => [(reply as { id?: unknown } | null)?.id, reply]))
  return ids.map((id) => byId.get(id))
}

/** Validates the reply to the request with an id. */
function toReply(value: unknown, id: number): Reply {
  const reply = value as { result?: unknown; error?: Partial<RpcError> }
  if (!hasId(value, id)) throw new UpstreamError('bad_body')
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

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (!username) return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}
