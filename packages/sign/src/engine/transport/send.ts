import { hashSealed } from '../../crypto/keys.ts'
import { toErrorData } from '../../errors.ts'
import type { Analytics } from '../../relayer/Relayer.ts'
import type { Reason } from '../../Session.ts'
import { noMatchingKey } from '../../validation/texts.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { type Method, methods, type PublishSettings, unknownMethod } from './methods.ts'
import type { StoredRecord } from '../state/schemas.ts'

/** How long a record is kept to know a message again, in seconds. */
const recordLifetime = 30 * 86_400

/** Longest that a request waits for an attestation. @see contract of the relay, 6 */
const attestationWaitMs = 250
/** After the service did not answer in time nothing waits for it for this long. */
const attestationPauseMs = 60_000

export type Request = {
  id: number
  topic: string
  method: Method
  params: unknown
  /** Where the answer comes, if that is another topic. */
  responseTopic?: string | undefined
  /** Seconds the answer is waited for. */
  wait?: number | undefined
  /** Sent by the next page if the relay has not taken it by then. @see resendUnsent */
  keep?: boolean | undefined
}

/** Notes an own request and seals it. The text is what attestations are about. */
export async function sealRequest(
  context: Context,
  request: Request,
  alphabet?: 'base64' | 'base64url',
) {
  const { id, topic, responseTopic, method, params, wait = 300, keep } = request
  const text = JSON.stringify({ id, jsonrpc: '2.0', method, params })
  const message = context.keys.encode(topic, text, alphabet)
  const now = nowSeconds(context)
  await context.stores.records.set({
    id,
    topic,
    request: { method, params },
    expiry: now + recordLifetime,
    deadline: now + wait,
    sent: true,
    unsent: true,
    ...(responseTopic && { responseTopic }),
    ...(keep && { message }),
  })
  return { text, message }
}

/** The relay has it: whoever runs the engine next need not send it again. */
export function markSent({ stores }: Context, id: number): void {
  const record = stores.records.get(id)
  if (record?.unsent) void stores.records.set({ ...record, unsent: undefined, message: undefined })
}

/**
 * Seals a request and hands it to the relay.
 *
 * @throws {RelayError} when it did not take it; the request is then forgotten.
 */
export async function sendRequest(
  context: Context,
  request: Request,
  options: { analytics?: Analytics; ttl?: number | undefined; attest?: boolean } = {},
): Promise<void> {
  const { id, topic, method } = request
  const { text, message } = await sealRequest(context, request)
  const { ttl = methods[method].request.ttl, attest = false, analytics } = options
  const { records } = context.stores
  try {
    const attestation = attest ? await attestWithinLimit(context, { text, message }) : undefined
    // Given up meanwhile, or gone with its session.
    if (context.recentlyDeleted.has(id) || !records.has(id))
      throw noMatchingKey(`request id doesn't exist: ${id}`)
    await context.relay.publish(topic, message, {
      ...methods[method].request,
      ttl,
      attestation,
      analytics: { correlationId: id, ...analytics },
    })
    markSent(context, id)
  } catch (error) {
    await records.delete(id)
    throw error
  }
}

/** An attestation, if the service gives it at once. */
async function attestWithinLimit(context: Context, sealed: { text: string; message: string }) {
  const { verify, clock, attestationPause } = context
  if (!verify || clock.now() < attestationPause.untilMs) return undefined
  let stop = () => {}
  const late = new Promise<'late'>((resolve) => {
    stop = clock.later(() => resolve('late'), attestationWaitMs)
  })
  const attestation = await Promise.race([
    hashSealed(sealed).then((ids) => verify.attest(ids)),
    late,
  ])
  stop()
  if (attestation !== undefined && attestation !== 'late') return attestation
  attestationPause.untilMs = clock.now() + attestationPauseMs
  return undefined
}

export type Answer = { result: unknown } | { error: Reason }

/** Publishes an answer. @throws {RelayError} */
export async function sendResponse(
  context: Context,
  parameters: {
    topic: string
    id: number
    answer: Answer
    publishing: PublishSettings
    analytics?: Analytics | undefined
  },
): Promise<void> {
  const { topic, id, answer, publishing, analytics } = parameters
  const message = context.keys.encode(topic, JSON.stringify({ id, jsonrpc: '2.0', ...answer }))
  await context.relay.publish(topic, message, {
    ...publishing,
    analytics: { correlationId: id, ...analytics },
  })
}

/** Answers in passing: the relay repeats it for a while, and who misses it asks again. */
export function respondInBackground(
  context: Context,
  parameters: {
    topic: string
    id: number
    method: Method | undefined
    answer: Answer
    publishing?: PublishSettings
  },
): void {
  const { method } = parameters
  const publishing = parameters.publishing ?? (method ? methods[method].response : unknownMethod)
  // An answer that cannot be delivered leaves this side as it is; nobody here waits for it.
  sendResponse(context, { ...parameters, publishing }).catch(() => undefined)
}

/** An error as a peer is told it. */
export function toReason(error: unknown, code: number): Reason {
  const { message, reason } = toErrorData(error)
  return reason ?? { code, message }
}

/** Newest id of the same kind that this peer sent before; 0 when there is none. */
export function lastReceived(
  context: Context,
  topic: string,
  matches: (request: StoredRecord['request']) => boolean,
): number {
  return context.stores.records
    .values()
    .filter((record) => !record.sent && record.topic === topic && matches(record.request))
    .reduce((last, { id }) => Math.max(last, id), 0)
}

/**
 * Whether a message is older than one that came before it. Ids are times with three digits more,
 * which do not count.
 *
 * @see spec §5.12.7
 */
export function isOutOfSync(id: number, last: number): boolean {
  return Math.floor(id / 1_000) < Math.floor(last / 1_000)
}
