import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { RelayMethod } from '@gatefold/protocol/relay'
import { RelayError, RelayStorageError, toErrorMember } from '../errors.ts'
import { handlers } from '../methods/index.ts'
import { parseParams, parseRequests, type Incoming } from './parseRequests.ts'
import type { Handler } from '../methods/Handler.ts'
import type { RelayContext } from '../RelayContext.ts'

/** Who sends, and what it does with what is not answered. */
export type Sender = {
  clientId: string
  /** The `Host` header it came with. */
  host: string | undefined
  /** Told of the answer to a push. */
  onReceipt(seq: number): void
  /** Told that a publish waits this long (ms) because the client sends too many. */
  onDelay?(ms: number): void
  /** The last of its publishes that waits, if any does; what comes after that waits for it. */
  waiting?: Promise<void> | undefined
  /** Ends with the last of its fetches, if any is under way. */
  fetching?: Promise<void> | undefined
  /** Ends when it has read enough of what it was answered. */
  whenRead?(): Promise<void>
  /**
   * Whether a publish that could not be stored in time is left without an answer. An official client
   * then sends it again, while a second error would end its process.
   */
  isSilentOnStorage: boolean
}

export type Reply = {
  /** JSON text; `undefined` when there is nothing to say. */
  text: string | undefined
  /** Does what must wait until the text is on its way. */
  sent: () => void
}

/** What is owed an answer. */
type Asked = Exclude<Incoming, { kind: 'receipt' }>

/** What is made of a frame. */
type Frame = {
  /** To be done once its answer is on its way. */
  jobs: (() => void)[]
  /** Characters of its answer so far. */
  size: number
}

/**
 * Does what a frame or body asks for. Never rejects.
 *
 * @returns `undefined` when it asks for nothing, as most frames of a busy relay: a receipt has no answer.
 */
export function dispatch(
  relay: RelayContext,
  sender: Sender,
  text: string,
): Promise<Reply> | undefined {
  const { isBatch, incoming } = parseRequests(text)
  const asked: Asked[] = []
  for (const entry of incoming)
    if (entry.kind === 'receipt') sender.onReceipt(entry.seq)
    else asked.push(entry)
  return asked.length === 0 ? undefined : reply(relay, sender, asked, isBatch)
}

async function reply(
  relay: RelayContext,
  sender: Sender,
  asked: readonly Asked[],
  isBatch: boolean,
): Promise<Reply> {
  await turnOf(relay, sender, asked)
  const frame: Frame = { jobs: [], size: 0 }
  const sent = () => frame.jobs.forEach((job) => job())
  if (!isBatch) return { text: await answer(relay, sender, asked[0]!, frame), sent }
  const answers = await Promise.all(asked.map((entry) => answer(relay, sender, entry, frame)))
  const given = answers.filter((one) => one !== undefined)
  return { text: given.length === 0 ? undefined : `[${given.join(',')}]`, sent }
}

/**
 * When what a client sends may be done; `undefined` for now. Overload delays, it never refuses, and what
 * a client sends keeps its order.
 *
 * @see docs/threats.md#overload
 */
function turnOf({ rateLimit, metrics }: RelayContext, sender: Sender, asked: readonly Asked[]) {
  let cost = 0
  for (const entry of asked) cost += countPublishes(entry)
  if (cost === 0) return undefined
  const ms = rateLimit.take(sender.clientId, cost)
  const before = sender.waiting
  if (ms === 0 && !before) return undefined
  if (ms > 0) {
    metrics.delayed.inc()
    sender.onDelay?.(ms)
  }
  // A busy process runs timers late, and not always in their order.
  const turn = Promise.all([before, ms > 0 && wait(ms, undefined, { ref: false })]).then(() => {
    if (sender.waiting === turn) sender.waiting = undefined
  })
  sender.waiting = turn
  return turn
}

function countPublishes(entry: Asked): number {
  if (entry.kind !== 'request') return 0
  if (entry.method === 'wc_approveSession') return 2
  if (entry.method === 'irn_publish' || entry.method === 'wc_proposeSession') return 1
  if (entry.method !== 'irn_batchPublish') return 0
  const { messages } = (entry.params ?? {}) as { messages?: unknown }
  return Array.isArray(messages) ? messages.length : 1
}

async function answer(
  relay: RelayContext,
  sender: Sender,
  entry: Asked,
  frame: Frame,
): Promise<string | undefined> {
  if (entry.kind === 'fault') {
    relay.metrics.answers.inc({ method: 'none', outcome: entry.error.tag })
    return toAnswer(entry.id, { error: toErrorMember(entry.error) })
  }
  const { id, method } = entry
  try {
    const params = parseParams(method, entry.params)
    // The table pairs each method with its handler; TypeScript cannot follow that by name.
    const handler = handlers[method] as Handler<RelayMethod>
    const result = await handler(relay, {
      params,
      clientId: sender.clientId,
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
    const isSilent = error instanceof RelayStorageError && countPublishes(entry) > 0
    if (isSilent && sender.isSilentOnStorage) return undefined
    return toAnswer(id, { error: toErrorMember(error) })
  }
}

/** A frame of 500 fetches may ask for 500 MiB, and so may one chunk of a client that reads none of it. */
function readInTurn<Page>(sender: Sender, frame: Frame, read: () => Promise<Page>) {
  const page = Promise.resolve(sender.fetching)
    .then(() => sender.whenRead?.())
    .then(() => (frame.size > limits.relayBufferBytes ? undefined : read()))
  const end = () => {
    if (sender.fetching === fetching) sender.fetching = undefined
  }
  const fetching: Promise<void> = page.then(end, end)
  sender.fetching = fetching
  return page
}

function toAnswer(id: string, member: { result: unknown } | { error: unknown }): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify(member).slice(1)}`
}
