import type { Handler } from '../parts.ts'
import { publish } from '../publish.ts'

/** `irn_publish`: answers once the message is durable. */
export const irnPublish: Handler<'irn_publish'> = (relay, { params, clientId }) =>
  publish(relay, clientId, [params])
