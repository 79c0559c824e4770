import type { RedisNode } from './createNode.ts'
import type { Topology } from './createTopology.ts'
import { createListener, type ChannelEvents, type Listener } from './createListener.ts'

/** The sharded channels to which this process is subscribed. */
export type Channels = {
  /**
   * Subscribes to channels. Idempotent. Returns before the subscriptions are in effect. Senders, such as network
   * addresses, take turns.
   */
  add(channels: readonly string[], sender?: string): void
  remove(channels: readonly string[]): void
  /**
   * Resolves once the subscriptions to those of the channels that were added are in effect, or have failed, at all
   * connected primaries. Failed changes are retried, and `onGap` is called once they are in effect.
   */
  settle(channels: Iterable<string>): Promise<void>
  close(): void
}

/**
 * Creates an empty set of subscriptions to sharded channels. Each channel is subscribed at the primary of its
 * slot, and moves with the slot. Resolves once a connection to every primary is open.
 */
export async function createChannels(topology: Topology, events: ChannelEvents): Promise<Channels> {
  const listeners = new Map<RedisNode, Listener>()
  /** The listener of each channel. */
  const listenerOf = new Map<string, Listener>()
  let isStarted = false

  function reportGap() {
    if (isStarted) events.onGap()
  }

  function listenTo(node: RedisNode): Listener {
    let listener = listeners.get(node)
    if (!listener) {
      listener = createListener({
        url: node.url,
        onMessage: events.onMessage,
        onGap: reportGap,
        onDown: () => void topology.refresh(),
      })
      listeners.set(node, listener)
    }
    return listener
  }

  /** Moves channels to the primaries that now have their slots. */
  async function move() {
    const added: string[] = []
    for (const [channel, listener] of listenerOf) {
      const owner = listenTo(topology.nodeOf(channel))
      if (owner === listener) continue
      listener.remove(channel)
      owner.add(channel)
      listenerOf.set(channel, owner)
      added.push(channel)
    }
    const used = new Set(topology.nodes())
    for (const [node, listener] of listeners)
      if (!used.has(node)) {
        listener.close()
        listeners.delete(node)
      }
    await settle(added)
    if (added.length > 0) reportGap()
  }

  async function settle(channels: Iterable<string>) {
    const groups = Map.groupBy(channels, (channel) => listenerOf.get(channel))
    await Promise.all([...groups].map(async ([listener, group]) => listener?.settle(group)))
  }

  const stop = topology.onChange(() => void move())
  await Promise.all([...topology.nodes()].map((node) => listenTo(node).ready))
  isStarted = true

  return {
    add(channels, sender) {
      for (const channel of channels) {
        if (listenerOf.has(channel)) continue
        const listener = listenTo(topology.nodeOf(channel))
        listenerOf.set(channel, listener)
        listener.add(channel, sender)
      }
    },
    remove(channels) {
      for (const channel of channels) {
        listenerOf.get(channel)?.remove(channel)
        listenerOf.delete(channel)
      }
    },
    settle,
    close() {
      stop()
      for (const listener of listeners.values()) listener.close()
    },
  }
}
