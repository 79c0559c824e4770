import type { Client, Subscription } from './Client.ts'
import type { RelayDriver } from '../drivers/RelayDriver.ts'

export type TopicIndex = ReturnType<typeof createTopicIndex>

/** Which connected clients want which topics; keeps the driver's watches in step. */
export function createTopicIndex(driver: Pick<RelayDriver, 'watch' | 'unwatch'>) {
  const subscribers = new Map<string, Set<Client>>()

  return {
    subscribersOf: (topic: string): ReadonlySet<Client> | undefined => subscribers.get(topic),

    /** Adds topics to a client, or puts those it has into a state. */
    add(client: Client, topics: readonly string[], state: Subscription['state']) {
      const fresh: string[] = []
      for (const topic of topics) {
        const known = client.topics.get(topic)
        if (known) {
          // What is being read just now needs no second reading.
          if (known.state !== 'loading' && known.state !== 'again') known.state = state
          continue
        }
        client.topics.set(topic, { state, lastSeq: 0, id: undefined })
        const others = subscribers.get(topic)
        if (others) others.add(client)
        else {
          subscribers.set(topic, new Set([client]))
          fresh.push(topic)
        }
      }
      if (fresh.length > 0) driver.watch(fresh)
    },

    remove(client: Client, topics: Iterable<string>) {
      const gone: string[] = []
      for (const topic of topics) {
        client.topics.delete(topic)
        const others = subscribers.get(topic)
        if (!others?.delete(client) || others.size > 0) continue
        subscribers.delete(topic)
        gone.push(topic)
      }
      if (gone.length > 0) driver.unwatch(gone)
    },
  }
}
