import { RelayStorageError } from '../errors.ts'

/**
 * Number of a message's acknowledgements up to which those of clients that are not subscribed to its topic are stored.
 * Together they are smaller than the 1 KiB that each message at least counts as in the storage budgets.
 */
export const strangerReceipts = 5

/** A message to store. */
export type NewMessage = {
  /** 64 lower-case hex digits. */
  topic: string
  /** SHA-256 of the message, in hex. */
  id: string
  message: string
  attestation: string | undefined
  tag: number
  /** Client id of the publisher. The message is not delivered to this client. */
  publisher: string
  ttlSeconds: number
  /** The charge for the message, which the driver passes to `onDropped` without reading it. */
  charge?: string
}

/** A message in a mailbox. */
export type StoredMessage = Omit<NewMessage, 'ttlSeconds'> & {
  /**
   * Unique integer below 2^53, larger than the `seq` of every earlier message on the topic, except after a
   * failover of Redis. Also used as the JSON-RPC id of the push.
   */
  seq: number
  /** Unix time in ms. */
  publishedAt: number
  /** Unix time in ms. */
  expiresAt: number
}

/**
 * - `stored`: new and durable.
 * - `known`: the topic has this message, or had it in the last few minutes.
 * - `full`: not stored, because the topic's mailbox is full.
 */
export type PublishOutcome = 'stored' | 'known' | 'full'

/** The outcome for a message of a failed publish: `unsent` if it is not stored, `undefined` if it may be. */
export type UncertainOutcome = PublishOutcome | 'unsent' | undefined

/** A part of a publish failed. */
export class PartialPublishError extends RelayStorageError {
  readonly outcomes: readonly UncertainOutcome[]
  constructor(outcomes: readonly UncertainOutcome[], cause: unknown) {
    super(cause)
    this.outcomes = outcomes
  }
}

/** Identifies a message that a client acknowledges. */
export type Receipt = {
  topic: string
  id: string
  /** The `seq` of the message, if it was read from this driver. Speeds up the lookup. */
  seq?: number
}

export type ReadOptions = {
  clientId: string
  topics: readonly string[]
  /** Only messages after this `seq`; 0 for all. */
  afterSeq: number
  /** Maximum number of messages to read. Fewer are read if they are large, but at least one if any is waiting. */
  limit: number
  /** Waits for a turn to use the event loop. Called during a read that keeps it busy for long. */
  nextTurn?: () => Promise<void>
}

/** Totals over all mailboxes. */
export type MailboxStats = { topics: number; messages: number; bytes: number }

/**
 * Stores messages and subscriptions, and forwards new messages to the processes in which the subscribers'
 * sockets are open. Sockets, delays and redelivery are handled by the hub. Each relay process has one
 * driver; the drivers of several processes may share a store.
 *
 * Writes and watches name the network address of the client: if there are many at once, the addresses take turns.
 *
 * Guarantees of every driver:
 *
 * - **Durable before resolved.** Once a promise returned by `publish`, `subscribe`, `unsubscribe` or
 *   `acknowledge` resolves, a crash of this process does not undo the call. While the store is unavailable,
 *   calls wait, up to a limit of time and bytes. Beyond it, they reject with `RelayStorageError`,
 *   and may or may not have taken effect. Every call may be repeated.
 * - **Order.** On each topic, `seq` increases in the order of a client's calls in one process.
 * - **Fan-out.** After a message is `stored`, `onMessages` is called once in every process that
 *   watches its topic, in order of `seq` within a topic. If a process misses the call, because it did not
 *   watch the topic yet or was disconnected, `read` still returns the message. After a reconnect, the
 *   driver calls `onGap`.
 * - **At least once.** `read` returns a message to each subscriber except its publisher, until the
 *   subscriber acknowledges it or it expires.
 */
export type RelayDriver = {
  /**
   * Stores the messages that are new and fit into their mailboxes. If a call contains a message twice, the message
   * is stored once. A known message without an attestation gets the attestation of its repetition. If the call
   * rejects, any of the messages may have been stored.
   *
   * @throws {PartialPublishError} if some of the messages have an outcome
   * @returns an outcome for each message, in order.
   */
  publish(messages: readonly NewMessage[], address?: string): Promise<PublishOutcome[]>

  /** Subscribes a client to topics. Existing subscriptions are renewed; they expire if a client is absent for long. */
  subscribe(clientId: string, topics: readonly string[], address?: string): Promise<void>

  /** Removes subscriptions; ignores topics to which the client is not subscribed. */
  unsubscribe(clientId: string, topics: readonly string[], address?: string): Promise<void>

  /**
   * The topics that a client is subscribed to, in any order.
   *
   * @param nextTurn - waits for a turn to use the event loop. Called during a read that keeps it busy for long.
   */
  topicsOf(clientId: string, nextTurn?: () => Promise<void>): Promise<string[]>

  /**
   * Reads the messages that wait for a client, oldest first: those that have not expired and that the client
   * has neither published nor acknowledged. The client does not need to be subscribed. Reading changes no state.
   */
  read(options: ReadOptions): Promise<{ messages: StoredMessage[]; hasMore: boolean }>

  /**
   * Records that a client has received messages; ignores unknown messages. The driver may delete the body
   * of a message that every subscriber except the publisher has acknowledged, if at least one client has.
   * The message stays `known` for some minutes. Invitations (`relayInvitationTags`) are kept until they
   * expire, for clients that subscribe later. Receipts of clients that are not subscribed to the topic are
   * stored only until a message has `strangerReceipts` receipts; such a client then reads the message again.
   */
  acknowledge(clientId: string, receipts: readonly Receipt[], address?: string): Promise<void>

  /** Makes the driver call `onMessages` for these topics. Idempotent. Returns before this is in effect. */
  watch(topics: readonly string[], address?: string): void

  /** Lets the driver stop calling `onMessages` for these topics. Called once a topic's last local subscriber is gone. */
  unwatch(topics: readonly string[]): void

  /** The charges of waiting messages, in pages. Only for a driver whose store no other process uses. */
  charges?(): AsyncIterable<readonly string[]>

  stats(): Promise<MailboxStats>

  /** The reason why writes currently fail, for `/health`; `undefined` while they succeed. */
  error(): string | undefined

  /** Finishes pending calls, then closes the handles that the driver has opened. */
  close(): Promise<void>
}

/** Callbacks through which a driver notifies its process. */
export type DriverEvents = {
  /** Called with newly stored messages on the watched topics. Some drivers also pass messages on other topics. */
  onMessages: (messages: readonly StoredMessage[]) => void
  /** Called if messages may have been missed, so that the hub reads its clients' mailboxes. */
  onGap: () => void
  /** Called with the charges of messages that were deleted because every subscriber has acknowledged them. */
  onDropped?: (charges: readonly string[]) => void
}
