import type { Handler } from './Handler.ts'
import { publishMessages } from './publishMessages.ts'

/** `irn_publish`: responds once the message is durable. */
export const irnPublish: Handler<'irn_publish'> = (relay, { params, payer }) =>
  publishMessages(relay, payer, [params])
