import * as v from 'valibot'
import { approvedChains, eventsFor, methodsFor } from '../../namespaces.ts'
import { getReason, readReason, reasons } from '../../reasons.ts'
import type { Namespaces, PendingRequest, Reason } from '../../Session.ts'
import { isChainId } from '../../validation/namespaces.ts'
import { isRecord, isText } from '../../validation/shapes.ts'
import { missingOrInvalid, noMatchingKey, inspect } from '../../validation/messages.ts'
import { toAnalytics } from '../transport/analytics.ts'
import { getSession, isWallet } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { checkLink, sendLinkResponse } from '../transport/link.ts'
import { methods, requestExpiry } from '../transport/methods.ts'
import { findExcess } from './pending.ts'
import { checkPeer } from './propose.ts'
import type { IncomingRequest } from '../transport/incoming.ts'
import { requestDeadline } from '../state/requestDeadline.ts'
import { deleteRequest } from '../state/remove.ts'
import { EventParams, RequestParams } from '../state/schemas.ts'
import { respondInBackground, sendResponse, sendRequest } from '../transport/send.ts'
import { parseShape } from '../../validation/parseShape.ts'

/** Queues a request from the app. Rejects it if the session does not permit it or too many are pending. */
export async function onRequest(context: Context, received: IncomingRequest) {
  const { id, topic, params, transport } = received
  const session = context.stores.sessions.get(topic)
  if (!session || !isWallet(session)) return false
  const parsed = parseShape(RequestParams, params)
  const error = parsed.success
    ? (findRejection(context, session, parsed.output) ??
      findExcess(
        context.stores.requests.values().filter((pending) => pending.topic === topic),
        received.text,
      ))
    : getReason('INVALID_METHOD', 'request() params')
  if (error || !parsed.success) {
    if (error)
      respondInBackground(context, { topic, id, method: 'wc_sessionRequest', answer: { error } })
    return
  }
  const pending: PendingRequest = {
    id,
    topic,
    params: limitDeadline(context, id, parsed.output),
    verifyContext:
      transport === 'link_mode'
        ? checkLink(session.peer.metadata, session)
        : await checkPeer(context, received, session.peer, received.attestation),
  }
  // The session may have been deleted during the check.
  if (!context.stores.sessions.has(topic)) return
  await context.stores.requests.set(pending)
  context.queue.next()
}

/** Requests expire after a week at the latest: one that never expires would occupy the queue for ever. */
function limitDeadline(context: Context, id: number, params: PendingRequest['params']) {
  const latest = nowSeconds(context) + requestExpiry.max
  if (requestDeadline(id, params) <= latest) return params
  return { ...params, request: { ...params.request, expiryTimestamp: latest } }
}

function findRejection(
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

/** Sends the wallet's response. */
export async function respond(
  context: Context,
  { topic, response }: Extract<Command, { type: 'respond' }>,
): Promise<void> {
  const { stores, recentlyDeleted } = context
  const session = await getSession(context, topic)
  assertResponse(response)
  const pending = stores.requests.get(response.id)
  if (pending?.topic !== topic) {
    recentlyDeleted.assertNotDeleted(response.id)
    throw noMatchingKey(`request id doesn't exist: ${response.id}`)
  }
  const answer =
    'error' in response ? { error: readReason(response.error) } : { result: response.result }
  if (session.transportType === 'link_mode') {
    await sendLinkResponse(context, session, { id: response.id, answer })
  } else {
    const result = 'result' in answer ? answer.result : undefined
    await sendResponse(context, {
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
  const isResponse =
    isRecord(response) &&
    typeof response['id'] === 'number' &&
    isText(response['jsonrpc']) &&
    (response['result'] !== undefined || isRecord(response['error']))
  if (!isResponse) throw missingOrInvalid(`respond() response: ${inspect(response)}`)
}

/** Sends an event to the app. */
export async function emit(
  context: Context,
  { topic, event, chainId }: Extract<Command, { type: 'emit' }>,
): Promise<void> {
  const { namespaces } = await getSession(context, topic)
  if (!isChainId(chainId) || !approvedChains(namespaces).includes(chainId))
    throw missingOrInvalid(`emit() chainId: ${inspect(chainId)}`)
  if (
    !v.is(EventParams, { chainId, event }) ||
    !eventsFor(namespaces, chainId).includes(event.name)
  )
    throw missingOrInvalid(`emit() event: ${inspect(event)}`)
  await sendRequest(context, {
    id: context.nextId(),
    topic,
    method: 'wc_sessionEvent',
    params: { event, chainId },
  })
}
