import { toNamespaces } from '../../auth/toNamespaces.ts'
import { hashKey } from '../../crypto/keys.ts'
import { PeerError, toErrorData } from '../../errors.ts'
import { getReason, reasons } from '../../reasons.ts'
import type { AuthPayload, Cacao, Participant, Session } from '../../Session.ts'
import { responseTopic } from '../state/responseTopic.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { canUseLinks, formatLink, rememberLinkPeer, declaresLinkMode } from '../transport/link.ts'
import { loadVerifyCacao } from '../chunks.ts'
import { methods, pairingExpiry, sessionLifetime } from '../transport/methods.ts'
import { getPairing } from '../session/checks.ts'
import { activatePairing, extendPairing } from '../session/pairing.ts'
import {
  attest,
  deleteUnusedPairing,
  discardProposal,
  publishProposal,
  withdrawProposal,
} from '../app/propose.ts'
import type { IncomingResponse } from '../transport/incoming.ts'
import { deleteProposal } from '../state/remove.ts'
import type { StoredProposal, StoredRecord } from '../state/schemas.ts'
import { AuthenticateResult } from './AuthenticateResult.ts'
import { markSent, sealRequest, sendRequest } from '../transport/send.ts'
import { parseShape } from '../../validation/parseShape.ts'

// Every tab validates before it sends the command. Exported here to share this chunk.
export { readAuthenticate } from '../../auth/readAuthenticate.ts'

type AuthenticateParams = {
  authPayload: AuthPayload
  requester: Participant
  expiryTimestamp: number
}
type AuthenticateCommand = Extract<Command, { type: 'authenticate' }>

/**
 * Requests a sign-in. Over the relay, also sends a session proposal, as a fallback for wallets without
 * `wc_sessionAuthenticate`.
 *
 * @returns the link to open, in link mode
 */
export async function authenticate(
  context: Context,
  command: AuthenticateCommand,
): Promise<string | undefined> {
  const { id, pairing, pairingTopic: topic, authPayload, expiry } = command
  const { stores, keys, relay, metadata } = context
  const known = stores.records.get(id)
  // A repeated command: continue only if the relay has not stored the request yet.
  if (known && !known.unsent) return undefined
  const made = known?.request.params as AuthenticateParams | undefined
  if (pairing) {
    const stored = { topic, expiry: pairing.expiry, active: false, relay: { protocol: 'irn' } }
    await Promise.all([
      keys.setSymKey(pairing.symKey),
      stores.pairings.set({ ...stored, methods: ['wc_sessionAuthenticate'] }),
    ])
  } else getPairing(context, topic)
  const publicKey = made?.requester.publicKey ?? (await keys.createKeyPair())
  const params: AuthenticateParams = made ?? {
    authPayload,
    requester: { publicKey, metadata },
    expiryTimestamp: nowSeconds(context) + expiry,
  }
  const ownTopic = await hashKey(publicKey)
  const sealed = await sealRequest(context, {
    id,
    topic,
    responseTopic: ownTopic,
    method: 'wc_sessionAuthenticate',
    params,
    wait: expiry,
  })
  const { text, message } = sealed
  const universal = command.walletUniversalLink
  if (universal && isKnownLink(context, universal))
    return formatLink(universal, topic, keys.encodePlain(text))

  const fallback = await storeFallback(context, command, publicKey)
  if (context.recentlyDeleted.has(id)) {
    // Aborted in the meantime.
    await stores.records.delete(id)
    await discardProposal(context, fallback.id)
    return undefined
  }
  const publishing = { ...methods.wc_sessionAuthenticate.request, ttl: expiry }
  try {
    await Promise.all([
      relay.subscribe(ownTopic),
      relay.publish(topic, message, { ...publishing, analytics: { correlationId: id } }),
      publishProposal(context, { ...fallback, pairingTopic: topic }),
    ])
    markSent(context, id)
  } catch (error) {
    const record = stores.records.get(id)
    if (record) await discardAuthenticate(context, record)
    throw error
  }
  // As with a proposal, the same message is published again with its attestation.
  void attest(context, sealed).then(async (attestation) => {
    if (attestation !== undefined && stores.records.has(id))
      await relay.publish(topic, message, { ...publishing, attestation }).catch(() => undefined)
  })
  return undefined
}

function isKnownLink({ metadata, openLink, stores }: Context, universal: string) {
  return openLink && declaresLinkMode(metadata) && stores.linkModePeers.get().includes(universal)
}

async function storeFallback(context: Context, command: AuthenticateCommand, publicKey: string) {
  const { id, proposalId, pairingTopic, authPayload, methods } = command
  const proposal: StoredProposal = {
    id: proposalId,
    pairingTopic,
    requiredNamespaces: {},
    optionalNamespaces: {
      eip155: {
        chains: authPayload.chains,
        // Includes `personal_sign`, so that the app can request a sign-in after connecting.
        methods: [...new Set(['personal_sign', ...methods])],
        events: ['chainChanged', 'accountsChanged'],
      },
    },
    relays: [{ protocol: 'irn' }],
    proposer: { publicKey, metadata: context.metadata },
    expiryTimestamp: nowSeconds(context) + pairingExpiry,
  }
  const [sealed] = await Promise.all([
    sealRequest(context, {
      id: proposalId,
      topic: pairingTopic,
      method: 'wc_sessionPropose',
      params: proposal,
    }),
    extendPairing(context, pairingTopic, proposal.expiryTimestamp),
    context.stores.proposals.set({
      ...proposal,
      authenticateId: id,
      // A repeated command: a wallet may already have responded.
      ...context.stores.proposals.get(proposalId),
    }),
  ])
  return { id: proposalId, ...sealed }
}

/**
 * Handles the wallet's response: signatures, a rejection, or the error `WC_METHOD_UNSUPPORTED`. After that error,
 * the outcome is that of the fallback proposal.
 */
export async function onAuthenticateResponse(
  context: Context,
  { record, response }: IncomingResponse,
) {
  const { resolve, stores, keys, relay } = context
  const { authPayload, requester } = record.request.params as AuthenticateParams
  if ('error' in response) {
    if (response.error.code === reasons.WC_METHOD_UNSUPPORTED.code) return
    resolve(record.id, { error: toErrorData(new PeerError(response.error)) })
    return discardAuthenticate(context, record)
  }
  const parsed = parseShape(AuthenticateResult, response.result)
  if (!parsed.success) return
  const cacaos: readonly Cacao[] = parsed.output.cacaos
  const { responder } = parsed.output
  if (record.withdrawn) {
    if (toNamespaces(cacaos)) await refuseSession(context, requester, responder)
    return discardAuthenticate(context, record)
  }
  const { verifyCacao } = await loadVerifyCacao()
  const verified = await Promise.all(
    cacaos.map((cacao) => verifyCacao(cacao, { ...context, requested: authPayload })),
  )
  if (verified.includes(false)) {
    const reason = getReason('SESSION_SETTLEMENT_FAILED', 'Signature verification failed')
    resolve(record.id, { error: toErrorData(new PeerError(reason)) })
    return discardAuthenticate(context, record)
  }
  const session = await storeSession(context, { cacaos, responder, requester, record })
  await Promise.all([
    activatePairing(context, record.topic, responder.metadata),
    deleteFallback(context, record.id),
    stores.records.delete(record.id),
    ...(session ? [] : [keys.remove(requester.publicKey)]),
  ])
  relay.unsubscribe(responseTopic(record)).catch(() => undefined)
  if (session) context.event('session_connect', { session })
  resolve(record.id, { result: { auths: cacaos, session } })
}

async function storeSession(
  context: Context,
  parts: {
    cacaos: readonly Cacao[]
    responder: Participant
    requester: Participant
    record: StoredRecord
  },
): Promise<Session | undefined> {
  const { cacaos, responder, requester, record } = parts
  const namespaces = toNamespaces(cacaos)
  const links = declaresLinkMode(context.metadata) && declaresLinkMode(responder.metadata)
  if (links) await rememberLinkPeer(context, responder.metadata)
  if (!namespaces) return undefined
  const { topic, stored } = await context.keys.agree(requester.publicKey, responder.publicKey)
  const session: Session = {
    topic,
    acknowledged: true,
    self: requester,
    peer: responder,
    controller: responder.publicKey,
    expiry: nowSeconds(context) + sessionLifetime,
    requiredNamespaces: {},
    optionalNamespaces: {},
    relay: { protocol: 'irn' },
    pairingTopic: record.topic,
    namespaces,
    transportType: links && canUseLinks(context, responder.metadata) ? 'link_mode' : 'relay',
  }
  await Promise.all([stored, context.stores.sessions.set(session)])
  // Best effort: the relayer retries on every new socket.
  context.relay.subscribe(topic).catch(() => undefined)
  return session
}

/** Deletes a session that the wallet created for an aborted request. */
async function refuseSession(context: Context, requester: Participant, responder: Participant) {
  const { keys, stores } = context
  const { topic, stored } = await keys.agree(requester.publicKey, responder.publicKey)
  await stored
  const id = context.nextId()
  const params = reasons.USER_REJECTED
  // If the relay is unavailable, the wallet's session expires.
  await sendRequest(context, { id, topic, method: 'wc_sessionDelete', params }).catch(
    () => undefined,
  )
  await Promise.all([keys.remove(topic), stores.records.delete(id)])
}

function findFallback({ stores }: Context, id: number) {
  return stores.proposals.values().find((it) => it.authenticateId === id)
}

async function deleteFallback(context: Context, id: number) {
  const fallback = findFallback(context, id)
  if (fallback) await deleteProposal(context, fallback.id)
}

/** Marks a request as aborted. It is kept until it expires, so that a session created late can be deleted. */
export async function withdrawAuthenticate(context: Context, record: StoredRecord): Promise<void> {
  const fallback = findFallback(context, record.id)
  await Promise.all([
    context.stores.records.set({ ...record, withdrawn: true }),
    fallback && withdrawProposal(context, fallback.id),
  ])
}

/** Deletes a request with its key, its fallback proposal, and its pairing unless the pairing is active. */
export async function discardAuthenticate(context: Context, record: StoredRecord): Promise<void> {
  const { requester } = record.request.params as AuthenticateParams
  const fallback = findFallback(context, record.id)
  await completeAuthenticate(context, record)
  if (fallback) await discardProposal(context, fallback.id)
  // A request that was sent as a link has no fallback proposal.
  else await deleteUnusedPairing(context, record.topic)
  await context.keys.remove(requester.publicKey)
}

/** Deletes a request, but not its key, which the session of the fallback proposal may use. */
export async function completeAuthenticate(context: Context, record: StoredRecord): Promise<void> {
  context.relay.unsubscribe(responseTopic(record)).catch(() => undefined)
  await context.stores.records.delete(record.id)
}
