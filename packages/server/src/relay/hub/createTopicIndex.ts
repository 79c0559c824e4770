import type { Client, Subscription } from './Client.ts'
import type { RelayDriver } from '../drivers/RelayDriver.ts'

export type TopicIndex = ReturnType<typeof createTopicIndex>

/**
 * Maximum number of connected subscribers of a topic. Topics of official clients have two, the app and the wallet. The
 * limit bounds the time that the delivery of one message takes.
 */
export const maxSubscribers = 20

/** Indexes the connected subscribers of each topic. The driver watches the topics that have subscribers. */
export function createTopicIndex(driver: Pick<RelayDriver, 'watch' | 'unwatch'>) {
  const subscribers = new Map<string, Set<Client>>()

  function isFull(topic: string) {
    return (subscribers.get(topic)?.size ?? 0) >= maxSubscribers
  }

  return {
    subscribersOf: (topic: string): ReadonlySet<Client> | undefined => subscribers.get(topic),

    /** Whether a topic has the maximum number of subscribers. */
    isFull,

    /**
     * Adds topics to a client, except those with the maximum number of subscribers. Also sets the state of topics that the
     * client already has.
     */
    add(client: Client, topics: readonly string[], state: Subscription['state']) {
      const added: string[] = []
      for (const topic of topics) {
        const known = client.topics.get(topic)
        if (known) {
          // A mailbox that is being read needs no second read.
          if (known.state !== 'reading') known.state = state
          continue
        }
        if (isFull(topic)) continue
        client.topics.set(topic, { state, lastSeq: 0, id: undefined })
        const others = subscribers.get(topic)
        if (others) others.add(client)
        else {
          subscribers.set(topic, new Set([client]))
          added.push(topic)
        }
      }
      if (added.length > 0) driver.watch(added, client.address)
    },

    remove(client: Client, topics: Iterable<string>) {
      const removed: string[] = []
      for (const topic of topics) {
        client.topics.delete(topic)
        const others = subscribers.get(topic)
        if (!others?.delete(client) || others.size > 0) continue
        subscribers.delete(topic)
        removed.push(topic)
      }
      if (removed.length > 0) driver.unwatch(removed)
    },
  }
}
