import type { Handler } from './Handler.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/** `irn_batchSubscribe`. */
export const irnBatchSubscribe: Handler<'irn_batchSubscribe'> = (relay, call) =>
  subscribeTopics(relay, call, call.params.topics)
