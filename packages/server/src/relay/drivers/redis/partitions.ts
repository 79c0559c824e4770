import { slotOf } from '../../../redis/slotOf.ts'

/** Prefix of all keys. Its number is increased with each format that older relays cannot read. */
const prefix = 'gatefold:relay:4:'

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

/** The prefix of a partition's keys and channels. */
export function prefixOf(partition: number): string {
  return `${prefix}{${partition}}:`
}

/** The channel on which a topic's messages are published. */
export function channelOf(topic: string): string {
  return `${prefixOf(partitionOf(topic))}n:${topic}`
}

/** The topic of a channel: 64 hex digits. */
export function topicOf(channel: string): string {
  return channel.slice(-64)
}
