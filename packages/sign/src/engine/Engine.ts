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
 * The protocol above the relay, run by one tab for all tabs of its origin and prefix. Commands,
 * outcomes, events and snapshots are JSON, so that they can cross a BroadcastChannel.
 *
 * The sender of a command chooses the command's id. The tab that runs the engine when the peer's response is
 * received reports it as a `resolved` event with that id.
 */
export type Engine = {
  /** Never rejects. `connect`, `authenticate` and `request` are idempotent by id. */
  run(command: Command): Promise<Outcome>
  /** The public state. A new object after each change. */
  snapshot(): Snapshot
  /** Stops timers and listeners. Stored state is kept; the owner of the relay closes it. */
  close(): Promise<void>
}

export type Outcome = { result: unknown } | { error: ErrorData }

export type EngineEvent =
  | {
      [name in keyof SignEvents]: { type: 'event'; name: name; event: SignEvents[name] }
    }[keyof SignEvents]
  /** The response to a proposal or request, or an acknowledgement. */
  | { type: 'resolved'; id: number; outcome: Outcome }

export type Snapshot = {
  sessions: readonly Session[]
  /** Received, but not yet responded to. */
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

/** A pairing created by the sender of a command. `symKey` is 64 hex digits, `expiry` Unix time in seconds. */
export type NewPairing = { topic: string; symKey: string; expiry: number }

export type Command =
  | {
      type: 'connect'
      id: number
      /** Undefined if `pairingTopic` belongs to an existing pairing. */
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
      /** Id of the fallback session proposal, for wallets without `wc_sessionAuthenticate`. */
      proposalId: number
      /** Undefined if `pairingTopic` belongs to an existing pairing. */
      pairing: NewPairing | undefined
      pairingTopic: string
      /** Methods of that proposal, in addition to `personal_sign`. */
      methods: readonly string[]
      authPayload: AuthRequest['authPayload']
      /** Seconds. */
      expiry: number
      /** If the wallet is known to support link mode, nothing is published, and the result is the link to open. */
      walletUniversalLink?: string | undefined
    }
  | {
      type: 'request'
      id: number
      topic: string
      chainId: string
      request: { method: string; params?: unknown }
      /** Seconds. */
      expiry?: number | undefined
    }
  /** Aborts a proposal or request. A late approval is rejected; any other late response is ignored. */
  | { type: 'abort'; id: number }
  /** Emits `resolved` if the response is stored; sends the request if the relay has not stored it yet. */
  | { type: 'resume'; id: number }
  /** The response was delivered to its waiter and no longer needs to be stored. */
  | { type: 'collect'; id: number }
  | { type: 'preconnect' }
  | { type: 'pair'; uri: string }
  | {
      type: 'approve'
      id: number
      /** Id of `wc_sessionSettle`; reported as `resolved` when the app acknowledges the settlement. */
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
  | { type: 'logs' }
  /**
   * Reports that a tab listens to an event. If a tab listens to `session_authenticate`, the fallback
   * proposal is not emitted.
   */
  | { type: 'listen'; name: keyof SignEvents }

/** Whether a command is idempotent, so that it can run again on another tab's engine. */
export function isRepeatable(command: Command): boolean {
  return repeatable.has(command.type)
}

const repeatable: ReadonlySet<Command['type']> = new Set([
  'connect',
  'authenticate',
  'request',
  'abort',
  'resume',
  'collect',
  'preconnect',
  'clientId',
  'logs',
  'listen',
])
