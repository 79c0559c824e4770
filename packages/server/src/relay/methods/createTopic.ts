import type { Handler } from './Handler.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/** `wc_createTopic`: subscribes; topics need no creation. */
export const wcCreateTopic: Handler<'wc_createTopic'> = async (relay, call) => {
  await subscribeTopics(relay, call, [call.params.topic])
  return true
}
