import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { RelayMethod } from '@gatefold/protocol/relay'
import { RelayError, RelayStorageError, toErrorMember } from '../errors.ts'
import { handlers } from '../methods/index.ts'
import { costOf } from './costOf.ts'
import { longestMs } from './createRateLimit.ts'
import { parseParams, parseRequests, type Incoming } from './parseRequests.ts'
import type { Handler } from '../methods/Handler.ts'
import type { RelayContext } from '../RelayContext.ts'

/** The sender of a frame or body, and how it gets answers. */
export type Sender = {
  clientId: string
  /** The address whose limits apply to it. */
  address: string
  projectId: string
  /** The `Host` header of its connection or request. */
  host: string | undefined
  /** Receives the acknowledgement of a push. */
  onReceipt(seq: number): void
  /** Called when a rate limit delays its requests by this many ms. */
  onDelay?(ms: number): void
  /** Refuses requests that would be delayed longest; a socket is not read from instead. */
  refusesDelay?: boolean
  /** Settles when its last delayed request may be handled; later requests wait for it. */
  lastDelayed?: Promise<void> | undefined
  /** Settles when its last fetch in flight has ended. */
  lastFetch?: Promise<void> | undefined
  /** Resolves once it has drained enough of its answers. */
  whenDrained?(): Promise<void>
  /**
   * Whether a publish that could not be stored in time gets no answer. Official clients then send it
   * again; a second error would end their process.
   */
  isSilentOnStorage: boolean
}

export type Reply = {
  /** JSON text; `undefined` for no answer. */
  text: string | undefined
  /** Call once the text is written: runs the jobs that follow the answer. */
  onSent: () => void
}

/** An incoming entry that needs an answer. */
type Answerable = Exclude<Incoming, { kind: 'receipt' }>

/** State of the answer to one frame or body. */
type Frame = {
  /** Run once the answer is written. */
  jobs: (() => void)[]
  /** Characters of the answer so far. */
  size: number
}

/**
 * Handles the requests and acknowledgements of a frame or body. Rejects only for a sender with
 * `refusesDelay`, with the error `TooManyRequests`.
 *
 * @returns `undefined` without a request: acknowledgements, most frames of a busy relay, have no answer.
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
  await waitForTurn(relay, sender, entries)
  const frame: Frame = { jobs: [], size: 0 }
  const onSent = () => frame.jobs.forEach((job) => job())
  if (!isBatch) return { text: await answer(relay, sender, entries[0]!, frame), onSent }
  const answers = await Promise.all(entries.map((entry) => answer(relay, sender, entry, frame)))
  const given = answers.filter((one) => one !== undefined)
  return { text: given.length === 0 ? undefined : `[${given.join(',')}]`, onSent }
}

/**
 * Delays requests beyond a rate limit, and the client's later requests with them, so that they keep
 * their order.
 *
 * @returns `undefined` without a delay.
 * @throws {RelayError} `TooManyRequests`, see `refusesDelay`.
 * @see docs/threats.md#overload
 */
function waitForTurn(
  { rateLimits, metrics }: RelayContext,
  sender: Sender,
  entries: readonly Answerable[],
) {
  const units = { publish: 0, topic: 0 }
  for (const entry of entries) {
    if (entry.kind !== 'request') continue
    const cost = costOf(entry)
    units[cost.kind] += cost.units
  }
  let ms = 0
  for (const kind of ['publish', 'topic'] as const)
    if (units[kind] > 0) ms = Math.max(ms, rateLimits[kind].take(sender.clientId, units[kind]))
  if (ms >= longestMs && sender.refusesDelay)
    throw new RelayError(
      'tooManyRequests',
      'TooManyRequests',
      `try again in ${Math.ceil(ms / 1000)} s`,
    )
  const before = sender.lastDelayed
  if (ms === 0 && !before) return undefined
  if (ms > 0) {
    metrics.delayed.inc()
    sender.onDelay?.(ms)
  }
  // A busy process may run timers out of order.
  const turn = Promise.all([before, ms > 0 && wait(ms, undefined, { ref: false })]).then(() => {
    if (sender.lastDelayed === turn) sender.lastDelayed = undefined
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
    // TypeScript cannot infer that the handler takes the params of this method.
    const handler = handlers[method] as Handler<RelayMethod>
    const result = await handler(relay, {
      params,
      clientId: sender.clientId,
      payer: {
        address: sender.address,
        projectId: sender.projectId,
        clientId: sender.clientId,
      },
      host: sender.host,
      afterAnswer: (job) => frame.jobs.push(job),
      readInTurn: (read) => readInTurn(sender, frame, read),
    })
    relay.metrics.answers.inc({ method, outcome: 'ok' })
    const text = toAnswer(id, { result })
    frame.size += text.length
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

/** Bounds memory: one frame may hold 500 fetches of 1 MiB each, from a client that drains nothing. */
function readInTurn<Page>(sender: Sender, frame: Frame, read: () => Promise<Page>) {
  const page = Promise.resolve(sender.lastFetch)
    .then(() => sender.whenDrained?.())
    .then(() => (frame.size > limits.relayBufferBytes ? undefined : read()))
  const end = () => {
    if (sender.lastFetch === lastFetch) sender.lastFetch = undefined
  }
  const lastFetch: Promise<void> = page.then(end, end)
  sender.lastFetch = lastFetch
  return page
}

function toAnswer(id: string, member: { result: unknown } | { error: unknown }): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify(member).slice(1)}`
}
