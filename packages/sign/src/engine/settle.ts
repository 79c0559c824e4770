import * as v from 'valibot'
import { PeerError, toErrorData, ValidationError } from '../errors.ts'
import { approvedChains, findUnsatisfied } from '../namespaces.ts'
import { reasons } from '../reasons.ts'
import type { Session } from '../Session.ts'
import { assertProperties, isSubset } from '../validation/connect.ts'
import { assertNamespaces } from '../validation/namespaces.ts'
import { isText } from '../validation/shapes.ts'
import { missingOrInvalid, nonConforming, show } from '../validation/texts.ts'
import { getProposal, isWithin } from './checks.ts'
import { type Context, nowSeconds } from './Context.ts'
import type { Command } from './Engine.ts'
import { methods, sessionLifetime } from './methods.ts'
import { activatePairing } from './pairing.ts'
import { settleProposal } from './proposal.ts'
import type { Answered, Received } from './Received.ts'
import { deleteProposal, deleteSession } from './remove.ts'
import { SettleParams } from './schemas.ts'
import { answerSoon, sealRequest, sendAnswer } from './send.ts'

// ---- wallet side

/** Makes the session of a proposal and tells the app. @returns its topic. @see spec §4.18.1, §5.12.2 */
export async function approve(
  context: Context,
  command: Extract<Command, { type: 'approve' }>,
): Promise<{ topic: string }> {
  const { id, settleId, namespaces, relayProtocol = 'irn' } = command
  const { stores, keys, relay } = context
  const proposal = await getProposal(context, id)
  assertApproval(command, proposal.requiredNamespaces)

  const publicKey = await keys.createKeyPair()
  const self = { publicKey, metadata: context.metadata }
  const topic = await keys.agree(publicKey, proposal.proposer.publicKey)
  const { sessionProperties, scopedProperties, sessionConfig } = command
  const settlement = {
    relay: { protocol: relayProtocol },
    namespaces,
    controller: self,
    expiry: nowSeconds(context) + sessionLifetime,
    ...(sessionProperties && { sessionProperties }),
    ...(scopedProperties && { scopedProperties }),
    ...(sessionConfig && { sessionConfig }),
  }
  await stores.sessions.set({
    ...settlement,
    topic,
    requiredNamespaces: proposal.requiredNamespaces,
    optionalNamespaces: proposal.optionalNamespaces,
    pairingTopic: proposal.pairingTopic,
    acknowledged: false,
    self,
    peer: proposal.proposer,
    controller: publicKey,
    transportType: 'relay',
  })
  const { message } = await sealRequest(context, {
    id: settleId,
    topic,
    method: 'wc_sessionSettle',
    params: settlement,
  })
  try {
    await relay.approveSession({
      pairingTopic: proposal.pairingTopic,
      sessionTopic: topic,
      sessionProposalResponse: keys.encode(
        proposal.pairingTopic,
        JSON.stringify({
          id,
          jsonrpc: '2.0',
          result: { relay: settlement.relay, responderPublicKey: publicKey },
        }),
      ),
      sessionSettlementRequest: message,
      correlationId: id,
      approvedChains: approvedChains(namespaces),
      approvedMethods: [...new Set(Object.values(namespaces).flatMap((entry) => entry.methods))],
      approvedEvents: [...new Set(Object.values(namespaces).flatMap((entry) => entry.events))],
      approvedAccounts: Object.values(namespaces).flatMap((entry) => entry.accounts),
      sessionProperties,
      scopedProperties,
    })
  } catch (error) {
    // The proposal stays: the wallet may try again.
    await deleteSession(context, topic)
    throw error
  }
  await Promise.all([
    deleteProposal(context, id),
    activatePairing(context, proposal.pairingTopic, proposal.proposer.metadata),
  ])
  return { topic }
}

function assertApproval(
  command: Extract<Command, { type: 'approve' }>,
  required: Parameters<typeof findUnsatisfied>[0],
) {
  const { namespaces, relayProtocol, sessionProperties, scopedProperties } = command
  assertNamespaces(namespaces, 'approve()')
  const unsatisfied = findUnsatisfied(required, namespaces, 'approve()')
  if (unsatisfied) throw nonConforming(unsatisfied)
  if (relayProtocol !== undefined && !isText(relayProtocol))
    throw missingOrInvalid(`approve() relayProtocol: ${show(relayProtocol)}`)
  assertProperties(sessionProperties, 'sessionProperties')
  assertProperties(scopedProperties, 'scopedProperties')
  if (!isSubset(scopedProperties, Object.keys(namespaces)))
    throw new ValidationError(
      `Scoped properties must be a subset of approved namespaces, received: ${show(scopedProperties)}, approved namespaces: ${Object.keys(namespaces).join(', ')}`,
    )
}

/** Says no. @see spec §4.18.2 */
export async function reject(
  context: Context,
  { id, reason }: Extract<Command, { type: 'reject' }>,
): Promise<void> {
  const { pairingTopic } = await getProposal(context, id)
  assertReason(reason, 'reject()')
  await sendAnswer(context, {
    topic: pairingTopic,
    id,
    answer: { error: reason },
    publishing: methods.wc_sessionPropose.reject,
  })
  await deleteProposal(context, id)
}

export function assertReason(reason: unknown, method: string): void {
  const { code, message } = (reason ?? {}) as Record<string, unknown>
  if (typeof code !== 'number' || code === 0 || Number.isNaN(code) || !isText(message))
    throw missingOrInvalid(`${method} reason: ${show(reason)}`)
}

/** The app has the session, or refuses it. @see spec §4.18.4 */
export async function onSettleResponse(context: Context, { record, response }: Answered) {
  const session = context.stores.sessions.get(record.topic)
  if (!session) return
  if ('error' in response) {
    context.settle(record.id, { error: toErrorData(new PeerError(response.error)) })
    await context.stores.records.delete(record.id)
    await deleteSession(context, record.topic)
    context.event('session_delete', {
      topic: record.topic,
      id: record.id,
      reason: response.error,
    })
    return
  }
  const acknowledged: Session = { ...session, acknowledged: true }
  await Promise.all([
    context.stores.sessions.set(acknowledged),
    context.stores.records.delete(record.id),
  ])
  context.settle(record.id, { result: acknowledged })
}

// ---- app side

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
    parsed.success &&
    parsed.output.controller.publicKey === proposal.responderPublicKey &&
    parsed.output.expiry > nowSeconds(context) &&
    isWithin(proposal, parsed.output.namespaces)
  if (!isFair) {
    const error = reasons.INVALID_SESSION_SETTLE_REQUEST
    answerSoon(context, { topic, id, method: 'wc_sessionSettle', answer: { error } })
    await deleteProposal(context, proposal.id)
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
  await stores.sessions.set(session)
  answerSoon(context, { topic, id, method: 'wc_sessionSettle', answer: { result: true } })
  await Promise.all([
    deleteProposal(context, proposal.id),
    activatePairing(context, proposal.pairingTopic, controller.metadata),
  ])
  context.event('session_connect', { session })
  await settleProposal(context, proposal, { result: session })
}
