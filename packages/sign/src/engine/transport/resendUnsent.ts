import type { Context } from '../Context.ts'
import { type Method, methods } from './methods.ts'
import { markSent } from './send.ts'
import { resumeApproval } from '../wallet/settle.ts'

/**
 * Sends what the last page was sending when it went: this side acts on it already. Without the relay the
 * next start tries again.
 */
export async function resendUnsent(context: Context): Promise<void> {
  const { relay, stores } = context
  const kept = stores.records.values().filter(({ message }) => message !== undefined)
  await Promise.allSettled(
    kept.map(async (record) => {
      const { id, topic, message = '', request } = record
      if (request.method === 'wc_sessionSettle') return resumeApproval(context, record)
      await relay.publish(topic, message, {
        ...methods[request.method as Method].request,
        analytics: { correlationId: id },
      })
      if (request.method === 'wc_sessionUpdate') markSent(context, id)
      // Of an end there is no answer.
      else await stores.records.delete(id)
    }),
  )
}
