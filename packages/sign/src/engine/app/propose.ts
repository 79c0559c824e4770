import { hashSealed } from '../../crypto/keys.ts'
import { type ErrorData, ExpiredError, PeerError, RelayError, toErrorData } from '../../errors.ts'
import type { Session } from '../../Session.ts'
import { getPairing } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { loadAuthenticateApp } from '../chunks.ts'
import { methods, pairingExpiry } from '../transport/methods.ts'
import { activatePairing, extendPairing } from '../session/pairing.ts'
import type { IncomingResponse } from '../transport/incoming.ts'
import { deletePairing, deleteProposal } from '../state/remove.ts'
import { ProposeResult, type StoredProposal } from '../state/schemas.ts'
import { markSent, sealRequest } from '../transport/send.ts'
import { parseShape } from '../../validation/parseShape.ts'

/** Publishes a session proposal. Its outcome is reported as `resolved`. */
export async function connect(
  context: Context,
  command: Extract<Command, { type: 'connect' }>,
): Promise<void> {
  const { id, pairing, pairingTopic, relays, optionalNamespaces } = command
  const { stores, keys } = context
  const known = stores.proposals.get(id)
  // A repeated command: continue only if the relay has not stored the proposal yet.
  if (known && (known.sessionTopic || !stores.records.get(id)?.unsent)) return
  if (pairing) {
    const { topic, expiry, symKey } = pairing
    const stored = { topic, expiry, active: false, relay: { protocol: 'irn' } }
    await Promise.all([keys.setSymKey(symKey), stores.pairings.set(stored)])
  } else getPairing(context, pairingTopic)

  const { sessionProperties, scopedProperties } = command
  const publicKey = known?.proposer.publicKey ?? (await keys.createKeyPair())
  const proposal: StoredProposal = {
    requiredNamespaces: {},
    optionalNamespaces,
    relays: [...relays],
    proposer: { publicKey, metadata: context.metadata },
    expiryTimestamp: nowSeconds(context) + pairingExpiry,
    pairingTopic,
    ...(sessionProperties && { sessionProperties }),
    ...(scopedProperties && { scopedProperties }),
    id,
  }
  const [{ text, message }] = await Promise.all([
    sealRequest(context, {
      id,
      topic: pairingTopic,
      method: 'wc_sessionPropose',
      params: proposal,
    }),
    stores.proposals.set(proposal),
    extendPairing(context, pairingTopic, proposal.expiryTimestamp),
  ])
  // Aborted in the meantime.
  if (context.recentlyDeleted.has(id)) return discardProposal(context, id)
  try {
    await publishProposal(context, { id, pairingTopic, text, message })
  } catch (error) {
    await discardProposal(context, id)
    throw error
  }
}

/**
 * Publishes a proposal without waiting for its attestation. If the attestation resolves before the socket
 * opens, it is sent with the proposal; otherwise the same message is published again with the attestation.
 */
export async function publishProposal(
  context: Context,
  sealed: { id: number; pairingTopic: string; text: string; message: string },
) {
  const { id, pairingTopic, text, message } = sealed
  let attestation: string | undefined
  let sent: string | undefined
  const attesting = attest(context, { text, message }).then((answer) => (attestation = answer))
  await context.relay.proposeSession({
    pairingTopic,
    sessionProposal: message,
    attestation: () => (sent = attestation),
    correlationId: id,
  })
  markSent(context, id)
  void attesting.then(async () => {
    if (attestation === undefined || sent !== undefined || !context.stores.proposals.has(id)) return
    await context.relay
      .publish(pairingTopic, message, { ...methods.wc_sessionPropose.request, attestation })
      // Best effort: the proposal was already published.
      .catch(() => undefined)
  })
}

/** Requests an attestation that this page sent a message. Never rejects. */
export async function attest(
  { verify }: Context,
  sealed: { text: string; message: string },
): Promise<string | undefined> {
  return verify?.attest(await hashSealed(sealed))
}

/** Deletes a sent proposal, and its pairing if the pairing was never active. */
export async function discardProposal(context: Context, id: number): Promise<void> {
  const proposal = context.stores.proposals.get(id)
  if (!proposal) return
  await deleteProposal(context, id)
  await deleteUnusedPairing(context, proposal.pairingTopic)
}

/** Deletes a pairing over which no wallet has responded. */
export async function deleteUnusedPairing(context: Context, topic: string): Promise<void> {
  if (context.stores.pairings.get(topic)?.active === false) await deletePairing(context, topic)
}

/**
 * Marks a sent proposal as aborted. A wallet may have received the proposal, so it is kept until it expires:
 * a late approval is rejected, and no wallet keeps a session that the app does not have.
 */
export async function withdrawProposal({ stores }: Context, id: number): Promise<void> {
  const proposal = stores.proposals.get(id)
  if (proposal) await stores.proposals.set({ ...proposal, withdrawn: true })
}

/** Handles the wallet's response: a public key, from which the session topic is derived, or a rejection. */
export async function onProposeResponse(context: Context, { record, response }: IncomingResponse) {
  const { stores, keys, relay } = context
  const proposal = stores.proposals.get(record.id)
  // Another wallet that scanned the same code has already responded.
  if (!proposal || proposal.sessionTopic) return
  if ('error' in response) {
    await discardProposal(context, record.id)
    await settleProposal(context, proposal, { error: toErrorData(new PeerError(response.error)) })
    return
  }
  const result = parseShape(ProposeResult, response.result)
  if (!result.success) return
  const { responderPublicKey } = result.output
  // Ignores an invalid public key: another wallet may still respond.
  const key = await keys
    .agree(proposal.proposer.publicKey, responderPublicKey)
    .catch(() => undefined)
  // The proposal may have been deleted or aborted in the meantime.
  const latest = stores.proposals.get(record.id)
  if (!key || !latest) return
  const { topic: sessionTopic, stored } = key
  const saved = Promise.all([
    stored,
    stores.proposals.set({ ...latest, sessionTopic, responderPublicKey }),
    !latest.withdrawn && activatePairing(context, proposal.pairingTopic),
  ])
  relay.subscribe(sessionTopic).catch(async (cause: unknown) => {
    await discardProposal(context, record.id)
    const error = new RelayError('The relay did not confirm the subscription.', { cause })
    await settleProposal(context, proposal, { error: toErrorData(error) })
  })
  await saved
}

/** Settles a sent proposal, or the authenticate request for which it is the fallback. */
export async function settleProposal(
  context: Context,
  { id, authenticateId }: StoredProposal,
  outcome: { result: Session } | { error: ErrorData },
): Promise<void> {
  if (authenticateId === undefined) return context.resolve(id, outcome)
  const record = context.stores.records.get(authenticateId)
  if (!record) return
  const { completeAuthenticate, discardAuthenticate } = await loadAuthenticateApp()
  await ('error' in outcome ? discardAuthenticate : completeAuthenticate)(context, record)
  context.resolve(
    authenticateId,
    'error' in outcome ? outcome : { result: { auths: undefined, session: outcome.result } },
  )
}

export function expireProposal(context: Context, { id, authenticateId }: StoredProposal): void {
  // The authenticate request expires later.
  if (authenticateId !== undefined) return
  context.resolve(id, { error: toErrorData(new ExpiredError('Proposal expired')) })
}
