import * as v from 'valibot'
import { PeerError, toErrorData } from '../errors.ts'
import { reasons } from '../reasons.ts'
import type { Session } from '../Session.ts'
import { isWithin } from './checks.ts'
import { type Context, nowSeconds } from './Context.ts'
import { activatePairing } from './pairing.ts'
import { giveUpProposal, settleProposal } from './proposal.ts'
import type { Received } from './Received.ts'
import { deleteProposal } from './remove.ts'
import { SettleParams } from './schemas.ts'
import { answerSoon } from './send.ts'

/** The wallet's terms. Only from whom answered the proposal, and only what was proposed. */
export async function onSettle(context: Context, { topic, id, params }: Received) {
  const { stores } = context
  const proposal = stores.proposals.values().find(({ sessionTopic }) => sessionTopic === topic)
  if (!proposal) {
    // Made before a crash, its acknowledgement perhaps not sent.
    const again = stores.sessions.get(topic)
    if (again?.controller !== again?.peer.publicKey) return false
    if (again)
      answerSoon(context, { topic, id, method: 'wc_sessionSettle', answer: { result: true } })
    return again !== undefined
  }
  const parsed = v.safeParse(SettleParams, params)
  const isFair =
    !proposal.withdrawn &&
    parsed.success &&
    parsed.output.controller.publicKey === proposal.responderPublicKey &&
    parsed.output.expiry > nowSeconds(context) &&
    isWithin(proposal, parsed.output.namespaces)
  if (!isFair) {
    const error = proposal.withdrawn
      ? reasons.USER_REJECTED
      : reasons.INVALID_SESSION_SETTLE_REQUEST
    answerSoon(context, { topic, id, method: 'wc_sessionSettle', answer: { error } })
    await giveUpProposal(context, proposal.id)
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
  // Until it is stored the message waits in the inbox: a crash in between makes the session again.
  const stored = stores.sessions.set(session)
  context.event('session_connect', { session })
  await settleProposal(context, proposal, { result: session })
  await stored
  answerSoon(context, { topic, id, method: 'wc_sessionSettle', answer: { result: true } })
  await Promise.all([
    deleteProposal(context, proposal.id),
    activatePairing(context, proposal.pairingTopic, controller.metadata),
  ])
}
