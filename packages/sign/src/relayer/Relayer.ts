import type { SignEvents } from '../SignClient.ts'

/** What is known of a message beside its text, for the receiver's checks. @see contracts/relay.md 2.3 */
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
}

export type RelayMessage = {
  topic: string
  message: string
  /** Unix time in ms. */
  publishedAt: number
  attestation?: string | undefined
}

/**
 * The way to the relay: one socket, opened when there is first something to do, kept alive,
 * reconnected with growing jittered pauses, its subscriptions restored.
 */
export type Relayer = {
  /** Opens the socket before there is anything to send; an unused one closes after 30 seconds. */
  preconnect(): void
  /** Resolves once the relay has stored it; repeated with the same id and text until then. */
  publish(topic: string, message: string, options: PublishOptions): Promise<void>
  /** `wc_proposeSession` and `wc_approveSession`; subscribes as they do. */
  proposeSession(parameters: {
    pairingTopic: string
    sessionProposal: string
    /** Asked at the moment the message is written to the open socket: it may come while that opens. */
    attestation?: (() => string | undefined) | undefined
    correlationId: number
  }): Promise<void>
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
  /** Remembered over reloads and reconnects. Resolves once the relay knows. */
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): Promise<void>
  /**
   * One listener. A message is stored, then acknowledged, then given to it, in the order of its topic,
   * never twice; one whose handling was cut off by a crash is given again at the next start.
   */
  onMessage(listener: (message: RelayMessage) => Promise<void>): void
  status(): SignEvents['relay']
  onStatus(listener: (status: SignEvents['relay']) => void): () => void
  close(): Promise<void>
}
