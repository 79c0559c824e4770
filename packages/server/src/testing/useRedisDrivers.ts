import { createHash } from 'node:crypto'
import { afterEach } from 'vitest'
import { openRedis } from '../redis/openRedis.ts'
import { createRedisDriver } from '../relay/drivers/redis/createRedisDriver.ts'
import { partitionOf } from '../relay/drivers/redis/partitions.ts'
import type { NewMessage, StoredMessage } from '../relay/drivers/RelayDriver.ts'
import { randomTopic } from './startRelay.ts'

/** Opens drivers with their own connections to Redis, and closes them after each test. */
export function useRedisDrivers() {
  const opened: { close(): Promise<void> }[] = []
  const closeAll = async () => {
    for (const driver of opened.splice(0)) await driver.close()
  }
  afterEach(closeAll)

  async function open(
    urls: readonly string[],
    options: { replicas?: number; now?: () => number } = {},
  ) {
    const { replicas = 0, now = Date.now } = options
    const received: StoredMessage[] = []
    const errors: unknown[] = []
    let gaps = 0
    const redis = await openRedis({ urls, replicas })
    const driver = await createRedisDriver({
      redis,
      now,
      onMessages: (messages) => received.push(...messages),
      onGap: () => (gaps += 1),
      onError: (error) => errors.push(error),
    })
    let closing: Promise<void> | undefined
    const close = () => (closing ??= driver.close().then(() => redis.close()))
    opened.push({ close })
    return {
      ...driver,
      close,
      /** The messages that the driver has delivered. */
      received,
      /** How many gaps the driver has reported. */
      gaps: () => gaps,
      /** The first error of each outage. */
      errors,
    }
  }

  return { open, closeAll }
}

/** Creates a message that the client `app` publishes with a ttl of five minutes. */
export function newMessage(
  topic: string,
  text: string,
  more: Partial<NewMessage> = {},
): NewMessage {
  return {
    topic,
    id: createHash('sha256').update(text).digest('hex'),
    message: text,
    attestation: undefined,
    tag: 1108,
    publisher: 'app',
    ttlSeconds: 300,
    ...more,
  }
}

/** Creates a query for a client's first hundred waiting messages on some topics. */
export const readAll = (clientId: string, topics: readonly string[]) => ({
  clientId,
  topics,
  afterSeq: 0,
  limit: 100,
})

export const textsOf = ({ messages }: { messages: readonly StoredMessage[] }) =>
  messages.map((one) => one.message)

/** Creates topics in one partition, which a single script can read. */
export function topicsOfOnePartition(count: number): string[] {
  const topics: string[] = []
  while (topics.length < count) {
    const topic = randomTopic()
    if (partitionOf(topic) === 0) topics.push(topic)
  }
  return topics
}
