import type { ErrorData } from '../errors.ts'
import type {
  AuthRequest,
  Cacao,
  JsonRpcResponse,
  Namespaces,
  PendingRequest,
  Proposal,
  Reason,
  RequiredNamespaces,
  Session,
  VerifyContext,
} from '../Session.ts'
import type { OutgoingRequest, Pairing, SignEvents } from '../SignClient.ts'

/**
 * What one tab runs for all tabs of its origin and prefix. Commands, outcomes, events and snapshots
 * are plain JSON, so that the other tabs have them through a channel.
 *
 * The side that gives a command chooses its ids. Whoever waits for a peer's answer waits for the
 * `settled` event of that id; it comes whichever tab runs the engine by then.
 */
export type Engine = {
  /** Never rejects. A `connect`, `authenticate` or `request` that is given twice is done once. */
  run(command: Command): Promise<Outcome>
  /** The whole state that is shown. A new object after each change. */
  snapshot(): Snapshot
  /** Stops timers and listeners. What is stored stays, and the relay is closed by its owner. */
  close(): Promise<void>
}

export type Outcome = { result: unknown } | { error: ErrorData }

export type EngineEvent =
  | {
      [name in keyof SignEvents]: { type: 'event'; name: name; event: SignEvents[name] }
    }[keyof SignEvents]
  /** The answer to what has this id: an approval, a request, an acknowledgement. */
  | { type: 'settled'; id: number; outcome: Outcome }

export type Snapshot = {
  sessions: readonly Session[]
  /** Received and not yet answered. */
  proposals: readonly (Proposal & { verifyContext: VerifyContext })[]
  pendingRequests: readonly PendingRequest[]
  authRequests: readonly AuthRequest[]
  pairings: readonly Pairing[]
  pendingOutgoing: readonly OutgoingRequest[]
}

export const emptySnapshot: Snapshot = {
  sessions: [],
  proposals: [],
  pendingRequests: [],
  authRequests: [],
  pairings: [],
  pendingOutgoing: [],
}

/** A pairing that the giver of a command made up. `symKey` is 64 hex, `expiry` Unix time in seconds. */
export type NewPairing = { topic: string; symKey: string; expiry: number }

export type Command =
  | {
      type: 'connect'
      id: number
      /** Undefined when `pairingTopic` names one that exists. */
      pairing: NewPairing | undefined
      pairingTopic: string
      optionalNamespaces: RequiredNamespaces
      relays: readonly { protocol: string }[]
      sessionProperties?: Record<string, unknown> | undefined
      scopedProperties?: Record<string, unknown> | undefined
    }
  | {
      type: 'authenticate'
      id: number
      /** Id of the ordinary proposal that goes along for wallets that know no authenticate. */
      proposalId: number
      pairing: NewPairing
      /** What the fallback proposal asks for beside `personal_sign`. */
      methods: readonly string[]
      authPayload: AuthRequest['authPayload']
      /** Seconds. */
      expiry: number
      /** Where the wallet is known to take links nothing is published; the result is then the link to open. */
      walletUniversalLink?: string | undefined
    }
  | {
      type: 'request'
      id: number
      topic: string
      chainId: string
      request: { method: string; params?: unknown }
      expiry?: number | undefined
    }
  /** Nobody waits any more for what has this id; a late answer changes nothing. */
  | { type: 'abandon'; id: number }
  /** Asks again for the answer to what has this id: `settled` comes at once if it is there already. */
  | { type: 'resume'; id: number }
  /** The answer to an own request has reached whoever asked; it need not be kept. */
  | { type: 'collect'; id: number }
  | { type: 'preconnect' }
  | { type: 'pair'; uri: string }
  | {
      type: 'approve'
      id: number
      /** Of the settlement; its acknowledgement settles it. */
      settleId: number
      namespaces: Namespaces
      sessionProperties?: Record<string, unknown> | undefined
      scopedProperties?: Record<string, unknown> | undefined
      sessionConfig?: Record<string, unknown> | undefined
      relayProtocol?: string | undefined
    }
  | { type: 'reject'; id: number; reason: Reason }
  | { type: 'update'; id: number; topic: string; namespaces: Namespaces }
  | { type: 'extend'; id: number; topic: string }
  | { type: 'ping'; id: number; topic: string }
  | { type: 'disconnect'; topic: string; reason?: Reason | undefined }
  | { type: 'respond'; topic: string; response: JsonRpcResponse }
  | { type: 'emit'; topic: string; chainId: string; event: { name: string; data: unknown } }
  | { type: 'approveSessionAuthenticate'; id: number; auths: readonly Cacao[] }
  | { type: 'rejectSessionAuthenticate'; id: number; reason: Reason }
  | { type: 'handleLink'; url: string }
  | { type: 'clientId' }
  /** Some tab listens; a wallet that listens to authenticate is spared the fallback proposal. */
  | { type: 'listen'; name: keyof SignEvents }

/**
 * Whether a command may be given again to the engine of another tab: what carries the id under which
 * it is remembered, and what does no more when it was done already.
 */
export function isRepeatable(command: Command): boolean {
  return repeatable.has(command.type)
}

const repeatable: ReadonlySet<Command['type']> = new Set([
  'connect',
  'authenticate',
  'request',
  'abandon',
  'resume',
  'collect',
  'preconnect',
  'clientId',
  'listen',
])
