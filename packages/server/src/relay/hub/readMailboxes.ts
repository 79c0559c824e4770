import { limits } from '@gatefold/protocol'
import { socketOf, type Client, type Subscription } from './Client.ts'
import type { RelayDriver, StoredMessage } from '../drivers/RelayDriver.ts'

/** Messages read at once. */
const pageSize = 100

/**
 * Reads the mailboxes of a client's queued topics, oldest message first, until nothing is queued;
 * then they are live. One at a time for a client: what is queued while one runs, that one reads.
 *
 * @param options.onMessage - @returns whether to go on; if not, the topics read just now sleep.
 * @throws what the driver throws; the topics are queued again then.
 */
export async function readMailboxes(options: {
  client: Client
  driver: RelayDriver
  onMessage: (subscription: Subscription, message: StoredMessage) => boolean
}): Promise<void> {
  const { client } = options
  if (client.isLoading) return
  client.isLoading = true
  try {
    for (let topics = takeQueued(client); topics.length > 0; topics = takeQueued(client)) {
      const socket = socketOf(client)
      try {
        const isRead = await readAll(options, topics)
        // A newer socket starts over by itself.
        if (socketOf(client) === socket) settle(client, topics, isRead ? 'live' : 'idle')
      } catch (error) {
        if (socketOf(client) === socket) settle(client, topics, 'queued')
        throw error
      }
    }
  } finally {
    client.isLoading = false
  }
}

async function readAll(
  { client, driver, onMessage }: Parameters<typeof readMailboxes>[0],
  topics: readonly string[],
): Promise<boolean> {
  const socket = socketOf(client)
  let afterSeq = 0
  for (let isMore = true; isMore;) {
    const page = await driver.read({ clientId: client.id, topics, afterSeq, limit: pageSize })
    if (socketOf(client) !== socket) return false
    for (const message of page.messages) {
      afterSeq = message.seq
      const subscription = client.topics.get(message.topic)
      if (subscription && !onMessage(subscription, message)) return false
    }
    isMore = page.hasMore
  }
  return true
}

function takeQueued(client: Client): string[] {
  const topics: string[] = []
  for (const [topic, subscription] of client.topics) {
    if (subscription.state !== 'queued') continue
    subscription.state = 'loading'
    topics.push(topic)
    if (topics.length === limits.relayBatchSize) break
  }
  return topics
}

/** Ends a reading; a topic to which something came meanwhile is read again. */
function settle(client: Client, topics: readonly string[], state: 'live' | 'idle' | 'queued') {
  for (const topic of topics) {
    const subscription = client.topics.get(topic)
    if (subscription?.state === 'again') subscription.state = state === 'live' ? 'queued' : state
    else if (subscription?.state === 'loading') subscription.state = state
  }
}
