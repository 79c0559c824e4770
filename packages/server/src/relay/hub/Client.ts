import type { WebSocket } from 'ws'

/**
 * Where a subscription of a connected client stands.
 *
 * - `idle`: nothing is pushed; what comes stays in the mailbox until the topic is queued.
 * - `queued`: its mailbox is about to be read.
 * - `loading`: its mailbox is being read; `again`: and something came meanwhile.
 * - `live`: everything older is pushed, so what comes is pushed at once.
 */
export type Subscription = {
  state: 'idle' | 'queued' | 'loading' | 'again' | 'live'
  /** Of the last message that was pushed. */
  lastSeq: number
  /** As the protocol has it; known once something was pushed. */
  id: string | undefined
}

/** A push that waits for its acknowledgement. */
export type Delivery = {
  topic: string
  id: string
  socket: WebSocket
  /** Unix time in ms. */
  pushedAt: number
  /** Unix time in ms. */
  expiresAt: number
  repeats: number
  /** The client has it, and that is being made durable. */
  isAcknowledged: boolean
}

/** A client id with at least one open socket in this process. */
export type Client = {
  id: string
  /** Newest last. There are two while a client reconnects, and for a page in two tabs. */
  sockets: WebSocket[]
  topics: Map<string, Subscription>
  /** By `seq`. */
  inFlight: Map<number, Delivery>
  /** Acknowledged for good, and no longer needed in {@link inFlight} once no mailbox is being read. */
  settled: number[]
  isLoading: boolean
  /** Whether pushes follow the answer they depend on after a pause, as official clients need it. */
  isDelayed: boolean
  /** Since when its socket has taken too little, Unix time in ms. */
  slowSince: number | undefined
}

/** The socket whose pushes are followed up; the others get copies. */
export function socketOf(client: Client): WebSocket | undefined {
  return client.sockets.at(-1)
}
