import type { Context } from '../Context.ts'
import { type Method, methods } from './methods.ts'
import { markSent } from './send.ts'
import { resumeApproval } from '../wallet/settle.ts'

/**
 * Publishes messages that an earlier page stored with `keep` but did not publish. The local state already
 * reflects them. If the relay is unavailable, the next start tries again.
 */
export async function resendUnsent(context: Context): Promise<void> {
  const { relay, stores } = context
  const unsent = stores.records.values().filter(({ message }) => message !== undefined)
  await Promise.allSettled(
    unsent.map(async (record) => {
      const { id, topic, message = '', request } = record
      if (request.method === 'wc_sessionSettle') return resumeApproval(context, record)
      await relay.publish(topic, message, {
        ...methods[request.method as Method].request,
        analytics: { correlationId: id },
      })
      if (request.method === 'wc_sessionUpdate') markSent(context, id)
      // `wc_sessionDelete` and `wc_pairingDelete` have no response.
      else await stores.records.delete(id)
    }),
  )
}
