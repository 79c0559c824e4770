import type { Handler } from '../parts.ts'
import { subscribe } from '../subscribe.ts'

/** `irn_subscribe`, and `irn_subscribeBlocking`: both answer once the subscription is durable. */
export const irnSubscribe: Handler<'irn_subscribe'> & Handler<'irn_subscribeBlocking'> = async (
  relay,
  call,
) => {
  const ids = await subscribe(relay, call, [call.params.topic])
  return ids[0]!
}
