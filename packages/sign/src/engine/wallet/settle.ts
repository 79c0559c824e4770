import { PeerError, toErrorData, ValidationError } from '../../errors.ts'
import { approvedChains, findUnsatisfied, unique } from '../../namespaces.ts'
import type { Session } from '../../Session.ts'
import { assertProperties, isSubset } from '../../validation/connect.ts'
import { assertNamespaces } from '../../validation/namespaces.ts'
import { isText } from '../../validation/shapes.ts'
import {
  expired,
  missingOrInvalid,
  noMatchingKey,
  nonConforming,
  inspect,
} from '../../validation/messages.ts'
import { assertReason } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { methods, sessionLifetime } from '../transport/methods.ts'
import { activatePairing } from '../session/pairing.ts'
import type { IncomingResponse } from '../transport/incoming.ts'
import { deleteProposal, deleteSession } from '../state/remove.ts'
import type { StoredProposal, StoredRecord } from '../state/schemas.ts'
import { markSent, sealRequest, sendResponse } from '../transport/send.ts'
import { isSentProposal } from '../state/stores.ts'

/** Approves a proposal and settles its session. @returns the session's topic. @see spec §4.18.1, §5.12.2 */
export async function approve(
  context: Context,
  command: Extract<Command, { type: 'approve' }>,
): Promise<{ topic: string }> {
  const { id, settleId, namespaces, relayProtocol = 'irn' } = command
  const { stores, keys } = context
  const proposal = await getProposal(context, id)
  assertApproval(command, proposal.requiredNamespaces)

  const { publicKey, topic, ...key } = await keys.agreeWithNewKeyPair(proposal.proposer.publicKey)
  const self = { publicKey, metadata: context.metadata }
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
  const session: Session = {
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
  }
  const sealing = sealRequest(context, {
    id: settleId,
    topic,
    method: 'wc_sessionSettle',
    params: settlement,
    keep: true,
  })
  const [{ message }] = await Promise.all([sealing, stores.sessions.set(session), key.stored])
  await sendApproval(context, { proposal, session, settleId, message })
  return { topic }
}

/** Sends an approval that an earlier page had started to send; the app may already have received it. */
export async function resumeApproval(context: Context, record: StoredRecord): Promise<void> {
  const { stores, keys } = context
  const session = stores.sessions.get(record.topic)
  const proposal = stores.proposals
    .values()
    .find((it) => it.proposer.publicKey === session?.peer.publicKey && !isSentProposal(it, keys))
  if (!session || !proposal) return deleteSession(context, record.topic)
  const { id: settleId, message = '' } = record
  context.answering.add(proposal.id)
  try {
    await sendApproval(context, { proposal, session, settleId, message })
  } finally {
    context.answering.delete(proposal.id)
  }
}

async function sendApproval(
  context: Context,
  {
    proposal: { id, pairingTopic, proposer },
    session: { topic, self, relay, namespaces, sessionProperties, scopedProperties },
    settleId,
    message,
  }: { proposal: StoredProposal; session: Session; settleId: number; message: string },
) {
  const answer = { id, jsonrpc: '2.0', result: { relay, responderPublicKey: self.publicKey } }
  const granted = Object.values(namespaces)
  try {
    await context.relay.approveSession({
      pairingTopic,
      sessionTopic: topic,
      sessionProposalResponse: context.keys.encode(pairingTopic, JSON.stringify(answer)),
      sessionSettlementRequest: message,
      correlationId: id,
      approvedChains: approvedChains(namespaces),
      approvedMethods: unique(granted.flatMap((entry) => entry.methods)),
      approvedEvents: unique(granted.flatMap((entry) => entry.events)),
      approvedAccounts: granted.flatMap((entry) => entry.accounts),
      sessionProperties,
      scopedProperties,
    })
  } catch (error) {
    // Keeps the proposal, so that the wallet can try again.
    await deleteSession(context, topic)
    throw error
  }
  markSent(context, settleId)
  await Promise.all([
    closeProposal(context, { id, pairingTopic }),
    activatePairing(context, pairingTopic, proposer.metadata),
  ])
}

/** Deletes a proposal after its response, and the authenticate request for which it was the fallback. */
async function closeProposal(
  context: Context,
  { id, pairingTopic }: Pick<StoredProposal, 'id' | 'pairingTopic'>,
) {
  const { authRequests } = context.stores
  const related = authRequests.values().filter((request) => request.pairingTopic === pairingTopic)
  for (const request of related) context.recentlyDeleted.add(request.id, 'request')
  await Promise.all([
    deleteProposal(context, id),
    authRequests.delete(...related.map((request) => request.id)),
  ])
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
    throw missingOrInvalid(`approve() relayProtocol: ${inspect(relayProtocol)}`)
  assertProperties(sessionProperties, 'sessionProperties')
  assertProperties(scopedProperties, 'scopedProperties')
  if (!isSubset(scopedProperties, Object.keys(namespaces)))
    throw new ValidationError(
      `Scoped properties must be a subset of approved namespaces, received: ${inspect(scopedProperties)}, approved namespaces: ${Object.keys(namespaces).join(', ')}`,
    )
}

/** Rejects a proposal. @see spec §4.18.2 */
export async function reject(
  context: Context,
  { id, reason }: Extract<Command, { type: 'reject' }>,
): Promise<void> {
  const { pairingTopic } = await getProposal(context, id)
  assertReason(reason, 'reject()')
  // If there is no key, the app has deleted the pairing.
  if (context.keys.has(pairingTopic))
    await sendResponse(context, {
      topic: pairingTopic,
      id,
      answer: { error: reason },
      publishing: methods.wc_sessionPropose.reject,
    })
  await closeProposal(context, { id, pairingTopic })
}

/** Handles the app's response to the settlement. @see spec §4.18.4 */
export async function onSettleResponse(context: Context, { record, response }: IncomingResponse) {
  const session = context.stores.sessions.get(record.topic)
  if (!session) return
  if ('error' in response) {
    context.resolve(record.id, { error: toErrorData(new PeerError(response.error)) })
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
  context.resolve(record.id, { result: acknowledged })
}

/** Returns a received proposal. @see spec §5.12.2 */
async function getProposal(context: Context, id: unknown): Promise<StoredProposal> {
  if (typeof id !== 'number')
    throw missingOrInvalid(`proposal id should be a number: ${inspect(id)}`)
  context.recentlyDeleted.assertNotDeleted(id)
  const proposal = context.stores.proposals.get(id)
  if (!proposal || isSentProposal(proposal, context.keys))
    throw noMatchingKey(`proposal id doesn't exist: ${id}`)
  if (proposal.expiryTimestamp <= nowSeconds(context)) {
    await deleteProposal(context, id)
    context.event('proposal_expire', { id })
    throw expired(`proposal id: ${id}`)
  }
  return proposal
}
