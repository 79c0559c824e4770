import { relaySessionPublishes } from '@gatefold/protocol/relay'
import type { Handler } from '../parts.ts'
import { publish } from '../publish.ts'
import { subscribe } from '../subscribe.ts'

/**
 * `wc_approveSession`: subscribes the wallet to the session topic, which it never does itself,
 * publishes the settlement there, where it waits for the app, and the response on the pairing topic.
 *
 * @see contract of the relay, 2.2
 */
export const wcApproveSession: Handler<'wc_approveSession'> = async (relay, call) => {
  const { pairingTopic, sessionTopic, ttl } = call.params
  const { sessionProposalResponse, sessionSettlementRequest } = relaySessionPublishes
  await Promise.all([
    subscribe(relay, call, [sessionTopic]),
    publish(relay, call.clientId, [
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
