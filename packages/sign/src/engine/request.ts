import * as v from 'valibot'
import { ExpiredError, PeerError, toErrorData } from '../errors.ts'
import { approvedChains, eventsFor, methodsFor } from '../namespaces.ts'
import { getReason, reasons } from '../reasons.ts'
import type { Namespaces, PendingRequest, Reason } from '../Session.ts'
import { isChainId } from '../validation/namespaces.ts'
import { isRecord, isText } from '../validation/shapes.ts'
import { missingOrInvalid, noMatchingKey, show } from '../validation/texts.ts'
import { toAnalytics } from './analytics.ts'
import { getSession, isWallet } from './checks.ts'
import { type Context, createId, nowSeconds } from './Context.ts'
import type { Command } from './Engine.ts'
import { methods, requestExpiry } from './methods.ts'
import { checkPeer } from './proposal.ts'
import type { Answered, Received } from './Received.ts'
import { deleteRequest } from './remove.ts'
import { EventParams, RequestParams } from './schemas.ts'
import { answerSoon, sendAnswer, sendRequest } from './send.ts'

// ---- app side

/** Sends a request to the wallet. Its answer is told as `settled`. @see spec §5.12.3 */
export async function request(
  context: Context,
  command: Extract<Command, { type: 'request' }>,
): Promise<void> {
  const { id, topic, chainId, expiry = requestExpiry.normal } = command
  const { stores } = context
  if (stores.records.has(id)) return
  const session = await getSession(context, topic)
  assertRequest(session.namespaces, command)
  const params = {
    request: { ...command.request, expiryTimestamp: nowSeconds(context) + expiry },
    chainId,
  }
  const sealed = { id, topic, method: 'wc_sessionRequest', params, wait: expiry } as const
  const overRelay = { analytics: toAnalytics(id, params), ttl: expiry, attest: true }
  if (session.transportType === 'link_mode') {
    const { sendLinkedRequest } = await import('./link.ts')
    await sendLinkedRequest(context, session, sealed, overRelay)
  } else await sendRequest(context, sealed, overRelay)
  context.event('session_request_sent', { topic, id, chainId, method: command.request.method })
}

function assertRequest(
  namespaces: Namespaces,
  { chainId, request, expiry }: Extract<Command, { type: 'request' }>,
) {
  if (!isChainId(chainId) || !approvedChains(namespaces).includes(chainId))
    throw missingOrInvalid(`request() chainId: ${show(chainId)}`)
  if (!isRecord(request) || !isText(request.method))
    throw missingOrInvalid(`request() ${show(request)}`)
  if (!methodsFor(namespaces, chainId).includes(request.method))
    throw missingOrInvalid(`request() method: ${request.method}`)
  const { min, max } = requestExpiry
  if (expiry !== undefined && !(typeof expiry === 'number' && expiry >= min && expiry <= max))
    throw missingOrInvalid(
      `request() expiry: ${show(expiry)}. Expiry must be a number (in seconds) between ${min} and ${max}`,
    )
}

/**
 * The answer to a request, an update or an extension. It is kept until whoever asked has it: that
 * may be after a reload.
 */
export async function onRequestResponse(context: Context, { record, response }: Answered) {
  if ((record.deadline ?? Infinity) <= nowSeconds(context)) return
  const answer = 'error' in response ? { error: response.error } : { result: response.result }
  const stored = context.stores.records.set({ ...record, response: answer })
  tellAnswer(context, record.id, answer)
  await stored
}

/** Tells the answer of a record, once more if need be. */
export function tellAnswer(
  context: Pick<Context, 'settle'>,
  id: number,
  answer: { result?: unknown } | { error: Reason },
): void {
  context.settle(
    id,
    'error' in answer
      ? { error: toErrorData(new PeerError(answer.error)) }
      : { result: answer.result },
  )
}

/** Nobody answered in time. */
export async function expireRecord(context: Context, id: number): Promise<void> {
  const error = toErrorData(new ExpiredError('Request expired. Please try again.'))
  context.settle(id, { error })
  await context.stores.records.delete(id)
}

// ---- wallet side

/** A request of an app: refused at once where the session does not allow it, else shown in its turn. */
export async function onRequest(context: Context, received: Received) {
  const { id, topic, params, transport } = received
  const session = context.stores.sessions.get(topic)
  if (!session || !isWallet(session)) return false
  const parsed = v.safeParse(RequestParams, params)
  const error = parsed.success
    ? findRefusal(context, session, parsed.output)
    : getReason('INVALID_METHOD', 'request() params')
  if (error || !parsed.success) {
    if (error) answerSoon(context, { topic, id, method: 'wc_sessionRequest', answer: { error } })
    return
  }
  const pending: PendingRequest = {
    id,
    topic,
    params: parsed.output,
    verifyContext:
      transport === 'link_mode'
        ? (await import('./link.ts')).checkLink(context, session.peer.metadata)
        : await checkPeer(context, received, session.peer, received.attestation),
  }
  // The session may have ended while the service was asked.
  if (!context.stores.sessions.has(topic)) return
  await context.stores.requests.set(pending)
  context.queue.next()
}

function findRefusal(
  context: Context,
  session: { expiry: number; namespaces: Namespaces },
  { chainId, request }: v.InferOutput<typeof RequestParams>,
): Reason | undefined {
  const now = nowSeconds(context)
  if (session.expiry <= now) return reasons.NO_SESSION
  if (!approvedChains(session.namespaces).includes(chainId))
    return getReason('UNAUTHORIZED_CHAIN', chainId)
  if (!methodsFor(session.namespaces, chainId).includes(request.method))
    return getReason('UNAUTHORIZED_METHOD', request.method)
  if ((request.expiryTimestamp ?? Infinity) <= now) return reasons.SESSION_REQUEST_EXPIRED
  return undefined
}

/** The wallet's answer. */
export async function respond(
  context: Context,
  { topic, response }: Extract<Command, { type: 'respond' }>,
): Promise<void> {
  const { stores, recentlyDeleted } = context
  const session = await getSession(context, topic)
  assertResponse(response)
  const pending = stores.requests.get(response.id)
  if (pending?.topic !== topic) {
    recentlyDeleted.assertNot(response.id)
    throw noMatchingKey(`request id doesn't exist: ${response.id}`)
  }
  const answer = 'error' in response ? { error: response.error } : { result: response.result }
  if (session.transportType === 'link_mode') {
    const { sendLinkedAnswer } = await import('./link.ts')
    await sendLinkedAnswer(context, session, { id: response.id, answer })
  } else {
    const result = 'result' in answer ? answer.result : undefined
    await sendAnswer(context, {
      topic,
      id: response.id,
      answer,
      publishing: methods.wc_sessionRequest.response,
      analytics: toAnalytics(response.id, pending.params, result),
    })
  }
  await deleteRequest(context, response.id)
}

function assertResponse(response: unknown) {
  const isOne =
    isRecord(response) &&
    typeof response['id'] === 'number' &&
    isText(response['jsonrpc']) &&
    (response['result'] !== undefined || isRecord(response['error']))
  if (!isOne) throw missingOrInvalid(`respond() response: ${show(response)}`)
}

/** Tells the app something. */
export async function emit(
  context: Context,
  { topic, event, chainId }: Extract<Command, { type: 'emit' }>,
): Promise<void> {
  const { namespaces } = await getSession(context, topic)
  if (!isChainId(chainId) || !approvedChains(namespaces).includes(chainId))
    throw missingOrInvalid(`emit() chainId: ${show(chainId)}`)
  if (
    !v.is(EventParams, { chainId, event }) ||
    !eventsFor(namespaces, chainId).includes(event.name)
  )
    throw missingOrInvalid(`emit() event: ${show(event)}`)
  await sendRequest(context, {
    id: createId(context.clock),
    topic,
    method: 'wc_sessionEvent',
    params: { event, chainId },
  })
}
