import { slotOf } from '../../../redis/slotOf.ts'

/** Prefix of all keys. Its number changes with every change that older relays could not read. */
const prefix = 'gatefold:relay:3:'

/** Number of partitions. Each is in one hash slot of a Redis Cluster. */
export const partitionCount = 64

export const partitions: readonly number[] = Array.from(
  { length: partitionCount },
  (_, index) => index,
)

/** The partition of a topic, or of a client. */
export function partitionOf(name: string): number {
  return slotOf(name) % partitionCount
}

/** What the keys and channels of a partition begin with. */
export function prefixOf(partition: number): string {
  return `${prefix}{${partition}}:`
}

/** The channel that carries the messages of a topic. */
export function channelOf(topic: string): string {
  return `${prefixOf(partitionOf(topic))}n:${topic}`
}

/** The topic whose messages a channel carries: 64 hex digits. */
export function topicOf(channel: string): string {
  return channel.slice(-64)
}
