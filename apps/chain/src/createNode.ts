import { createTestClient, http, publicActions, walletActions } from 'viem'

/** How often receipts are read, in ms; anvil mines a transaction within a few. */
const pollingInterval = 5

/** Creates a client that may do everything on a local chain. Calls of the same tick are sent in one request. */
export function createNode(url: string) {
  return createTestClient({
    mode: 'anvil',
    transport: http(url, { batch: { batchSize: 100 }, retryCount: 0 }),
    pollingInterval,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}

export type Node = ReturnType<typeof createNode>
