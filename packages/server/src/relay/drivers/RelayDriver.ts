/** A message on its way into a mailbox. */
export type NewMessage = {
  /** 64 lower-case hex digits. */
  topic: string
  /** SHA-256 of the text, hex. */
  id: string
  message: string
  attestation: string | undefined
  tag: number
  /** Client id of whoever published it; it is never delivered there. */
  publisher: string
  ttlSeconds: number
}

/** A message in a mailbox. */
export type StoredMessage = Omit<NewMessage, 'ttlSeconds'> & {
  /**
   * Whole number below 2^53, larger than that of every message published before on its topic, and
   * of no other message. It is also the JSON-RPC id of the push.
   */
  seq: number
  /** Unix time in ms. */
  publishedAt: number
  /** Unix time in ms. */
  expiresAt: number
}

/**
 * - `stored`: new and durable.
 * - `known`: the topic has this message, or had it a short while ago.
 * - `full`: not stored, since the topic holds as much as it may.
 */
export type PublishOutcome = 'stored' | 'known' | 'full'

/** Names a message that a client has. */
export type Receipt = {
  topic: string
  id: string
  /** When the message came from this driver object: it may be found faster. */
  seq?: number
}

export type ReadOptions = {
  clientId: string
  topics: readonly string[]
  /** Only messages published after that one; 0 for all. */
  afterSeq: number
  /** Most messages of one answer; fewer when they are large, but never none if there are some. */
  limit: number
}

/** What a mailbox holds now. */
export type MailboxStats = { topics: number; messages: number; bytes: number }

/**
 * Where messages and subscriptions live, and how a message reaches the process that holds a
 * subscriber's socket. The hub above it knows sockets, order, delays and repeats; a driver knows
 * none of them. There is one driver object for each relay process; several processes may share
 * what is behind it.
 *
 * What every driver promises:
 *
 * - **Durable before answered.** When a promise of `publish`, `subscribe`, `unsubscribe` or
 *   `acknowledge` resolves, a crash of this process no longer undoes it. While the store is away
 *   the promise waits, and calls that arrive meanwhile wait with it in their order; after a bounded
 *   time or beyond a bounded amount it rejects with `RelayStorageError`, and then the call may or
 *   may not have taken effect. Every call may therefore be repeated.
 * - **Order.** Messages of one topic get rising `seq` in the order of the calls of one process.
 * - **Every subscriber is told.** After a message is `stored`, `onMessages` is called once in every
 *   process that watches its topic, in order of `seq` within a topic. A process that misses a call
 *   (it was not watching yet, or its line broke) finds the message by `read`; a driver whose line
 *   to the others broke calls `onGap` when it is back.
 * - **At least once.** A message is readable until the client has acknowledged it or it expires.
 */
export type RelayDriver = {
  /**
   * Stores messages, all or none of one call, those that are `full` aside. The same message twice
   * in a call is stored once.
   *
   * @returns an outcome for each message, in order.
   */
  publish(messages: readonly NewMessage[]): Promise<PublishOutcome[]>

  /** Makes a client a subscriber of topics, for good. Topics it has are left as they are. */
  subscribe(clientId: string, topics: readonly string[]): Promise<void>

  /** Ends subscriptions; those that do not exist are ignored. */
  unsubscribe(clientId: string, topics: readonly string[]): Promise<void>

  /** The topics a client is subscribed to, in no order. */
  topicsOf(clientId: string): Promise<string[]>

  /**
   * Messages that wait for a client, oldest first: not expired, not published by it, not
   * acknowledged by it. It need not be subscribed. Reading changes nothing.
   */
  read(options: ReadOptions): Promise<{ messages: StoredMessage[]; hasMore: boolean }>

  /**
   * A client has these messages; those that do not exist are ignored. A message that every
   * subscriber but its publisher has, and at least one client, may lose its body; it stays `known`
   * for some minutes. One that is an invitation (`relayInvitationTags`) does not: until it expires
   * it can be read by whoever else comes.
   */
  acknowledge(clientId: string, receipts: readonly Receipt[]): Promise<void>

  /** From now on `onMessages` is wanted for these topics in this process. Idempotent, immediate. */
  watch(topics: readonly string[]): void

  /** The opposite; called when the last local subscriber of a topic is gone. */
  unwatch(topics: readonly string[]): void

  stats(): Promise<MailboxStats>

  /** Why nothing can be made durable now; `undefined` when all is well. For `/health`. */
  trouble(): string | undefined

  /** Finishes what was called, then lets go of everything. */
  close(): Promise<void>
}

/** How a driver reaches the hub of its process. */
export type DriverEvents = {
  onMessages: (messages: readonly StoredMessage[]) => void
  /** Messages may have been missed: the hub reads again for every client it holds. */
  onGap: () => void
}
