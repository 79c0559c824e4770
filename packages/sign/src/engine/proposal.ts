import * as v from 'valibot'
import { hashMessage } from '../crypto/keys.ts'
import {
  type ErrorData,
  ExpiredError,
  PeerError,
  RelayError,
  toErrorData,
  ValidationError,
} from '../errors.ts'
import { reasons } from '../reasons.ts'
import type { Participant, Session, VerifyContext } from '../Session.ts'
import { assertAskedNamespaces } from '../validation/namespaces.ts'
import { isRecord } from '../validation/shapes.ts'
import { missingOrInvalid } from '../validation/texts.ts'
import { getPairing } from './checks.ts'
import { type Context, nowSeconds } from './Context.ts'
import type { Command } from './Engine.ts'
import { methods, pairingExpiry } from './methods.ts'
import { activatePairing } from './pairing.ts'
import type { Answered, Received } from './Received.ts'
import { deletePairing, deleteProposal } from './remove.ts'
import { ProposeParams, ProposeResult, type StoredProposal } from './schemas.ts'
import { answerSoon, sealRequest, toReason } from './send.ts'

// ---- app side

/** Publishes a proposal. What comes of it is told as `settled`. */
export async function connect(
  context: Context,
  command: Extract<Command, { type: 'connect' }>,
): Promise<void> {
  const { id, pairing, pairingTopic, relays, optionalNamespaces } = command
  const { stores, keys } = context
  if (stores.proposals.has(id)) return
  if (pairing) {
    const { topic, expiry, symKey } = pairing
    const stored = { topic, expiry, active: false, relay: { protocol: 'irn' } }
    await Promise.all([keys.setSymKey(symKey), stores.pairings.set(stored)])
  } else getPairing(context, pairingTopic)

  const { sessionProperties, scopedProperties } = command
  const publicKey = await keys.createKeyPair()
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
  ])
  try {
    await publishProposal(context, { id, pairingTopic, text, message })
  } catch (error) {
    await giveUpProposal(context, id)
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
  const attesting = context.verify
    ?.attest({ encryptedId: hashMessage(message), decryptedId: hashMessage(text) })
    .then((answer) => (attestation = answer))
  await context.relay.proposeSession({
    pairingTopic,
    sessionProposal: message,
    attestation: () => (sent = attestation),
    correlationId: id,
  })
  void attesting?.then(async () => {
    if (attestation === undefined || sent !== undefined || !context.stores.proposals.has(id)) return
    await context.relay
      .publish(pairingTopic, message, { ...methods.wc_sessionPropose.request, attestation })
      // The proposal is there without it.
      .catch(() => undefined)
  })
}

/** Forgets an own proposal and the pairing that was made for it. */
export async function giveUpProposal(context: Context, id: number): Promise<void> {
  const proposal = context.stores.proposals.get(id)
  if (!proposal) return
  await deleteProposal(context, id)
  const { pairingTopic } = proposal
  if (context.stores.pairings.get(pairingTopic)?.active === false)
    await deletePairing(context, pairingTopic)
}

/** The wallet says where the session will be, or no. */
export async function onProposeResponse(context: Context, { record, response }: Answered) {
  const { stores, keys, relay } = context
  const proposal = stores.proposals.get(record.id)
  // A second wallet that scanned the same code comes too late.
  if (!proposal || proposal.sessionTopic) return
  if ('error' in response) {
    await giveUpProposal(context, record.id)
    await settleProposal(context, proposal, { error: toErrorData(new PeerError(response.error)) })
    return
  }
  const result = v.safeParse(ProposeResult, response.result)
  if (!result.success) return
  const { responderPublicKey } = result.output
  let sessionTopic: string
  try {
    sessionTopic = await keys.agree(proposal.proposer.publicKey, responderPublicKey)
  } catch {
    // A key no secret can be made of; a wallet with a good one may still answer.
    return
  }
  await Promise.all([
    stores.proposals.set({ ...proposal, sessionTopic, responderPublicKey }),
    activatePairing(context, proposal.pairingTopic),
  ])
  relay.subscribe(sessionTopic).catch(async (cause: unknown) => {
    await giveUpProposal(context, record.id)
    const error = new RelayError('The relay did not take the subscription.', { cause })
    await settleProposal(context, proposal, { error: toErrorData(error) })
  })
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
  const { forgetAuthenticate } = await import('./authenticate/app.ts')
  await forgetAuthenticate(context, record)
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

// ---- wallet side

/** A proposal on a pairing: kept and shown, or refused when nothing could be approved of it. */
export async function onPropose(context: Context, received: Received) {
  const { id, topic, attestation, params } = received
  if (!context.stores.pairings.has(topic)) return false
  const parsed = v.safeParse(ProposeParams, params)
  if (!parsed.success) {
    answerSoon(context, {
      topic,
      id,
      method: 'wc_sessionPropose',
      answer: { error: toReason(describe(params), reasons.UNSUPPORTED_NAMESPACE_KEY.code) },
      publishing: methods.wc_sessionPropose.autoReject,
    })
    return
  }
  const { proposer } = parsed.output
  const expiryTimestamp = parsed.output.expiryTimestamp ?? nowSeconds(context) + pairingExpiry
  if (expiryTimestamp <= nowSeconds(context)) return
  const proposal: StoredProposal = {
    ...parsed.output,
    id,
    pairingTopic: topic,
    expiryTimestamp,
    verifyContext: await checkPeer(context, received, proposer, attestation),
  }
  await context.stores.proposals.set(proposal)
  showProposal(context, proposal)
}

/** Tells the wallet, unless it prefers the request to authenticate that came with it. */
export function showProposal(context: Context, proposal: StoredProposal): void {
  const { verifyContext, ...rest } = proposal
  const methods = context.stores.pairings.get(proposal.pairingTopic)?.methods
  const isFallback = methods?.includes('wc_sessionAuthenticate')
  if (isFallback && context.listened.has('session_authenticate')) return
  context.event('session_proposal', {
    id: proposal.id,
    params: rest,
    verifyContext: verifyContext ?? unknown(proposal.proposer),
  })
}

/** What the verify service says of a sender. */
export async function checkPeer(
  context: Context,
  received: Pick<Received, 'text' | 'message'>,
  peer: Participant,
  attestation: string | undefined,
): Promise<VerifyContext> {
  const context_ = await context.verify?.check({
    attestation,
    encryptedId: hashMessage(received.message),
    decryptedId: hashMessage(received.text),
    peerUrl: peer.metadata.url,
  })
  return context_ ?? unknown(peer)
}

function unknown({ metadata }: Participant): VerifyContext {
  return { verified: { verifyUrl: '', validation: 'UNKNOWN', origin: metadata.url } }
}

/** Why a proposal cannot be taken, in the words its sender would have read itself. */
function describe(params: unknown): ValidationError {
  try {
    for (const kind of ['requiredNamespaces', 'optionalNamespaces'])
      if (isRecord(params) && isRecord(params[kind]) && Object.keys(params[kind]).length > 0)
        assertAskedNamespaces(params[kind], 'connect()', kind)
  } catch (error) {
    if (error instanceof ValidationError) return error
    throw error
  }
  return missingOrInvalid('connect() params')
}
