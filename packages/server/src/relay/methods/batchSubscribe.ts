import type { Handler } from '../parts.ts'
import { subscribe } from '../subscribe.ts'

/** `irn_batchSubscribe`. */
export const irnBatchSubscribe: Handler<'irn_batchSubscribe'> = (relay, call) =>
  subscribe(relay, call, call.params.topics)
