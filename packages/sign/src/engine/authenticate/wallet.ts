import { isSignInFor } from '@gatefold/protocol'
import * as v from 'valibot'
import { toNamespaces } from '../../auth/toNamespaces.ts'
import type { AgreedKey } from '../../crypto/createKeychain.ts'
import { hashKey } from '../../crypto/keys.ts'
import { ValidationError } from '../../errors.ts'
import { getReason } from '../../reasons.ts'
import type { AuthPayload, AuthRequest, Reason, Session, VerifyContext } from '../../Session.ts'
import { missingOrInvalid, inspect } from '../../validation/messages.ts'
import { assertReason } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { checkLink, formatLink, rememberLinkPeer, supportsLinks } from '../transport/link.ts'
import { loadVerifyCacao } from '../chunks.ts'
import {
  methods,
  type PublishSettings,
  requestExpiry,
  sessionLifetime,
} from '../transport/methods.ts'
import { activatePairing } from '../session/pairing.ts'
import { findExcess } from '../wallet/pending.ts'
import { checkPeer } from '../wallet/propose.ts'
import type { IncomingRequest } from '../transport/incoming.ts'
import { deleteProposal, deleteSession } from '../state/remove.ts'
import { AuthenticateParams } from '../wallet/params.ts'
import { Cacao, Hex32 } from '../state/schemas.ts'
import { toSession } from '../state/stores.ts'
import type { Answer } from '../transport/send.ts'
import { findInvalidField } from '../../auth/fields.ts'
import { parseShape } from '../../validation/parseShape.ts'

const { response, reject, autoReject } = methods.wc_sessionAuthenticate

/** Stores and emits a sign-in request, or rejects it if its params are invalid or too many are pending. */
export async function onAuthenticate(context: Context, received: IncomingRequest) {
  const { id, topic, params, transport, attestation, isEncrypted } = received
  if (transport === 'relay' && !context.stores.pairings.has(topic)) return false
  const parsed = parseShape(AuthenticateParams, params)
  if (!parsed.success || findInvalidField(parsed.output.authPayload))
    return refuse(context, id, params, getReason('INVALID_METHOD', 'authenticate() params'))
  // Anyone can send an unencrypted request, with any topic, so those count together.
  const waiting = context.stores.authRequests
    .values()
    .filter((it) => (isEncrypted ? it.pairingTopic === topic : it.transportType === 'link_mode'))
  const excess = findExcess(waiting, received.text)
  if (excess) return refuse(context, id, params, excess)
  const { requester, authPayload } = parsed.output
  const now = nowSeconds(context)
  const expiryTimestamp = Math.min(parsed.output.expiryTimestamp, now + requestExpiry.max)
  if (expiryTimestamp <= now) return
  const verifyContext =
    transport === 'link_mode'
      ? checkLink(requester.metadata)
      : await checkPeer(context, received, requester, attestation)
  const request: AuthRequest = {
    id,
    pairingTopic: topic,
    expiryTimestamp,
    requester,
    authPayload,
    verifyContext: compareDomain(verifyContext, authPayload, transport),
    transportType: transport,
  }
  await context.stores.authRequests.set(request)
  context.event('session_authenticate', {
    id,
    params: request,
    verifyContext: request.verifyContext,
  })
}

/** Adds whether the sign-in is for the sender's verified origin. @see EIP-4361 */
function compareDomain(
  { verified }: VerifyContext,
  { domain, aud }: AuthPayload,
  transport: IncomingRequest['transport'],
): VerifyContext {
  // Without verification, `origin` is only the sender's claim.
  if (verified.validation === 'UNKNOWN') return { verified }
  // A link does not verify the origin either.
  const domainMatches = transport === 'relay' && isSignInFor(verified.origin, { domain, uri: aud })
  return { verified: { ...verified, domainMatches } }
}

async function refuse(context: Context, id: number, params: unknown, error: Reason) {
  const parsed = parseShape(v.object({ requester: v.object({ publicKey: Hex32 }) }), params)
  if (!parsed.success) return
  const receiverPublicKey = parsed.output.requester.publicKey
  const parameters = { id, receiverPublicKey, answer: { error }, publishing: autoReject }
  // Best effort: the request is dropped in any case.
  await send(context, parameters).catch(() => undefined)
}

/**
 * Sends signed authorizations to the app, and creates the session that they grant.
 *
 * @throws {ValidationError} if a signature is invalid; the app then receives an error
 * @see spec §4.18.1
 */
export async function approveAuthenticate(
  context: Context,
  { id, auths }: Extract<Command, { type: 'approveSessionAuthenticate' }>,
): Promise<{ session: Session | undefined }> {
  const { stores, keys, relay } = context
  const pending = getPending(context, id)
  if (!v.is(v.pipe(v.array(Cacao), v.minLength(1)), auths))
    throw missingOrInvalid(`approveSessionAuthenticate() auths: ${inspect(auths)}`)
  const { requester, authPayload, pairingTopic } = pending
  const receiverPublicKey = requester.publicKey
  const { verifyCacao } = await loadVerifyCacao()
  const verified = await Promise.all(
    auths.map((cacao) => verifyCacao(cacao, { ...context, requested: authPayload })),
  )
  if (verified.includes(false)) {
    const error = getReason('SESSION_SETTLEMENT_FAILED', 'Signature verification failed')
    await send(context, { id, receiverPublicKey, answer: { error }, publishing: response, pending })
    // The app deletes the request on this error.
    await close(context, pending)
    throw new ValidationError(error.message)
  }
  const publicKey = await keys.createKeyPair()
  const responder = { publicKey, metadata: context.metadata }
  const namespaces = toNamespaces(auths)
  const isLinked = pending.transportType === 'link_mode'
  const createdByLink = isLinked && supportsLinks(context, requester.metadata)
  let agreed: AgreedKey | undefined
  try {
    if (namespaces) {
      agreed = await keys.agree(publicKey, receiverPublicKey)
      const { topic, stored } = agreed
      await Promise.all([
        stored,
        stores.sessions.set({
          topic,
          acknowledged: true,
          self: responder,
          peer: requester,
          controller: publicKey,
          expiry: nowSeconds(context) + sessionLifetime,
          authentication: auths,
          requiredNamespaces: {},
          optionalNamespaces: {},
          relay: { protocol: 'irn' },
          pairingTopic,
          namespaces,
          transportType: pending.transportType,
          ...(createdByLink && { createdByLink }),
        }),
      ])
      const subscribing = relay.subscribe(topic)
      // Best effort in link mode.
      await (isLinked ? subscribing.catch(() => undefined) : subscribing)
    }
    await send(context, {
      id,
      receiverPublicKey,
      publicKey,
      answer: { result: { cacaos: auths, responder } },
      publishing: response,
      pending,
    })
  } catch (error) {
    // The request is kept, so that the wallet can try again with new keys.
    if (agreed) await deleteSession(context, agreed.topic)
    await keys.remove(publicKey)
    throw error
  }
  if (isLinked) await rememberLinkPeer(context, requester.metadata)
  await close(context, pending)
  await activatePairing(context, pairingTopic, requester.metadata)
  if (!agreed) await keys.remove(publicKey)
  const session = agreed && stores.sessions.get(agreed.topic)
  return { session: session && toSession(session) }
}

/** Rejects a sign-in request. @see spec §4.18.2 */
export async function rejectAuthenticate(
  context: Context,
  { id, reason }: Extract<Command, { type: 'rejectSessionAuthenticate' }>,
): Promise<void> {
  const pending = getPending(context, id)
  assertReason(reason, 'rejectSessionAuthenticate()')
  const receiverPublicKey = pending.requester.publicKey
  await send(context, {
    id,
    receiverPublicKey,
    answer: { error: reason },
    publishing: reject,
    pending,
  })
  await close(context, pending)
}

function getPending(context: Context, id: unknown): AuthRequest {
  const pending = typeof id === 'number' ? context.stores.authRequests.get(id) : undefined
  if (pending && !context.keys.has(pending.requester.publicKey)) return pending
  throw new ValidationError(
    `Could not find pending auth request with id ${inspect(id)}`,
    'sign.no_matching_key',
  )
}

/** Deletes a request after its response, and the proposals of its pairing. */
async function close(context: Context, { id, pairingTopic }: AuthRequest) {
  context.recentlyDeleted.add(id, 'request')
  await context.stores.authRequests.delete(id)
  for (const proposal of context.stores.proposals.values())
    if (proposal.pairingTopic === pairingTopic) await deleteProposal(context, proposal.id)
}

/** Sends a response in a type 1 envelope, on the topic derived from the app's public key. */
async function send(
  context: Context,
  parameters: {
    id: number
    receiverPublicKey: string
    publicKey?: string
    answer: Answer
    publishing: PublishSettings
    pending?: AuthRequest
  },
) {
  const { id, receiverPublicKey, answer, publishing, pending } = parameters
  const { keys, relay, openLink } = context
  const publicKey = parameters.publicKey ?? (await keys.createKeyPair())
  const topic = await hashKey(receiverPublicKey)
  const text = JSON.stringify({ id, jsonrpc: '2.0', ...answer })
  const peer = pending?.requester.metadata
  const link = peer && pending?.transportType === 'link_mode' && supportsLinks(context, peer)
  const message = await keys.encodeFor({
    publicKey,
    receiverPublicKey,
    text,
    alphabet: link ? 'base64url' : 'base64',
  })
  try {
    if (link) await openLink?.(formatLink(peer.redirect?.universal ?? '', topic, message))
    else await relay.publish(topic, message, { ...publishing, analytics: { correlationId: id } })
  } finally {
    if (!parameters.publicKey) await keys.remove(publicKey)
  }
}
