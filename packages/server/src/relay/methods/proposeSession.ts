import { relaySessionPublishes } from '@gatefold/protocol/relay'
import type { Handler } from '../parts.ts'
import { publish } from '../publish.ts'
import { subscribe } from '../subscribe.ts'

/**
 * `wc_proposeSession`: subscribes the app to the pairing topic, which it never does itself, and
 * publishes its proposal there.
 *
 * @see contract of the relay, 2.2
 */
export const wcProposeSession: Handler<'wc_proposeSession'> = async (relay, call) => {
  const { pairingTopic, sessionProposal, ttl, attestation } = call.params
  const { ttlSeconds, ...fixed } = relaySessionPublishes.sessionProposal
  await Promise.all([
    subscribe(relay, call, [pairingTopic]),
    publish(relay, call.clientId, [
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
