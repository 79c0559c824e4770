import type { Handler } from './Handler.ts'

/** `irn_batchUnsubscribe`. */
export const irnBatchUnsubscribe: Handler<'irn_batchUnsubscribe'> = async (
  { driver, hub },
  { params, clientId },
) => {
  const topics = params.subscriptions.map(({ topic }) => topic)
  await driver.unsubscribe(clientId, topics)
  hub.unsubscribed(clientId, topics)
  return true
}
