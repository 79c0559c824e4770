import { relaySessionPublishes } from '@gatefold/protocol/relay'
import type { Handler } from './Handler.ts'
import { publishMessages } from './publishMessages.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/**
 * `wc_proposeSession`: subscribes the app to the pairing topic and publishes its proposal there.
 *
 * @see docs/contracts/relay.md#session-methods
 */
export const wcProposeSession: Handler<'wc_proposeSession'> = async (relay, call) => {
  const { pairingTopic, sessionProposal, ttl, attestation } = call.params
  const { ttlSeconds, ...fixed } = relaySessionPublishes.sessionProposal
  await Promise.all([
    subscribeTopics(relay, call, [pairingTopic]),
    publishMessages(relay, call.payer, [
      {
        topic: pairingTopic,
        message: sessionProposal,
        ttl: ttl ?? ttlSeconds,
        attestation,
        ...fixed,
      },
    ]),
  ])
  return true
}
