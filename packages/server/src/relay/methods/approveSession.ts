import { relaySessionPublishes } from '@gatefold/protocol/relay'
import type { Handler } from './Handler.ts'
import { publishMessages } from './publishMessages.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/**
 * `wc_approveSession`: subscribes the wallet to the session topic, publishes the settlement there and
 * the response on the pairing topic. The app subscribes to the session topic once it has the response.
 *
 * @see docs/contracts/relay.md#session-methods
 */
export const wcApproveSession: Handler<'wc_approveSession'> = async (relay, call) => {
  const { pairingTopic, sessionTopic, ttl } = call.params
  const { sessionProposalResponse, sessionSettlementRequest } = relaySessionPublishes
  await Promise.all([
    subscribeTopics(relay, call, [sessionTopic]),
    publishMessages(relay, call.payer, [
      {
        topic: sessionTopic,
        message: call.params.sessionSettlementRequest,
        ttl: ttl ?? sessionSettlementRequest.ttlSeconds,
        tag: sessionSettlementRequest.tag,
      },
      {
        topic: pairingTopic,
        message: call.params.sessionProposalResponse,
        ttl: ttl ?? sessionProposalResponse.ttlSeconds,
        tag: sessionProposalResponse.tag,
      },
    ]),
  ])
  return true
}
