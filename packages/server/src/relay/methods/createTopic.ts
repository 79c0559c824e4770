import type { Handler } from './Handler.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/** `wc_createTopic`: only subscribes, because topics need not be created. */
export const wcCreateTopic: Handler<'wc_createTopic'> = async (relay, call) => {
  await subscribeTopics(relay, call, [call.params.topic])
  return true
}
