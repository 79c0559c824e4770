import type { Handler } from './Handler.ts'

/** `irn_batchReceive`: acknowledges fetched messages. */
export const irnBatchReceive: Handler<'irn_batchReceive'> = async (
  { driver },
  { params, clientId, payer },
) => {
  await driver.acknowledge(
    clientId,
    params.receipts.map(({ topic, messageId }) => ({ topic, id: messageId })),
    payer.address,
  )
  return true
}
