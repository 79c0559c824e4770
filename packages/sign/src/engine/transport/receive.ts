import type { RelayMessage } from '../../relayer/Relayer.ts'
import { getReason } from '../../reasons.ts'
import { responseTopic } from '../state/responseTopic.ts'
import type { Context } from '../Context.ts'
import { loadAuthenticateApp, loadAuthenticateWallet, loadDeferred } from '../chunks.ts'
import { RpcRequest, RpcResponse } from '../state/schemas.ts'
import { isMethod } from './methods.ts'
import { respondInBackground } from './send.ts'
import type { IncomingResponse, IncomingRequest } from './incoming.ts'
import { onPairingDelete, onPairingPing } from '../session/pairing.ts'
import { onProposeResponse } from '../app/propose.ts'
import { evictRecords, mayBeEvicted } from '../state/remove.ts'
import { onRequestResponse } from '../app/request.ts'
import {
  onDelete,
  onEvent,
  onExtend,
  onPing,
  onPingResponse,
  onUpdate,
} from '../session/session.ts'
import { onSettle } from '../app/settle.ts'
import { parseShape } from '../../validation/parseShape.ts'

/**
 * @returns false if the request does not apply to this client and must not be recorded; for an event the
 *   hash of its name, which is recorded
 */
type RequestHandler = (
  context: Context,
  received: IncomingRequest,
) => Promise<boolean | string | void>
type ResponseHandler = (context: Context, answered: IncomingResponse) => Promise<void>

const requestHandlers: Partial<Record<string, RequestHandler>> = {
  wc_pairingDelete: onPairingDelete,
  wc_pairingPing: onPairingPing,
  wc_sessionPropose: async (...parameters) => (await loadDeferred()).onPropose(...parameters),
  wc_sessionSettle: onSettle,
  wc_sessionUpdate: onUpdate,
  wc_sessionExtend: onExtend,
  wc_sessionRequest: async (...parameters) => (await loadDeferred()).onRequest(...parameters),
  wc_sessionEvent: onEvent,
  wc_sessionDelete: onDelete,
  wc_sessionPing: onPing,
  wc_sessionAuthenticate: async (...parameters) =>
    (await loadAuthenticateWallet()).onAuthenticate(...parameters),
}

const responseHandlers: Partial<Record<string, ResponseHandler>> = {
  wc_pairingPing: onPingResponse,
  wc_sessionPropose: onProposeResponse,
  wc_sessionSettle: async (...parameters) => (await loadDeferred()).onSettleResponse(...parameters),
  wc_sessionUpdate: onRequestResponse,
  wc_sessionExtend: onRequestResponse,
  wc_sessionPing: onPingResponse,
  wc_sessionRequest: onRequestResponse,
  wc_sessionAuthenticate: async (...parameters) =>
    (await loadAuthenticateApp()).onAuthenticateResponse(...parameters),
}

/**
 * Handles a message from the relay or a link. Drops it if it cannot be decrypted, is not JSON-RPC, or is a
 * response without a pending request: anyone who knows a topic can publish to it.
 */
export async function receive(
  context: Context,
  relayed: Pick<RelayMessage, 'topic' | 'message' | 'attestation'>,
  transport: IncomingRequest['transport'] = 'relay',
): Promise<void> {
  const { topic, message, attestation } = relayed
  const opened = await open(context, topic, message, transport)
  if (!opened) return context.log.add({ what: 'message not decrypted', topic })
  const { text, type } = opened
  const json = parseJson(text)

  const request = parseShape(RpcRequest, json)
  // An unencrypted envelope does not authenticate its sender; only the first request may use one.
  const isFirst = request.success && request.output.method === 'wc_sessionAuthenticate'
  if (type === 2 && !isFirst) return
  if (request.success) {
    const { id, method, params } = request.output
    context.log.add({ what: isMethod(method) ? method : 'unknown method', topic, id })
    return receiveRequest(context, method, {
      id,
      topic,
      params,
      text,
      message,
      attestation,
      transport,
      isEncrypted: type !== 2,
    })
  }
  const response = parseShape(RpcResponse, json)
  if (response.success) return receiveResponse(context, topic, response.output)
}

async function receiveRequest(context: Context, method: string, received: IncomingRequest) {
  const { id, topic } = received
  const { stores, handling } = context
  if (isRepeat(context, topic, id)) return
  handling.add(id)
  try {
    const known = Object.hasOwn(requestHandlers, method) ? requestHandlers[method] : undefined
    const handler = known ?? refuseMethod(method)
    const applies = await handler(context, received)
    // Recorded last: after a crash the message is delivered again and must not count as a duplicate.
    const isRecorded = received.isEncrypted && context.keys.has(topic) && !stores.records.has(id)
    if (applies !== false && isRecorded) {
      await stores.records.set({
        id,
        topic,
        // The peer chooses method and params, so neither is stored: a flood must not fill the storage.
        request: { method: known ? method : 'unknown' },
        ...(typeof applies === 'string' && { eventHash: applies }),
        expiry: Math.floor(context.clock.now() / 1_000) + 30 * 86_400,
        sent: false,
      })
      await evictRecords(context, topic)
    }
  } finally {
    handling.delete(id)
  }
}

/**
 * Whether a request with this id was received before, on any topic, or was sent by this client. Entries are stored by
 * id, so a request with the id of a pending one would replace it.
 */
function isRepeat(context: Context, topic: string, id: number) {
  const { handling, recentlyDeleted } = context
  const { records, proposals, requests, authRequests } = context.stores
  return (
    [records, handling, recentlyDeleted, proposals, requests, authRequests].some((ids) =>
      ids.has(id),
    ) || mayBeEvicted(context, topic, id)
  )
}

function refuseMethod(method: string): RequestHandler {
  const error = getReason('WC_METHOD_UNSUPPORTED', method)
  return async (context, { topic, id }) =>
    respondInBackground(context, { topic, id, method: undefined, answer: { error } })
}

async function receiveResponse(context: Context, topic: string, response: RpcResponse) {
  const record = context.stores.records.get(response.id)
  // This client has no such pending request on this topic.
  if (!record?.sent || record.response || responseTopic(record) !== topic) return
  await responseHandlers[record.request.method]?.(context, { record, response })
}

async function open(
  context: Context,
  topic: string,
  message: string,
  transport: IncomingRequest['transport'],
) {
  const { keys, stores } = context
  const record = stores.records
    .values()
    .find(
      (one) =>
        one.sent && one.request.method === 'wc_sessionAuthenticate' && responseTopic(one) === topic,
    )
  const publicKey = (record?.request.params as { requester: { publicKey: string } } | undefined)
    ?.requester.publicKey
  try {
    return await keys.decode(topic, message, { publicKey, plain: transport === 'link_mode' })
  } catch {
    // Not sealed for this client.
    return undefined
  }
}

/** @returns undefined for invalid JSON, which no schema accepts */
function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return isDeep(json) ? undefined : json
  } catch {
    return undefined
  }
}

/** Deeply nested JSON could overflow the stack when it is stored or cloned. */
function isDeep(value: unknown, left = 100): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1))
}
