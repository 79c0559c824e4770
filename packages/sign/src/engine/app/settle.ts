import { PeerError, toErrorData } from '../../errors.ts'
import { reasons } from '../../reasons.ts'
import type { Session } from '../../Session.ts'
import { isWithinProposal } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { activatePairing } from '../session/pairing.ts'
import { discardProposal, settleProposal } from './propose.ts'
import type { IncomingRequest } from '../transport/incoming.ts'
import { deleteProposal } from '../state/remove.ts'
import { SettleParams } from '../state/schemas.ts'
import { respondInBackground } from '../transport/send.ts'
import { parseShape } from '../../validation/parseShape.ts'

/**
 * Settles a session. Accepts the request only from the wallet that responded to the proposal, and only with
 * namespaces that were proposed.
 */
export async function onSettle(context: Context, { topic, id, params }: IncomingRequest) {
  const { stores } = context
  const proposal = stores.proposals.values().find(({ sessionTopic }) => sessionTopic === topic)
  if (!proposal) {
    // Already settled before a crash, but the response may not have been sent.
    const again = stores.sessions.get(topic)
    if (again?.controller !== again?.peer.publicKey) return false
    if (again)
      respondInBackground(context, {
        topic,
        id,
        method: 'wc_sessionSettle',
        answer: { result: true },
      })
    return again !== undefined
  }
  const parsed = parseShape(SettleParams, params)
  const isValid =
    !proposal.withdrawn &&
    parsed.success &&
    parsed.output.controller.publicKey === proposal.responderPublicKey &&
    parsed.output.expiry > nowSeconds(context) &&
    isWithinProposal(proposal, parsed.output.namespaces)
  if (!isValid) {
    const error = proposal.withdrawn
      ? reasons.USER_REJECTED
      : reasons.INVALID_SESSION_SETTLE_REQUEST
    respondInBackground(context, { topic, id, method: 'wc_sessionSettle', answer: { error } })
    await discardProposal(context, proposal.id)
    await settleProposal(context, proposal, { error: toErrorData(new PeerError(error)) })
    return
  }
  const { controller, ...terms } = parsed.output
  const session: Session = {
    topic,
    ...terms,
    acknowledged: true,
    pairingTopic: proposal.pairingTopic,
    requiredNamespaces: proposal.requiredNamespaces,
    optionalNamespaces: proposal.optionalNamespaces,
    controller: controller.publicKey,
    self: proposal.proposer,
    peer: controller,
    transportType: 'relay',
  }
  // The session is emitted before it is stored: after a crash, the inbox delivers the message again.
  const stored = stores.sessions.set(session)
  context.event('session_connect', { session })
  await settleProposal(context, proposal, { result: session })
  await stored
  respondInBackground(context, { topic, id, method: 'wc_sessionSettle', answer: { result: true } })
  await Promise.all([
    deleteProposal(context, proposal.id),
    activatePairing(context, proposal.pairingTopic, controller.metadata),
  ])
}
