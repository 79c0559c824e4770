import { hashMessage } from '../../crypto/keys.ts'
import { PeerError, toErrorData } from '../../errors.ts'
import { approvedChains, eventsFor, findUnsatisfied } from '../../namespaces.ts'
import { getReason, reasons } from '../../reasons.ts'
import { isText } from '../../validation/shapes.ts'
import { missingOrInvalid, noMatchingKey, inspect } from '../../validation/messages.ts'
import { assertReason, getPairing, getSession, isWallet, isWithinProposal } from './checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { type Method, sessionLifetime } from '../transport/methods.ts'
import type { IncomingResponse, IncomingRequest } from '../transport/incoming.ts'
import { deletePairing, deleteSession } from '../state/remove.ts'
import { EventParams, Reason, UpdateParams } from '../state/schemas.ts'
import { respondInBackground, isOutOfSync, sealRequest, sendRequest } from '../transport/send.ts'
import { methods } from '../transport/methods.ts'
import { parseShape } from '../../validation/parseShape.ts'

/** Delay before a ping's response is reported, in ms. @see spec §9.10.1 */
const pingPauseMs = 500

// ---- Commands for both sides

/** Pings the peer of a session or a pairing. */
export async function ping(
  context: Context,
  { id, topic }: Extract<Command, { type: 'ping' }>,
): Promise<void> {
  const kind = await getKind(context, topic)
  const method = kind === 'session' ? 'wc_sessionPing' : 'wc_pairingPing'
  await sendRequest(context, { id, topic, method, params: {} })
}

/** Deletes a session or a pairing and notifies the peer. */
export async function disconnect(
  context: Context,
  { topic, reason = reasons.USER_DISCONNECTED }: Extract<Command, { type: 'disconnect' }>,
): Promise<void> {
  const kind = await getKind(context, topic)
  assertReason(reason, 'disconnect()')
  const id = context.nextId()
  const method = kind === 'session' ? 'wc_sessionDelete' : 'wc_pairingDelete'
  const { message } = await sealRequest(context, { id, topic, method, params: reason, keep: true })
  const publishing = context.relay
    .publish(topic, message, { ...methods[method].request, analytics: { correlationId: id } })
    .then(() => context.stores.records.delete(id))
  // The message is already sealed, so the key can be deleted before the message is published.
  const deleting =
    kind === 'session' ? deleteSession(context, topic) : deletePairing(context, topic)
  if (kind === 'session') context.event('session_delete', { topic, id, reason, local: true })
  await Promise.all([publishing, deleting])
}

async function getKind(context: Context, topic: unknown): Promise<'session' | 'pairing'> {
  if (!isText(topic))
    throw missingOrInvalid(`session or pairing topic should be a string: ${inspect(topic)}`)
  const { stores, recentlyDeleted } = context
  recentlyDeleted.assertNotDeleted(topic)
  if (stores.sessions.has(topic)) {
    await getSession(context, topic)
    return 'session'
  }
  if (!stores.pairings.has(topic))
    throw noMatchingKey(`session or pairing topic doesn't exist: ${topic}`)
  getPairing(context, topic)
  return 'pairing'
}

// ---- Messages from the peer

/** Accepts an update only from the wallet, and only if it is not older than the last one. @see spec §5.12.7 */
export async function onUpdate(context: Context, { topic, id, params }: IncomingRequest) {
  const session = context.stores.sessions.get(topic)
  if (!session) return false
  const refuse = refuser(context, topic, id, 'wc_sessionUpdate')
  if (session.expiry <= nowSeconds(context)) return refuse(reasons.NO_SESSION)
  if (isWallet(session)) return refuse(reasons.UNAUTHORIZED_UPDATE_REQUEST)
  const parsed = parseShape(UpdateParams, params)
  const isValid =
    parsed.success &&
    !isOutOfSync(id, session.lastUpdateId) &&
    isWithinProposal(session, parsed.output.namespaces) &&
    !findUnsatisfied(session.requiredNamespaces, parsed.output.namespaces, 'update()')
  if (!isValid) return refuse(reasons.INVALID_UPDATE_REQUEST)
  const { namespaces } = parsed.output
  await context.stores.sessions.set({ ...session, namespaces, lastUpdateId: id })
  respondInBackground(context, { topic, id, method: 'wc_sessionUpdate', answer: { result: true } })
  context.event('session_update', { topic, id, params: { namespaces } })
}

/**
 * Accepts an extension from either side, only once and only if it is newer than the last one of either side: the relay
 * may send a client its own messages.
 *
 * @see docs/contracts/relay.md#client-methods
 */
export async function onExtend(context: Context, { topic, id }: IncomingRequest) {
  const session = context.stores.sessions.get(topic)
  if (!session) return false
  const refuse = refuser(context, topic, id, 'wc_sessionExtend')
  if (session.expiry <= nowSeconds(context)) return refuse(reasons.NO_SESSION)
  if (id === session.lastExtendId || isOutOfSync(id, session.lastExtendId))
    return refuse(reasons.INVALID_EXTEND_REQUEST)
  const expiry = nowSeconds(context) + sessionLifetime
  await context.stores.sessions.set({ ...session, expiry, lastExtendId: id })
  respondInBackground(context, { topic, id, method: 'wc_sessionExtend', answer: { result: true } })
  context.event('session_extend', { topic, id })
}

export async function onPing(context: Context, { topic, id }: IncomingRequest) {
  if (!context.stores.sessions.has(topic)) return false
  respondInBackground(context, { topic, id, method: 'wc_sessionPing', answer: { result: true } })
  context.event('session_ping', { topic, id })
}

export async function onPingResponse(context: Context, { record, response }: IncomingResponse) {
  await context.stores.records.delete(record.id)
  context.clock.later(() => {
    context.resolve(
      record.id,
      'error' in response
        ? { error: toErrorData(new PeerError(response.error)) }
        : { result: undefined },
    )
  }, pingPauseMs)
}

/** Deletes the session. Sends no response, because the session's key is deleted too. */
export async function onDelete(context: Context, { topic, id, params }: IncomingRequest) {
  if (!context.stores.sessions.has(topic)) return false
  const reason = parseShape(Reason, params)
  await deleteSession(context, topic)
  context.event('session_delete', { topic, id, ...(reason.success && { reason: reason.output }) })
}

/** Accepts an event only from the wallet, and only with an approved chain and name. */
export async function onEvent(context: Context, { topic, id, params }: IncomingRequest) {
  const session = context.stores.sessions.get(topic)
  if (!session) return false
  const refuse = refuser(context, topic, id, 'wc_sessionEvent')
  if (session.expiry <= nowSeconds(context)) return refuse(reasons.NO_SESSION)
  const parsed = parseShape(EventParams, params)
  if (!parsed.success) return refuse(reasons.INVALID_EVENT)
  const { chainId, event } = parsed.output
  if (!approvedChains(session.namespaces).includes(chainId))
    return refuse(getReason('UNAUTHORIZED_CHAIN', chainId))
  if (isWallet(session) || !eventsFor(session.namespaces, chainId).includes(event.name))
    return refuse(getReason('UNAUTHORIZED_EVENT', event.name))
  const eventHash = await hashMessage(event.name)
  const last = context.stores.records
    .values()
    .filter((record) => record.topic === topic && record.eventHash === eventHash)
    .reduce((newest, record) => Math.max(newest, record.id), 0)
  // Older than the last event of this name.
  if (isOutOfSync(id, last)) return
  context.event('session_event', {
    topic,
    id,
    params: { chainId, event: { name: event.name, data: event.data } },
  })
  return eventHash
}

function refuser(context: Context, topic: string, id: number, method: Method) {
  return (error: { code: number; message: string }) =>
    respondInBackground(context, { topic, id, method, answer: { error } })
}
