import type { Handler } from '../parts.ts'
import { publish } from '../publish.ts'

/** `irn_batchPublish`. */
export const irnBatchPublish: Handler<'irn_batchPublish'> = (relay, { params, clientId }) =>
  publish(relay, clientId, params.messages)
