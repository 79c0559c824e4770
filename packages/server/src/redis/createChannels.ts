import type { RedisNode } from './createNode.ts'
import type { Topology } from './createTopology.ts'
import { createListener, type ChannelEvents, type Listener } from './createListener.ts'

/** The sharded channels to which this process is subscribed. */
export type Channels = {
  /** Subscribes to channels. Idempotent, synchronous. */
  add(channels: readonly string[]): void
  remove(channels: readonly string[]): void
  /** Resolves when earlier changes are in effect wherever Redis is connected. */
  settle(): Promise<void>
  close(): void
}

/**
 * Subscribes to sharded channels at the primaries of their slots, and elsewhere after a failover.
 *
 * @returns once a connection to every primary is open.
 */
export async function createChannels(topology: Topology, events: ChannelEvents): Promise<Channels> {
  const listeners = new Map<RedisNode, Listener>()
  /** The listener of each channel. */
  const places = new Map<string, Listener>()
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
    const added = new Set<Listener>()
    for (const [channel, listener] of places) {
      const owner = listenTo(topology.nodeOf(channel))
      if (owner === listener) continue
      listener.remove(channel)
      owner.add(channel)
      places.set(channel, owner)
      added.add(owner)
    }
    const used = new Set(topology.nodes())
    for (const [node, listener] of listeners)
      if (!used.has(node)) {
        listener.close()
        listeners.delete(node)
      }
    await Promise.all([...added].map((listener) => listener.settle()))
    if (added.size > 0) reportGap()
  }
  const stop = topology.onChange(() => void move())
  await Promise.all([...topology.nodes()].map((node) => listenTo(node).ready))
  isStarted = true

  return {
    add(channels) {
      for (const channel of channels) {
        if (places.has(channel)) continue
        const listener = listenTo(topology.nodeOf(channel))
        places.set(channel, listener)
        listener.add(channel)
      }
    },
    remove(channels) {
      for (const channel of channels) {
        places.get(channel)?.remove(channel)
        places.delete(channel)
      }
    },
    async settle() {
      await Promise.all([...listeners.values()].map((listener) => listener.settle()))
    },
    close() {
      stop()
      for (const listener of listeners.values()) listener.close()
    },
  }
}
