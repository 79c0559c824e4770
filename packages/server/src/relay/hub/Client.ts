import type { WebSocket } from 'ws'

/**
 * A subscription of a connected client and its delivery state.
 *
 * - `idle`: nothing is pushed; new messages stay in the mailbox until the topic is queued.
 * - `queued`: the mailbox will be read next.
 * - `reading`: the mailbox is being read.
 * - `readAgain`: a message arrived during the read, so the mailbox is read once more.
 * - `live`: everything older has been pushed, so new messages are pushed directly.
 */
export type Subscription = {
  state: 'idle' | 'queued' | 'reading' | 'readAgain' | 'live'
  /** `seq` of the last message that was pushed. */
  lastSeq: number
  /** The subscription id on the wire; computed at the first push. */
  id: string | undefined
}

/** A push that is in flight until its acknowledgement is stored. */
export type Delivery = {
  topic: string
  id: string
  socket: WebSocket
  /** Unix time in ms. */
  pushedAt: number
  /** Unix time in ms. */
  expiresAt: number
  /** How many times the message was pushed again on this socket. */
  repeats: number
  /** Whether the client has acknowledged the push. The acknowledgement is then being stored. */
  isAcknowledged: boolean
}

/** A client id with at least one open socket in this process. */
export type Client = {
  id: string
  /** The network address whose memory budget counts its pushes in flight: that of its first socket. */
  address: string
  /** Bytes that are counted in this budget. */
  countedBytes: number
  /** Newest last, at most `relayClientSockets`. Each tab of a page has a separate socket. */
  sockets: WebSocket[]
  topics: Map<string, Subscription>
  /** Stored subscriptions that are not in {@link topics} yet, because they are added in turns. */
  adding: Set<string>
  /** By `seq`. */
  inFlight: Map<number, Delivery>
  /** `seq` of the pushes that are not repeated again until the client subscribes to their topic, by topic. */
  exhausted: Map<string, Set<number>>
  /** `seq` of deliveries whose acknowledgement is stored. They are removed from {@link inFlight} between reads. */
  settled: number[]
  isReading: boolean
  /** Whether pushes are delayed, which official clients need. */
  isDelayed: boolean
}

/** The newest socket. Deliveries are tracked for this socket; the others get a copy of each push. */
export function currentSocket(client: Client): WebSocket | undefined {
  return client.sockets.at(-1)
}
