import { withRetry, type Hash, type PublicClient, type TransactionReceipt } from 'viem'

/**
 * Polls for the receipt of a transaction on a local chain, for 20 s. viem's `waitForTransactionReceipt` polls once per
 * block: if the node had the block before its receipts, no further block would come.
 *
 * @throws {TransactionReceiptNotFoundError} if it is not mined in time
 */
export function receiptOf(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hash,
): Promise<TransactionReceipt> {
  return withRetry(() => client.getTransactionReceipt({ hash }), { delay: 20, retryCount: 1_000 })
}
