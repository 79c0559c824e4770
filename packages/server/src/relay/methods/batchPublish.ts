import type { Handler } from './Handler.ts'
import { publishMessages } from './publishMessages.ts'

/** `irn_batchPublish`. */
export const irnBatchPublish: Handler<'irn_batchPublish'> = (relay, { params, payer }) =>
  publishMessages(relay, payer, params.messages)
