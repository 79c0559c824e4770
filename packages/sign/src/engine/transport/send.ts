import { hashSealed } from '../../crypto/keys.ts'
import { toErrorData } from '../../errors.ts'
import type { Analytics } from '../../relayer/Relayer.ts'
import type { Reason } from '../../Session.ts'
import { noMatchingKey } from '../../validation/messages.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { type Method, methods, type PublishSettings, unknownMethod } from './methods.ts'

/** How long official clients keep a record, in seconds. */
const recordLifetime = 30 * 86_400

/** Maximum time that a request waits for an attestation, in ms. @see docs/contracts/verify.md */
const attestationWaitMs = 250
/** If a request's attestation does not arrive in time, later requests are sent without one for this time, in ms. */
const attestationPauseMs = 60_000

export type Request = {
  id: number
  topic: string
  method: Method
  params: unknown
  /** The response's topic, if it differs from the request's. */
  responseTopic?: string | undefined
  /** Seconds until the request expires. */
  wait?: number | undefined
  /** Whether to send the request after a restart if the relay has not stored it. @see resendUnsent */
  keep?: boolean | undefined
}

/** Seals a request and stores its record. @returns text and envelope, whose hashes an attestation covers */
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

/** Marks a request as stored by the relay, so that a later engine does not send it again. */
export function markSent({ stores }: Context, id: number): void {
  const record = stores.records.get(id)
  if (record?.unsent) void stores.records.set({ ...record, unsent: undefined, message: undefined })
}

/**
 * Seals and publishes a request.
 *
 * @throws {RelayError} if the relay does not store it; the record is then deleted
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
    // Aborted in the meantime, or deleted with its session.
    if (context.recentlyDeleted.has(id) || !records.has(id))
      throw noMatchingKey(`request id doesn't exist: ${id}`)
    await context.relay.publish(topic, message, {
      ...methods[method].request,
      ttl,
      attestation,
      analytics: { correlationId: id, ...analytics },
      expectsResponse: true,
    })
    markSent(context, id)
  } catch (error) {
    await records.delete(id)
    throw error
  }
}

/** An attestation, if the service returns one within `attestationWaitMs`. */
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

/** Publishes a response. @throws {RelayError} */
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

/** Publishes a response without waiting for the relay. */
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
  // The relayer has already retried for 60 s, and a peer without a response repeats its request.
  sendResponse(context, { ...parameters, publishing }).catch(() => undefined)
}

/** Converts an error to the reason that is sent to the peer. */
export function toReason(error: unknown, code: number): Reason {
  const { message, reason } = toErrorData(error)
  return reason ?? { code, message }
}

/**
 * Whether a message is older than the last one. Compares ids without their last three digits, which are
 * random; the other digits are a time in ms.
 *
 * @see spec §5.12.7
 */
export function isOutOfSync(id: number, last = 0): boolean {
  return Math.floor(id / 1_000) < Math.floor(last / 1_000)
}
