import { ExpiredError, PeerError, toErrorData } from '../../errors.ts'
import { approvedChains, methodsFor } from '../../namespaces.ts'
import type { Namespaces, Participant, Reason, Session } from '../../Session.ts'
import { isChainId } from '../../validation/namespaces.ts'
import { isRecord, isText } from '../../validation/shapes.ts'
import { missingOrInvalid, inspect } from '../../validation/messages.ts'
import { toAnalytics } from '../transport/analytics.ts'
import { responseTopic } from '../state/responseTopic.ts'
import { getSession } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { loadDeferred } from '../chunks.ts'
import { requestExpiry } from '../transport/methods.ts'
import type { IncomingResponse } from '../transport/incoming.ts'
import type { StoredRecord } from '../state/schemas.ts'
import { sendRequest } from '../transport/send.ts'

/** Sends a request to the wallet. The response is reported as `resolved`. @see spec §5.12.3 */
export async function request(
  context: Context,
  command: Extract<Command, { type: 'request' }>,
): Promise<void> {
  const { id, topic, chainId } = command
  const known = context.stores.records.get(id)
  if (known) return resend(context, known)
  const session = await getSession(context, topic)
  assertRequest(session.namespaces, command)
  const expiry = Math.floor(command.expiry ?? requestExpiry.normal)
  const params = {
    request: { ...command.request, expiryTimestamp: nowSeconds(context) + expiry },
    chainId,
  }
  await send(context, session, { id, params, wait: expiry })
}

/** Sends a request that an earlier engine recorded but the relay has not stored. */
export async function resend(context: Context, record: StoredRecord): Promise<void> {
  const { id, topic, unsent, response, deadline = 0, request } = record
  if (!unsent || response) return
  const session = await getSession(context, topic)
  await send(context, session, {
    id,
    params: request.params as Params,
    wait: deadline - nowSeconds(context),
  })
}

type Params = Parameters<typeof toAnalytics>[1]

async function send(
  context: Context,
  session: Session,
  { id, params, wait }: { id: number; params: Params; wait: number },
) {
  if (context.handling.has(id)) return
  const { topic } = session
  const sealed = { id, topic, method: 'wc_sessionRequest', params, wait } as const
  const ttl = Math.max(wait, requestExpiry.min)
  const overRelay = { analytics: toAnalytics(id, params), ttl, attest: true }
  context.handling.add(id)
  try {
    if (session.transportType === 'link_mode') {
      const { sendLinkRequest } = await loadDeferred()
      await sendLinkRequest(context, session, sealed, overRelay)
    } else await sendRequest(context, sealed, overRelay)
  } finally {
    context.handling.delete(id)
  }
  const { chainId, request } = params
  context.event('session_request_sent', { topic, id, chainId, method: request.method })
}

function assertRequest(
  namespaces: Namespaces,
  { chainId, request, expiry }: Extract<Command, { type: 'request' }>,
) {
  if (!isChainId(chainId) || !approvedChains(namespaces).includes(chainId))
    throw missingOrInvalid(`request() chainId: ${inspect(chainId)}`)
  if (!isRecord(request) || !isText(request.method))
    throw missingOrInvalid(`request() ${inspect(request)}`)
  if (!methodsFor(namespaces, chainId).includes(request.method))
    throw missingOrInvalid(`request() method: ${request.method}`)
  const { min, max } = requestExpiry
  if (expiry !== undefined && !(typeof expiry === 'number' && expiry >= min && expiry <= max))
    throw missingOrInvalid(
      `request() expiry: ${inspect(expiry)}. Expiry must be a number (in seconds) between ${min} and ${max}`,
    )
}

/**
 * Handles the response to a request, an update or an extension. The response is stored until it is collected,
 * possibly after a reload.
 */
export async function onRequestResponse(context: Context, { record, response }: IncomingResponse) {
  if ((record.deadline ?? Infinity) <= nowSeconds(context)) return
  const answer = 'error' in response ? { error: response.error } : { result: response.result }
  const stored = context.stores.records.set({ ...record, response: answer })
  deliverResponse(context, record.id, answer)
  await stored
}

/** Reports the response to a request as `resolved`. */
export function deliverResponse(
  context: Pick<Context, 'resolve'>,
  id: number,
  answer: { result?: unknown } | { error: Reason },
): void {
  context.resolve(
    id,
    'error' in answer
      ? { error: toErrorData(new PeerError(answer.error)) }
      : { result: answer.result },
  )
}

/** Reports a request that expired without a response. */
export async function expireRecord(context: Context, id: number): Promise<void> {
  const error = toErrorData(new ExpiredError('Request expired. Please try again.'))
  context.resolve(id, { error })
  const { records } = context.stores
  const record = records.get(id)
  if (!record) return
  // Kept without a deadline, because an unsent message is still published, and
  // a settlement may still be acknowledged.
  if (record.message || record.request.method === 'wc_sessionSettle')
    return records.set({ ...record, deadline: undefined })
  // Deleted without waiting, because another run of the expirer must not report the request again.
  const stored = [records.delete(id)]
  if (record.request.method === 'wc_sessionAuthenticate') {
    const { requester } = record.request.params as { requester: Participant }
    context.relay.unsubscribe(responseTopic(record)).catch(() => undefined)
    stored.push(context.keys.remove(requester.publicKey))
  }
  await Promise.all(stored)
}
