import type { PublishOptions, Relayer, RelayMessage } from '../relayer/Relayer.ts'

export type Published = RelayMessage & Partial<PublishOptions> & { correlationId?: number }

export type MemoryRelayer = Relayer & {
  topics: Set<string>
  setStatus: (status: ReturnType<Relayer['status']>) => void
}

export type MemoryRelay = {
  /** All published messages, in order. */
  published: Published[]
  /** Called before each call is handled; may throw or wait. */
  onCall: (method: 'publish' | 'propose' | 'approve' | 'subscribe', topic: string) => unknown
  connect: () => MemoryRelayer
  /** Resolves when all deliveries have been handled. @throws if a listener has thrown */
  idle: () => Promise<void>
}

/**
 * Creates a relay without sockets or timers. It delivers each message to all relayers that are or will be
 * subscribed to its topic, except to the sender, in order.
 */
export function createMemoryRelay(): MemoryRelay {
  const published: Published[] = []
  const relayers = new Set<() => void>()
  const running = new Set<Promise<unknown>>()
  const failures: unknown[] = []

  function track(work: Promise<unknown>) {
    const done: Promise<unknown> = work
      .catch((error: unknown) => failures.push(error))
      .finally(() => running.delete(done))
    running.add(done)
  }

  const relay: MemoryRelay = {
    published,
    onCall: () => undefined,
    connect() {
      const topics = new Set<string>()
      const seen = new Set<Published>()
      const queues = new Map<string, Promise<unknown>>()
      const listeners = new Set<Parameters<Relayer['onStatus']>[0]>()
      let status: ReturnType<Relayer['status']> = { status: 'idle' }
      let listener: Parameters<Relayer['onMessage']>[0] | undefined

      function deliver() {
        if (!listener) return
        for (const message of published) {
          if (seen.has(message) || !topics.has(message.topic)) continue
          seen.add(message)
          const before = queues.get(message.topic) ?? Promise.resolve()
          const handled = before.then(() => listener?.(message))
          queues.set(
            message.topic,
            handled.catch(() => undefined),
          )
          track(handled)
        }
      }
      relayers.add(deliver)

      function store(topic: string, message: string, options: Partial<Published>) {
        const stored = { topic, message, publishedAt: 0, ...options }
        seen.add(stored)
        published.push(stored)
      }
      const deliverAll = () => relayers.forEach((each) => each())

      return {
        topics,
        setStatus(next) {
          status = next
          for (const each of listeners) each(next)
        },
        preconnect: () => {},
        async publish(topic, message, options) {
          await relay.onCall('publish', topic)
          store(topic, message, options)
          deliverAll()
        },
        async proposeSession({ pairingTopic, sessionProposal, attestation, correlationId }) {
          await relay.onCall('propose', pairingTopic)
          topics.add(pairingTopic)
          store(pairingTopic, sessionProposal, { correlationId, attestation: attestation?.() })
          deliverAll()
        },
        async approveSession({ pairingTopic, sessionTopic, ...rest }) {
          await relay.onCall('approve', pairingTopic)
          const { sessionProposalResponse, sessionSettlementRequest, ...more } = rest
          topics.add(sessionTopic)
          store(pairingTopic, sessionProposalResponse, more)
          store(sessionTopic, sessionSettlementRequest, more)
          deliverAll()
        },
        async subscribe(topic) {
          await relay.onCall('subscribe', topic)
          topics.add(topic)
          deliver()
        },
        unsubscribe: async (topic) => void topics.delete(topic),
        onMessage(next) {
          listener = next
          deliver()
        },
        status: () => status,
        onStatus(next) {
          listeners.add(next)
          return () => listeners.delete(next)
        },
        close: async () => void relayers.delete(deliver),
      }
    },
    async idle() {
      do {
        await Promise.all(running)
        await new Promise((resolve) => setImmediate(resolve))
      } while (running.size > 0)
      if (failures.length > 0) throw failures[0]
    },
  }
  return relay
}
