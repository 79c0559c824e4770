import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { RelayMethod } from '@gatefold/protocol/relay'
import { RelayError, RelayStorageError, toErrorMember } from '../errors.ts'
import { handlers } from '../methods/index.ts'
import { costOf } from './costOf.ts'
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

export type Reply = {
  /** The response as JSON; `undefined` if there is none. */
  text: string | undefined
  /** Runs the jobs that must follow the response. Call this once the response is written. */
  onSent: () => void
}

/** An incoming entry that needs a response. */
type Answerable = Exclude<Incoming, { kind: 'receipt' }>

/**
 * Maximum number of topics that all requests of a frame may list: as many as a client can subscribe to. This limits
 * the size of the response, which may contain an error for each topic.
 */
const maxListedTopics = 5_000

/** State of the response to one frame or body. */
type Frame = {
  /** Number of topics that its requests list. */
  listedTopics: number
  /** Callbacks to run after the response is written. */
  jobs: (() => void)[]
  /** Length of the response so far, in characters. */
  size: number
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
  return entries.length === 0 ? undefined : reply(relay, sender, entries, isBatch)
}

async function reply(
  relay: RelayContext,
  sender: Sender,
  entries: readonly Answerable[],
  isBatch: boolean,
): Promise<Reply> {
  const frame: Frame = { listedTopics: 0, jobs: [], size: 0 }
  const onSent = () => {
    relay.context.memory.add(sender.address, -frame.size)
    for (const job of frame.jobs) job()
  }
  const refusal = await waitForTurn(relay, sender, entries)
  if (refusal) {
    const refused = entries.map(({ id }) => toAnswer(id, { error: toErrorMember(refusal) }))
    return { text: isBatch ? `[${refused.join(',')}]` : refused[0], onSent }
  }
  if (!isBatch) return { text: await answer(relay, sender, entries[0]!, frame), onSent }
  const answers = await Promise.all(entries.map((entry) => answer(relay, sender, entry, frame)))
  const given = answers.filter((one) => one !== undefined)
  return { text: given.length === 0 ? undefined : `[${given.join(',')}]`, onSent }
}

/** A frame with at least this many publishes, topics and receipts in total waits for a turn of its address. */
const largeUnits = 50
/** Handling a unit takes at most as long as parsing this many bytes. */
const unitBytes = 10_000

/**
 * Delays requests that exceed a rate limit. The client's later requests wait for them, which keeps the
 * order. A large frame also waits for a turn of its address.
 *
 * @returns the error `TooManyRequests` if the client's debt is too large; otherwise `undefined`, after the delay.
 * @throws {RelayError} the same error, for a sender with `refusesDelay`.
 * @see docs/threats.md#overload
 */
function waitForTurn(
  { context, rateLimits, metrics }: RelayContext,
  sender: Sender,
  entries: readonly Answerable[],
) {
  const units = { publish: 0, topic: 0 }
  for (const entry of entries) {
    if (entry.kind !== 'request') continue
    const cost = costOf(entry)
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
    if (sender.refusesDelay) throw refusal
    return refusal
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

async function answer(
  relay: RelayContext,
  sender: Sender,
  entry: Answerable,
  frame: Frame,
): Promise<string | undefined> {
  if (entry.kind === 'fault') {
    relay.metrics.answers.inc({ method: 'none', outcome: entry.error.tag })
    return toAnswer(entry.id, { error: toErrorMember(entry.error) })
  }
  const { id, method } = entry
  try {
    const params = parseParams(method, entry.params)
    if ('topics' in params) frame.listedTopics += params.topics.length
    if (frame.listedTopics > maxListedTopics)
      throw new RelayError(
        'invalidPayload',
        'BatchLimitExceeded',
        `the requests of a frame may list at most ${maxListedTopics} topics`,
      )
    // TypeScript cannot infer that the handler accepts the params of this method.
    const handler = handlers[method] as Handler<RelayMethod>
    const result = await handler(relay, {
      params,
      clientId: sender.clientId,
      payer: sender,
      host: sender.host,
      afterAnswer: (job) => frame.jobs.push(job),
      readInTurn: (read) => readInTurn(relay, sender, frame, read),
    })
    relay.metrics.answers.inc({ method, outcome: 'ok' })
    const text = toAnswer(id, { result })
    frame.size += text.length
    // Counted in the memory budget until the response is written.
    relay.context.memory.add(sender.address, text.length)
    return text
  } catch (error) {
    const outcome = error instanceof RelayError ? (error as RelayError).tag : 'Unknown'
    relay.metrics.answers.inc({ method, outcome })
    if (!(error instanceof RelayError))
      relay.context.log.error({ err: error, method }, 'a relay request failed')
    const isSilent = error instanceof RelayStorageError && costOf(entry).kind === 'publish'
    if (isSilent && sender.isSilentOnStorage) return undefined
    return toAnswer(id, { error: toErrorMember(error) })
  }
}

/**
 * Runs a sender's reads one after another, which limits the memory they use. A frame may contain 500
 * fetches of 1 MiB each, from a client that drains no responses.
 */
function readInTurn<Page>(
  { context: { memory } }: RelayContext,
  sender: Sender,
  frame: Frame,
  read: () => Promise<Page>,
) {
  const page = Promise.resolve(sender.lastFetch)
    .then(() => sender.whenDrained?.())
    .then(() => {
      if (frame.size > limits.relayBufferBytes) return undefined
      if (!memory.reserve(sender.address, pageBytes)) return undefined
      return read().finally(() => memory.add(sender.address, -pageBytes))
    })
  const end = () => {
    if (sender.lastFetch === lastFetch) sender.lastFetch = undefined
  }
  const lastFetch: Promise<void> = page.then(end, end)
  sender.lastFetch = lastFetch
  return page
}

/** Memory reserved for a page of messages, in bytes. */
const pageBytes = 1024 * 1024

function toAnswer(id: string, member: { result: unknown } | { error: unknown }): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify(member).slice(1)}`
}
