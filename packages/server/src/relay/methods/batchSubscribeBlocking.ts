import type { Handler } from '../parts.ts'
import { subscribe } from '../subscribe.ts'

/** `irn_batchSubscribeBlocking`: here all topics fare alike, so none has an error of its own. */
export const irnBatchSubscribeBlocking: Handler<'irn_batchSubscribeBlocking'> = async (
  relay,
  call,
) => {
  const ids = await subscribe(relay, call, call.params.topics)
  return ids.map((id) => ({ id }))
}
