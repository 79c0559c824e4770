import type { Handler } from './Handler.ts'

/** `irn_unsubscribe`: the topic says it all; a wrong id is not looked at. */
export const irnUnsubscribe: Handler<'irn_unsubscribe'> = async (
  { driver, hub },
  { params, clientId },
) => {
  await driver.unsubscribe(clientId, [params.topic])
  hub.unsubscribed(clientId, [params.topic])
  return true
}
