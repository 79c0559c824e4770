import * as v from 'valibot'
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

/** Publishes a proposal. What comes of it is told as `settled`. */
export async function connect(
  context: Context,
  command: Extract<Command, { type: 'connect' }>,
): Promise<void> {
  const { id, pairing, pairingTopic, relays, optionalNamespaces } = command
  const { stores, keys } = context
  const known = stores.proposals.get(id)
  // Another engine made it and went before the relay took it.
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
  // Given up meanwhile.
  if (context.recentlyDeleted.has(id)) return discardProposal(context, id)
  try {
    await publishProposal(context, { id, pairingTopic, text, message })
  } catch (error) {
    await discardProposal(context, id)
    throw error
  }
}

/**
 * Publishes without waiting for an attestation: it goes along when it is there by the time the socket
 * is open, else the same text is published again with it.
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
      // The proposal is there without it.
      .catch(() => undefined)
  })
}

/** What the verify service says of this page and a message. Never rejects. */
export async function attest(
  { verify }: Context,
  sealed: { text: string; message: string },
): Promise<string | undefined> {
  return verify?.attest(await hashSealed(sealed))
}

/** Forgets an own proposal and the pairing that was made for it. */
export async function discardProposal(context: Context, id: number): Promise<void> {
  const proposal = context.stores.proposals.get(id)
  if (!proposal) return
  await deleteProposal(context, id)
  const { pairingTopic } = proposal
  if (context.stores.pairings.get(pairingTopic)?.active === false)
    await deletePairing(context, pairingTopic)
}

/**
 * Nobody waits for an own proposal any more. A wallet may be looking at it, even before the relay has
 * answered: until it expires, who approves is told no in place of keeping a session that nobody has.
 */
export async function withdrawProposal({ stores }: Context, id: number): Promise<void> {
  const proposal = stores.proposals.get(id)
  if (proposal) await stores.proposals.set({ ...proposal, withdrawn: true })
}

/** The wallet says where the session will be, or no. */
export async function onProposeResponse(context: Context, { record, response }: IncomingResponse) {
  const { stores, keys, relay } = context
  const proposal = stores.proposals.get(record.id)
  // A second wallet that scanned the same code comes too late.
  if (!proposal || proposal.sessionTopic) return
  if ('error' in response) {
    await discardProposal(context, record.id)
    await settleProposal(context, proposal, { error: toErrorData(new PeerError(response.error)) })
    return
  }
  const result = v.safeParse(ProposeResult, response.result)
  if (!result.success) return
  const { responderPublicKey } = result.output
  // A key no secret can be made of: a wallet with a good one may still answer.
  const key = await keys
    .agree(proposal.proposer.publicKey, responderPublicKey)
    .catch(() => undefined)
  // Given up meanwhile, or withdrawn.
  const latest = stores.proposals.get(record.id)
  if (!key || !latest) return
  const { topic: sessionTopic, stored } = key
  const kept = Promise.all([
    stored,
    stores.proposals.set({ ...latest, sessionTopic, responderPublicKey }),
    !latest.withdrawn && activatePairing(context, proposal.pairingTopic),
  ])
  relay.subscribe(sessionTopic).catch(async (cause: unknown) => {
    await discardProposal(context, record.id)
    const error = new RelayError('The relay did not take the subscription.', { cause })
    await settleProposal(context, proposal, { error: toErrorData(error) })
  })
  await kept
}

/** Tells what came of an own proposal; one beside an authenticate request answers that. */
export async function settleProposal(
  context: Context,
  { id, authenticateId }: StoredProposal,
  outcome: { result: Session } | { error: ErrorData },
): Promise<void> {
  if (authenticateId === undefined) return context.settle(id, outcome)
  const record = context.stores.records.get(authenticateId)
  if (!record) return
  const { completeAuthenticate, discardAuthenticate } = await loadAuthenticateApp()
  await ('error' in outcome ? discardAuthenticate : completeAuthenticate)(context, record)
  context.settle(
    authenticateId,
    'error' in outcome ? outcome : { result: { auths: undefined, session: outcome.result } },
  )
}

export function expireProposal(context: Context, { id, authenticateId }: StoredProposal): void {
  // The request to authenticate beside it lives longer.
  if (authenticateId !== undefined) return
  context.settle(id, { error: toErrorData(new ExpiredError('Proposal expired')) })
}
