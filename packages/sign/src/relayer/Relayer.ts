import type { SignEvents } from '../SignClient.ts'

/** Publish metadata that the relay can read. @see docs/contracts/relay.md#publish-metadata */
export type Analytics = {
  correlationId?: number | undefined
  rpcMethods?: readonly string[] | undefined
  chainId?: string | undefined
  txHashes?: readonly string[] | undefined
  contractAddresses?: readonly string[] | undefined
}

export type PublishOptions = {
  /** Seconds. */
  ttl: number
  tag: number
  prompt: boolean
  attestation?: string | undefined
  analytics?: Analytics | undefined
  /** Whether the peer responds on the same topic. If so, the response is handled without delay. */
  expectsResponse?: boolean | undefined
}

export type RelayMessage = {
  topic: string
  message: string
  /** Unix time in ms. */
  publishedAt: number
  attestation?: string | undefined
}

/**
 * The connection to the relay: one socket, open while there are topics or pending requests. It reconnects with
 * exponential backoff and jitter, and then restores its subscriptions.
 */
export type Relayer = {
  /** Opens the socket ahead of the first request; an unused socket closes after 30 seconds. */
  preconnect(): void
  /**
   * Publishes a message, and repeats it with the same id and text until the relay has stored it.
   */
  publish(topic: string, message: string, options: PublishOptions): Promise<void>
  /** Sends `wc_proposeSession`, with which the relay also subscribes the client to the pairing topic. */
  proposeSession(parameters: {
    pairingTopic: string
    sessionProposal: string
    /** Read when the message is written to the socket, because it may resolve while the socket opens. */
    attestation?: (() => string | undefined) | undefined
    correlationId: number
  }): Promise<void>
  /** Sends `wc_approveSession`, with which the relay also subscribes the client to the session topic. */
  approveSession(parameters: {
    pairingTopic: string
    sessionTopic: string
    sessionProposalResponse: string
    sessionSettlementRequest: string
    correlationId: number
    approvedChains: readonly string[]
    approvedMethods: readonly string[]
    approvedEvents: readonly string[]
    approvedAccounts: readonly string[]
    sessionProperties?: Record<string, unknown> | undefined
    scopedProperties?: Record<string, unknown> | undefined
  }): Promise<void>
  /** Subscribes to a topic, across reloads and reconnects. Resolves once the relay has confirmed it. */
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): Promise<void>
  /**
   * Sets the listener. Each message is stored, acknowledged, and delivered to the listener once, in its topic's
   * order. If a crash interrupts the listener, the message is delivered again at the next start.
   */
  onMessage(listener: (message: RelayMessage) => Promise<void>): void
  status(): SignEvents['relay']
  onStatus(listener: (status: SignEvents['relay']) => void): () => void
  close(): Promise<void>
}
