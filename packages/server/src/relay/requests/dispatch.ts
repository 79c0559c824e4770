import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { RelayMethod } from '@gatefold/protocol/relay'
import { RelayError, RelayStorageError, toErrorMember } from '../errors.ts'
import { handlers } from '../methods/index.ts'
import { costOf, faultCost } from './costOf.ts'
import { longestMs, maxOwedMs } from './createRateLimit.ts'
import { parseParams, parseRequests, type Incoming } from './parseRequests.ts'
import type { Handler } from '../methods/Handler.ts'
import type { RelayContext } from '../RelayContext.ts'

/** The sender of a frame or HTTP body. */
export type Sender = {
  clientId: string
  /** The network address whose limits apply to the sender. */
  address: string
  projectId: string
  /** The `Host` header of its connection or request. */
  host: string | undefined
  /** Called with the id of a push that the sender acknowledges. */
  onReceipt(seq: number): void
  /**
   * Called when a rate limit delays or refuses its requests, with the debt in ms, at most {@link maxOwedMs}.
   */
  onDelay?(ms: number): void
  /**
   * Whether requests are refused at a debt of {@link longestMs}, because
   * reading from the sender cannot be paused. For sockets, the relay pauses
   * reading instead, and refuses requests only at a debt of {@link maxOwedMs}.
   */
  refusesDelay?: boolean
  /** Settles when its last delayed request may be handled; later requests wait for it. */
  lastDelayed?: Promise<void> | undefined
  /** Settles when its last pending fetch has ended. */
  lastFetch?: Promise<void> | undefined
  /** Resolves once it has drained enough of its responses. */
  whenDrained?(): Promise<void>
  /**
   * Whether a publish gets no response if the store fails or is too slow. Official clients then send it again.
   * After two error responses, their Node process would exit because of an unhandled rejection.
   */
  isSilentOnStorage: boolean
}

/** An incoming entry that needs a response. */
type Answerable = Exclude<Incoming, { kind: 'receipt' }>

/**
 * Maximum number of topics that all requests of a frame may list: as many as a client can subscribe to. This limits
 * the size of the response, which may contain an error for each topic.
 */
const maxListedTopics = 5_000

/** The response to one frame or body. */
export class Reply {
  readonly relay: RelayContext
  readonly sender: Sender
  readonly isBatch: boolean
  /** The response to each entry; `undefined` if it has none, or is not answered yet. */
  readonly texts: (string | undefined)[] = []
  /** Number of topics that its requests list. */
  listedTopics = 0
  /** Length of the responses so far, in characters. */
  size = 0
  /** Callbacks to run after the response is written. */
  jobs: (() => void)[] | undefined

  constructor(relay: RelayContext, sender: Sender, isBatch: boolean) {
    this.relay = relay
    this.sender = sender
    this.isBatch = isBatch
  }

  /** The response as JSON; `undefined` if there is none. */
  get text(): string | undefined {
    if (!this.isBatch) return this.texts[0]
    const given = this.texts.filter((text) => text !== undefined)
    return given.length === 0 ? undefined : `[${given.join(',')}]`
  }

  /** Runs the jobs that must follow the response. Call this once the response is written. */
  onSent() {
    this.relay.context.memory.add(this.sender.address, -this.size)
    if (this.jobs) for (const job of this.jobs) job()
  }
}

/**
 * Handles the requests and acknowledgements of a frame or body. Rejects only for a sender with
 * `refusesDelay`, with the error `TooManyRequests`.
 *
 * @returns `undefined` if nothing in the text needs a response. Most frames on a busy relay contain only
 * acknowledgements, which have no response.
 */
export function dispatch(
  relay: RelayContext,
  sender: Sender,
  text: string,
): Promise<Reply> | undefined {
  const { isBatch, incoming } = parseRequests(text)
  const entries: Answerable[] = []
  for (const entry of incoming)
    if (entry.kind === 'receipt') sender.onReceipt(entry.seq)
    else entries.push(entry)
  if (entries.length === 0) return undefined
  const reply = new Reply(relay, sender, isBatch)
  const turn = waitForTurn(relay, sender, entries)
  return turn
    ? turn.then((refusal) => answerAll(reply, entries, refusal))
    : answerAll(reply, entries)
}

/** Answers all entries, with an error if they are refused. */
function answerAll(
  reply: Reply,
  entries: readonly Answerable[],
  refusal?: RelayError,
): Promise<Reply> {
  if (refusal) {
    for (const { id } of entries) reply.texts.push(toAnswer(id, { error: toErrorMember(refusal) }))
    return Promise.resolve(reply)
  }
  if (!reply.isBatch) return answer(reply, entries[0]!, 0)
  return Promise.all(entries.map((entry, index) => answer(reply, entry, index))).then(() => reply)
}

/** A frame with at least this many publishes, topics and receipts in total waits for a turn of its address. */
const largeUnits = 50
/** Handling a unit takes at most as long as parsing this many bytes. */
const unitBytes = 10_000

/**
 * Delays requests that exceed a rate limit. The client's later requests wait for them, which keeps the
 * order. A large frame also waits for a turn of its address.
 *
 * @returns `undefined` if nothing has to wait. Otherwise a promise, which resolves with the error `TooManyRequests` if
 * the client's debt is too large, and rejects with it for a sender with `refusesDelay`.
 * @see docs/threats.md#overload
 */
function waitForTurn(
  { context, rateLimits, metrics }: RelayContext,
  sender: Sender,
  entries: readonly Answerable[],
): Promise<RelayError | undefined> | undefined {
  const units = { publish: 0, topic: 0 }
  for (const entry of entries) {
    const cost = entry.kind === 'request' ? costOf(entry) : faultCost
    units[cost.kind] += cost.units
  }
  const maxMs = sender.refusesDelay ? longestMs : maxOwedMs
  let owedMs = 0
  for (const kind of ['publish', 'topic'] as const) {
    if (units[kind] === 0) continue
    owedMs = Math.max(owedMs, rateLimits[kind].take(sender.clientId, units[kind], maxMs))
  }
  const before = sender.lastDelayed
  const count = units.publish + units.topic
  const isLarge = count >= largeUnits
  if (owedMs === 0 && !before && !isLarge) return undefined
  if (owedMs > 0) {
    metrics.delayed.inc()
    sender.onDelay?.(Math.min(owedMs, maxOwedMs))
  }
  if (owedMs === Infinity) {
    const what = `try again in ${maxMs / 1000} s`
    const refusal = new RelayError('tooManyRequests', 'TooManyRequests', what)
    return sender.refusesDelay ? Promise.reject(refusal) : Promise.resolve(refusal)
  }
  const ms = Math.min(owedMs, longestMs)
  // Also waits for the earlier delay, because a busy process may run timers out of order.
  const turn = Promise.all([before, ms > 0 && wait(ms, undefined, { ref: false })])
    .then(() => (isLarge ? context.turns.next(sender.address, unitBytes * count) : undefined))
    .then(() => {
      if (sender.lastDelayed === turn) sender.lastDelayed = undefined
      return undefined
    })
  sender.lastDelayed = turn
  return turn
}

/**
 * Answers the entry at a position of a frame. Not an async function, because the state of such functions would be
 * most of the memory of a message that waits to be stored.
 */
function answer(reply: Reply, entry: Answerable, index: number): Promise<Reply> {
  const { relay } = reply
  if (entry.kind === 'fault') {
    relay.metrics.answers.inc({ method: 'none', outcome: entry.error.tag })
    reply.texts[index] = toAnswer(entry.id, { error: toErrorMember(entry.error) })
    return Promise.resolve(reply)
  }
  const fail = (error: unknown) => {
    reply.texts[index] = toFailure(reply, entry, error)
    return reply
  }
  try {
    return callHandler(reply, entry).then((result) => {
      reply.texts[index] = toSuccess(reply, entry, result)
      return reply
    }, fail)
  } catch (error) {
    return Promise.resolve(fail(error))
  }
}

type Request = Extract<Incoming, { kind: 'request' }>

/** @throws {RelayError} if the params are invalid. */
function callHandler(reply: Reply, { method, params: unparsed }: Request): Promise<unknown> {
  const { relay, sender } = reply
  const params = parseParams(method, unparsed)
  if ('topics' in params) reply.listedTopics += params.topics.length
  if (reply.listedTopics > maxListedTopics)
    throw new RelayError(
      'invalidPayload',
      'BatchLimitExceeded',
      `the requests of a frame may list at most ${maxListedTopics} topics`,
    )
  // TypeScript cannot infer that the handler accepts the params of this method.
  const handler = handlers[method] as Handler<RelayMethod>
  return handler(relay, {
    params,
    clientId: sender.clientId,
    payer: sender,
    host: sender.host,
    afterAnswer: (job) => (reply.jobs ??= []).push(job),
    readInTurn: (read) => readInTurn(reply, read),
  })
}

function toSuccess(reply: Reply, { id, method }: Request, result: unknown): string {
  const { relay, sender } = reply
  relay.metrics.answers.inc({ method, outcome: 'ok' })
  const text = toAnswer(id, { result })
  reply.size += text.length
  // Counted in the memory budget until the response is written.
  relay.context.memory.add(sender.address, text.length)
  return text
}

function toFailure({ relay, sender }: Reply, entry: Request, error: unknown): string | undefined {
  const { id, method } = entry
  const outcome = error instanceof RelayError ? (error as RelayError).tag : 'Unknown'
  relay.metrics.answers.inc({ method, outcome })
  if (!(error instanceof RelayError))
    relay.context.log.error({ err: error, method }, 'a relay request failed')
  const isSilent = error instanceof RelayStorageError && costOf(entry).kind === 'publish'
  return isSilent && sender.isSilentOnStorage
    ? undefined
    : toAnswer(id, { error: toErrorMember(error) })
}

/**
 * Runs a sender's reads one after another, which limits the memory they use. A frame may contain 500
 * fetches of 1 MiB each, from a client that drains no responses.
 */
function readInTurn<Page>(reply: Reply, read: (nextTurn: () => Promise<void>) => Promise<Page>) {
  const { relay, sender } = reply
  const { memory, turns } = relay.context
  /** The event loop is busy for several ms with reading a page, and with the response. */
  async function readPage() {
    const nextTurn = () => turns.next(sender.address, pageBytes)
    await nextTurn()
    const page = await read(nextTurn)
    await nextTurn()
    return page
  }
  const page = Promise.resolve(sender.lastFetch)
    .then(() => sender.whenDrained?.())
    .then(() => {
      if (reply.size > limits.relayBufferBytes) return undefined
      if (!memory.reserve(sender.address, pageBytes)) return undefined
      return readPage().finally(() => memory.add(sender.address, -pageBytes))
    })
  const end = () => {
    if (sender.lastFetch === lastFetch) sender.lastFetch = undefined
  }
  const lastFetch: Promise<void> = page.then(end, end)
  sender.lastFetch = lastFetch
  return page
}

/** Maximum size of a page of messages, in bytes. */
export const pageBytes = 1024 * 1024

function toAnswer(id: string, member: { result: unknown } | { error: unknown }): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify(member).slice(1)}`
}
