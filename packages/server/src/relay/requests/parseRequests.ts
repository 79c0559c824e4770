import { limits } from '@gatefold/protocol'
import {
  attestationTooLarge,
  relayMethods,
  tooFew,
  tooLarge,
  tooMany,
  toRelayMethod,
  type RelayMethod,
} from '@gatefold/protocol/relay'
import * as v from 'valibot'
import { endOfString, parseJson } from '../../http/parseJson.ts'
import { RelayError } from '../errors.ts'

/** An entry in a frame or HTTP body. */
export type Incoming =
  /** A request. `id` is the request's id as JSON, which the response repeats. Numbers are kept verbatim. */
  | { kind: 'request'; id: string; method: RelayMethod; params: unknown }
  /** An invalid entry. `id` is `null` if no id could be read. */
  | { kind: 'fault'; id: string; error: RelayError }
  /** The acknowledgement of a push. */
  | { kind: 'receipt'; seq: number }

export type ParsedText = { isBatch: boolean; incoming: Incoming[] }

/**
 * Parses a frame or HTTP body: one request or acknowledgement, or a batch. An invalid entry becomes a
 * `fault` at its position.
 *
 * @see https://www.jsonrpc.org/specification
 */
export function parseRequests(text: string): ParsedText {
  let value: unknown
  try {
    value = parseWithIds(text)
  } catch {
    return single(
      fault('Serialization', 'not JSON, or JSON that is nested too deeply or has too many values'),
    )
  }
  if (!Array.isArray(value)) return single(toIncoming(value))
  if (value.length === 0) return single(fault('BatchEmpty', 'the batch is empty'))
  if (value.length > limits.relayBatchSize)
    return single(
      fault('BatchLimitExceeded', `a batch holds at most ${limits.relayBatchSize} requests`),
    )
  return { isBatch: true, incoming: value.flatMap(toIncoming) }
}

const maxDescriptionLength = 200

/** Validates the params of a method. @throws {RelayError} with the tag of the first issue. */
export function parseParams<Method extends RelayMethod>(method: Method, params: unknown) {
  // Stops at the first issue. A frame may contain many invalid values, and an issue is far larger than a
  // value.
  const result = v.safeParse(relayMethods[method], params, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const path = v.getDotPath(issue)
  throw new RelayError(
    'invalidPayload',
    tagOf(issue.message, path ?? ''),
    shorten(path ? `${path} ${issue.message}` : issue.message),
    new v.ValiError(result.issues),
  )
}

/** Truncates a description, which may contain the invalid value, and therefore be as large as a frame. */
function shorten(description: string) {
  return description.length > maxDescriptionLength
    ? `${description.slice(0, maxDescriptionLength)}…`
    : description
}

function tagOf(message: string, path: string) {
  if (message === tooLarge || message === attestationTooLarge) return 'PayloadSizeExceeded'
  if (message === tooFew) return 'BatchEmpty'
  if (message === tooMany) return 'BatchLimitExceeded'
  return /topics?(\.\d+)?$/i.test(path) ? 'InvalidTopic' : 'InvalidParams'
}

function toIncoming(value: unknown): Incoming | [] {
  if (typeof value !== 'object' || value === null)
    return fault('Serialization', 'not a JSON-RPC object')
  const { id, jsonrpc, method, params } = value as Record<string, unknown>
  if (method === undefined) {
    // An error does not acknowledge a push, so the message is pushed again.
    if (!('result' in value)) return 'error' in value ? [] : fault('InvalidMethod', 'no method')
    return typeof id === 'number' ? { kind: 'receipt', seq: id } : []
  }
  const idText = toIdText(id)
  if (idText === undefined)
    return fault('InvalidRequestId', 'the id must be a short string or a number')
  if (jsonrpc !== '2.0') return fault('InvalidJsonRpcVersion', 'jsonrpc must be "2.0"', idText)
  const known = typeof method === 'string' ? toRelayMethod(method) : undefined
  if (!known) return fault('InvalidMethod', 'unknown method', idText)
  return { kind: 'request', id: idText, method: known, params }
}

function single(incoming: Incoming | []): ParsedText {
  return { isBatch: false, incoming: Array.isArray(incoming) ? incoming : [incoming] }
}

function fault(
  tag: ConstructorParameters<typeof RelayError<'invalidPayload'>>[1],
  what: string,
  id = 'null',
): Incoming {
  return { kind: 'fault', id, error: new RelayError('invalidPayload', tag, what) }
}

/** The JSON text of a number, because JavaScript numbers lose digits beyond 2^53. */
class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Parses JSON and keeps numeric ids of requests as text. */
function parseWithIds(text: string): unknown {
  const value = parseJson(text)
  if (!Array.isArray(value)) {
    if (!hasNumberId(value)) return value
    // In most texts, the id is first and in canonical notation. Such texts need no search.
    const isPlain = text.startsWith(`{"id":${value.id},`)
    return withId(value, isPlain ? `${value.id}` : findIds(text, 1)[0])
  }
  if (!value.some(hasNumberId)) return value
  const ids = findIds(text, 2)
  return value.map((entry, index) => (hasNumberId(entry) ? withId(entry, ids[index]) : entry))
}

/** Replaces the id of a parsed request. */
function withId(value: { id: unknown }, id: string | undefined) {
  value.id = id === undefined ? undefined : new NumberText(id)
  return value
}

function hasNumberId(value: unknown): value is { id: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'id' in value &&
    typeof value.id === 'number'
  )
}

const quote = 0x22
const comma = 0x2c

/**
 * Finds the JSON text of numeric `id` members. A reviver for `JSON.parse` would also receive the text, but
 * is called for every value of the frame.
 *
 * @param text - valid JSON.
 * @param depth - nesting depth of the request objects: 1 for a single request, 2 in a batch.
 * @returns the texts by position in the batch.
 */
function findIds(text: string, depth: 1 | 2): (string | undefined)[] {
  const ids: (string | undefined)[] = []
  let level = 0
  let index = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const start = at
      at = endOfString(text, start)
      if (level !== depth) continue
      memberValue.lastIndex = at + 1
      const member = memberValue.exec(text)
      // As in `JSON.parse`, the last of duplicate members wins.
      if (member && JSON.parse(text.slice(start, at + 1)) === 'id') ids[index] = member[1]
    } else if (code === comma && level === 1 && depth === 2) index += 1
    // [ and {
    else if (code === 0x5b || code === 0x7b) level += 1
    // ] and }
    else if (code === 0x5d || code === 0x7d) level -= 1
  }
  return ids
}

/** Matches the colon after a member name, and the member's value if it is a number. */
const memberValue = /\s*:\s*(-?\d[\d.eE+-]*)?/y

/** Maximum length of a request's id, in characters. The response repeats the id. */
const maxIdLength = 256

/** @returns `undefined` if the id is invalid. */
function toIdText(id: unknown): string | undefined {
  if (typeof id === 'string' && id.length <= maxIdLength) return JSON.stringify(id)
  return id instanceof NumberText && id.text.length <= maxIdLength ? id.text : undefined
}
