import type { Handler } from './Handler.ts'

/** `irn_unsubscribe`: ends the subscription to a topic; the id is ignored. */
export const irnUnsubscribe: Handler<'irn_unsubscribe'> = async (
  { driver, hub },
  { params, clientId, payer },
) => {
  await driver.unsubscribe(clientId, [params.topic], payer.address)
  hub.unsubscribed(clientId, [params.topic])
  return true
}
