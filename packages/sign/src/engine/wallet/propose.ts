import { hashSealed } from '../../crypto/keys.ts'
import { ValidationError } from '../../errors.ts'
import { reasons } from '../../reasons.ts'
import type { Participant, Reason, VerifyContext } from '../../Session.ts'
import { assertProposedNamespaces } from '../../validation/namespaces.ts'
import { isRecord } from '../../validation/shapes.ts'
import { missingOrInvalid } from '../../validation/messages.ts'
import { unknownContext } from '../../verify/unknownContext.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { methods, pairingExpiry } from '../transport/methods.ts'
import { findExcess } from './pending.ts'
import { extendPairing } from '../session/pairing.ts'
import type { IncomingRequest } from '../transport/incoming.ts'
import type { StoredProposal } from '../state/schemas.ts'
import { ProposeParams } from './params.ts'
import { respondInBackground, toReason } from '../transport/send.ts'
import { parseShape } from '../../validation/parseShape.ts'

/** Stores and emits a proposal, or rejects it if its params are invalid or too many are pending. */
export async function onPropose(context: Context, received: IncomingRequest) {
  const { id, topic, attestation, params } = received
  const pairing = context.stores.pairings.get(topic)
  if (!pairing) return false
  const refuse = (error: Reason) =>
    respondInBackground(context, {
      topic,
      id,
      method: 'wc_sessionPropose',
      answer: { error },
      publishing: methods.wc_sessionPropose.autoReject,
    })
  const parsed = parseShape(ProposeParams, params)
  if (!parsed.success)
    return refuse(toReason(describe(params), reasons.UNSUPPORTED_NAMESPACE_KEY.code))
  const waiting = context.stores.proposals.values().filter((it) => it.pairingTopic === topic)
  const excess = findExcess(waiting, received.text)
  if (excess) return refuse(excess)
  const { proposer } = parsed.output
  // Expires with the pairing at the latest, because the pairing's key seals the response. A proposal extends only a
  // pairing that the wallet has used: otherwise an app could keep it for ever.
  const longest = nowSeconds(context) + pairingExpiry
  const latest = pairing.active ? longest : Math.min(pairing.expiry, longest)
  const expiryTimestamp = Math.min(parsed.output.expiryTimestamp ?? latest, latest)
  if (expiryTimestamp <= nowSeconds(context)) return
  const proposal: StoredProposal = {
    ...parsed.output,
    id,
    pairingTopic: topic,
    expiryTimestamp,
    verifyContext: await checkPeer(context, received, proposer, attestation),
  }
  // The pairing may have been deleted during the check.
  if (!context.stores.pairings.has(topic)) return
  const stored = Promise.all([
    context.stores.proposals.set(proposal),
    pairing.active && extendPairing(context, topic, expiryTimestamp),
  ])
  // Does not wait for the write: the message stays in the inbox until the proposal is stored, so after a crash
  // it is handled again at the next start.
  emitProposal(context, proposal)
  await stored
}

/** Emits a proposal, unless the wallet handles the authenticate request that was sent with it. */
export function emitProposal(context: Context, proposal: StoredProposal): void {
  const { verifyContext, ...rest } = proposal
  const methods = context.stores.pairings.get(proposal.pairingTopic)?.methods
  const isFallback = methods?.includes('wc_sessionAuthenticate')
  if (isFallback && context.listened.has('session_authenticate')) return
  context.event('session_proposal', {
    id: proposal.id,
    params: rest,
    verifyContext: verifyContext ?? unknownContext(proposal.proposer.metadata.url),
  })
}

/** Checks a sender with the verify service. */
export async function checkPeer(
  context: Context,
  received: Pick<IncomingRequest, 'text' | 'message'>,
  peer: Participant,
  attestation: string | undefined,
): Promise<VerifyContext> {
  const { verify } = context
  if (!verify) return unknownContext(peer.metadata.url)
  return verify.check({
    attestation,
    ...(await hashSealed(received)),
    peerUrl: peer.metadata.url,
  })
}

/** @returns the error that `connect()` would throw for these invalid params, or a general error */
function describe(params: unknown): ValidationError {
  try {
    for (const kind of ['requiredNamespaces', 'optionalNamespaces'])
      if (isRecord(params) && isRecord(params[kind]) && Object.keys(params[kind]).length > 0)
        assertProposedNamespaces(params[kind], 'connect()', kind)
  } catch (error) {
    if (error instanceof ValidationError) return error
    throw error
  }
  return missingOrInvalid('connect() params')
}
