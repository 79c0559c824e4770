/** A message to store. */
export type NewMessage = {
  /** 64 lower-case hex digits. */
  topic: string
  /** SHA-256 of the text, hex. */
  id: string
  message: string
  attestation: string | undefined
  tag: number
  /** Client id of the publisher, which never receives the message. */
  publisher: string
  ttlSeconds: number
}

/** A message in a mailbox. */
export type StoredMessage = Omit<NewMessage, 'ttlSeconds'> & {
  /**
   * Unique integer below 2^53, larger than that of every earlier message of its topic. Also the JSON-RPC
   * id of the push.
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
 * - `full`: not stored, because the mailbox of the topic is full.
 */
export type PublishOutcome = 'stored' | 'known' | 'full'

/** Identifies a message that a client acknowledges. */
export type Receipt = {
  topic: string
  id: string
  /** Set for messages that this driver returned, to speed up the lookup. */
  seq?: number
}

export type ReadOptions = {
  clientId: string
  topics: readonly string[]
  /** Only messages after this `seq`; 0 for all. */
  afterSeq: number
  /** Maximum number of messages to read. Fewer are read if they are large, but at least one if any wait. */
  limit: number
}

/** Totals over all mailboxes. */
export type MailboxStats = { topics: number; messages: number; bytes: number }

/**
 * Stores messages and subscriptions, and carries new messages to the processes that hold the
 * subscribers' sockets. Sockets, delays and redelivery belong to the hub. Each relay process has one
 * driver; several processes may share its store.
 *
 * Guarantees of every driver:
 *
 * - **Durable before answered.** Once a promise returned by `publish`, `subscribe`, `unsubscribe` or
 *   `acknowledge` resolves, a crash of this process does not undo the call. While the store is unavailable,
 *   calls wait in order, bounded in time and bytes; beyond that they reject with `RelayStorageError`,
 *   and may or may not have taken effect. Every call may be repeated.
 * - **Order.** A topic's messages get increasing `seq`, in the order of the calls in one process.
 * - **Fan-out.** After a message is `stored`, `onMessages` is called once in every process that
 *   watches its topic, in order of `seq` within a topic. A process that misses a call (it did not
 *   watch yet, or was disconnected) finds the message by `read`; a driver that was disconnected calls
 *   `onGap` after it has reconnected.
 * - **At least once.** A message is readable until the client has acknowledged it or it expires.
 */
export type RelayDriver = {
  /**
   * Stores the messages of a call atomically, except those that are `full`. The same message twice in
   * a call is stored once.
   *
   * @returns an outcome for each message, in order.
   */
  publish(messages: readonly NewMessage[]): Promise<PublishOutcome[]>

  /** Subscribes a client to topics. Existing subscriptions do not change. */
  subscribe(clientId: string, topics: readonly string[]): Promise<void>

  /** Ends subscriptions; ignores those that do not exist. */
  unsubscribe(clientId: string, topics: readonly string[]): Promise<void>

  /** The topics that a client is subscribed to, in any order. */
  topicsOf(clientId: string): Promise<string[]>

  /**
   * Reads the messages that wait for a client, oldest first. They are not expired, and were neither published
   * nor acknowledged by the client. The client does not need to be subscribed. Reading does not change any state.
   */
  read(options: ReadOptions): Promise<{ messages: StoredMessage[]; hasMore: boolean }>

  /**
   * Records that a client has received messages; ignores unknown messages. Once at least one client and
   * every subscriber except the publisher has acknowledged a message, its body may be deleted; it
   * stays `known` for some minutes. Invitations (`relayInvitationTags`) are kept until they expire,
   * for clients that subscribe later.
   */
  acknowledge(clientId: string, receipts: readonly Receipt[]): Promise<void>

  /** Starts calling `onMessages` for these topics in this process. Idempotent, synchronous. */
  watch(topics: readonly string[]): void

  /** Stops calling `onMessages`; used when a topic's last local subscriber has unsubscribed or disconnected. */
  unwatch(topics: readonly string[]): void

  stats(): Promise<MailboxStats>

  /** Why writes currently fail; `undefined` while they succeed. For `/health`. */
  error(): string | undefined

  /** Finishes pending calls, then closes every handle. */
  close(): Promise<void>
}

/** Callbacks with which a driver calls its process's hub. */
export type DriverEvents = {
  onMessages: (messages: readonly StoredMessage[]) => void
  /** Messages may have been missed, so the hub has to read the mailboxes of its clients. */
  onGap: () => void
  /** Messages that all their clients have acknowledged, as topic and id in one text. */
  onDropped?: (names: readonly string[]) => void
}
