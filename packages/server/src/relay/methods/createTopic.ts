import type { Handler } from '../parts.ts'
import { subscribe } from '../subscribe.ts'

/** `wc_createTopic`: a topic exists by being used, so this subscribes. */
export const wcCreateTopic: Handler<'wc_createTopic'> = async (relay, call) => {
  await subscribe(relay, call, [call.params.topic])
  return true
}
