import type { Handler } from './Handler.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/** `irn_subscribe` and `irn_subscribeBlocking`: both respond once the subscription is durable. */
export const irnSubscribe: Handler<'irn_subscribe'> & Handler<'irn_subscribeBlocking'> = async (
  relay,
  call,
) => {
  const ids = await subscribeTopics(relay, call, [call.params.topic])
  return ids[0]!
}
