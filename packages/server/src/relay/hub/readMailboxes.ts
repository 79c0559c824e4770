import { limits } from '@gatefold/protocol'
import { currentSocket, type Client, type Subscription } from './Client.ts'
import type { RelayDriver, StoredMessage } from '../drivers/RelayDriver.ts'

/** Maximum messages per read. */
const pageSize = 100

/**
 * Reads the mailboxes of a client's queued topics, oldest message first, and makes the topics live. Only
 * one read per client runs at a time. A call during a read returns immediately, and the running read also
 * reads the topics that were queued meanwhile.
 *
 * @param options.onMessage - returns whether to continue. If not, the topics of this read become idle.
 * @param options.nextTurn - waits for the turn of the client's address, before each page is read, during
 * a long read, and before a page is pushed.
 * @throws the driver's error; the topics are then queued again.
 */
export async function readMailboxes(options: {
  client: Client
  driver: RelayDriver
  onMessage: (subscription: Subscription, message: StoredMessage) => boolean
  nextTurn: (address: string) => Promise<void>
}): Promise<void> {
  const { client } = options
  if (client.isReading) return
  client.isReading = true
  try {
    for (let topics = takeQueued(client); topics.length > 0; topics = takeQueued(client)) {
      const socket = currentSocket(client)
      try {
        const isComplete = await readTopics(options, topics)
        // If the client has a newer socket, `attach` has already reset the states.
        if (currentSocket(client) === socket) setState(client, topics, isComplete ? 'live' : 'idle')
      } catch (error) {
        if (currentSocket(client) === socket) setState(client, topics, 'queued')
        throw error
      }
    }
  } finally {
    client.isReading = false
  }
}

async function readTopics(
  { client, driver, onMessage, nextTurn }: Parameters<typeof readMailboxes>[0],
  topics: readonly string[],
): Promise<boolean> {
  const socket = currentSocket(client)
  let afterSeq = 0
  for (let isMore = true; isMore;) {
    await nextTurn(client.address)
    const page = await driver.read({
      clientId: client.id,
      topics,
      afterSeq,
      limit: pageSize,
      nextTurn: () => nextTurn(client.address),
    })
    if (page.messages.length > 0) await nextTurn(client.address)
    if (currentSocket(client) !== socket) return false
    for (const message of page.messages) {
      afterSeq = message.seq
      const subscription = client.topics.get(message.topic)
      // A topic that was unsubscribed and subscribed again is read from its start, after this read.
      if (!subscription || subscription.state === 'queued') continue
      if (!onMessage(subscription, message)) return false
    }
    isMore = page.hasMore
  }
  return true
}

function takeQueued(client: Client): string[] {
  const topics: string[] = []
  for (const [topic, subscription] of client.topics) {
    if (subscription.state !== 'queued') continue
    subscription.state = 'reading'
    topics.push(topic)
    if (topics.length === limits.relayBatchSize) break
  }
  return topics
}

/** Sets the state of topics after a read. Topics with newer messages are queued instead of live. */
function setState(client: Client, topics: readonly string[], state: 'live' | 'idle' | 'queued') {
  for (const topic of topics) {
    const subscription = client.topics.get(topic)
    if (subscription?.state === 'readAgain')
      subscription.state = state === 'live' ? 'queued' : state
    else if (subscription?.state === 'reading') subscription.state = state
  }
}
