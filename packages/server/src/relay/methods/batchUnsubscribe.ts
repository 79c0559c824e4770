import type { Handler } from './Handler.ts'

/** `irn_batchUnsubscribe`. */
export const irnBatchUnsubscribe: Handler<'irn_batchUnsubscribe'> = async (
  { driver, hub },
  { params, clientId, payer },
) => {
  const topics = params.subscriptions.map(({ topic }) => topic)
  await driver.unsubscribe(clientId, topics, payer.address)
  hub.unsubscribed(clientId, topics)
  return true
}
