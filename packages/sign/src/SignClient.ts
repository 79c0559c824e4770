import type { KeyValueStore } from './storage/KeyValueStore.ts'
import type {
  AuthRequest,
  Cacao,
  JsonRpcResponse,
  Metadata,
  Namespaces,
  PendingRequest,
  Proposal,
  Reason,
  RequiredNamespaces,
  Session,
  VerifyContext,
} from './Session.ts'

/** Options of `createSignClient`. Only `relayUrl` and `metadata` are required. */
export type SignClientOptions = {
  /** `wss://…`; used unchanged as the audience of the relay token. */
  relayUrl: string
  projectId?: string | undefined
  /** In a page, `url` defaults to the page's origin. */
  metadata: Metadata
  /**
   * Base URL of a verify service, such as `https://verify.example/v3`. If unset, the client neither
   * requests nor checks attestations.
   */
  verifyUrl?: string | undefined
  /** Defaults to IndexedDB in a page and to memory elsewhere. */
  storage?: KeyValueStore | undefined
  /** Separates the storage of several clients on one origin. @see spec §7.15.2 */
  storagePrefix?: string | undefined
  /** If true, emits requests as the wallet receives them instead of one at a time. @see spec §4.18.5 */
  disableRequestQueue?: boolean | undefined
  /** Opens a universal link. If unset, link mode is off. */
  openLink?: ((url: string) => void | Promise<void>) | undefined
  /**
   * Makes an `eth_call` to verify a contract wallet's signature of a CACAO (EIP-1271, EIP-6492). Called once
   * for each chain that the CACAO grants. `gas` is the limit for the call, in hex.
   */
  ethCall?:
    | ((parameters: {
        chainId: string
        to?: string | undefined
        data: string
        gas: string
      }) => Promise<string>)
    | undefined
  /** Replaced in tests. */
  clock?: Clock | undefined
  WebSocket?: typeof WebSocket | undefined
}

export type Clock = {
  /** Unix time in ms. */
  now(): number
  /** Runs a callback once. @returns a function that cancels the timer */
  later(run: () => void, delayMs: number): () => void
}

/** A client's events, with the official client's names and shapes. */
export type SignEvents = {
  session_proposal: { id: number; params: Proposal; verifyContext: VerifyContext }
  session_authenticate: { id: number; params: AuthRequest; verifyContext: VerifyContext }
  session_request: PendingRequest
  /**
   * The relay has stored a request that this tab sent, so an app can open the wallet now. In link mode: the
   * link was opened.
   */
  session_request_sent: { topic: string; id: number; chainId: string; method: string }
  session_connect: { session: Session }
  session_update: { topic: string; id: number; params: { namespaces: Namespaces } }
  session_extend: { topic: string; id: number }
  session_ping: { topic: string; id: number }
  session_event: {
    topic: string
    id: number
    params: { chainId: string; event: { name: string; data: unknown } }
  }
  /** `local` is true if this client ended the session, in another tab. */
  session_delete: {
    topic: string
    id: number
    reason?: Reason | undefined
    local?: true | undefined
  }
  session_expire: { topic: string }
  proposal_expire: { id: number }
  session_request_expire: { id: number }
  /** A stored entry was invalid and has been dropped, or storage has failed. */
  storage_damaged: { key: string }
  /** Status of the relay connection. After `offline`, the client reconnects; after `refused`, only to send a request. */
  relay: { status: 'idle' | 'connecting' | 'connected' | 'offline' | 'refused'; reason?: string }
}

/**
 * A client for an app or a wallet. One process may have several; clients of the same origin and prefix
 * share one socket and one state across tabs.
 *
 * A failing method rejects with a `BaseError`: `ValidationError` for invalid parameters (messages of spec
 * §5.12 and §8.9), `ExpiredError`, `PeerError` for an error response from the peer (`reason.code`),
 * `RelayError` when the relay is unavailable or refuses the client, or `LoadError` when a chunk cannot be loaded.
 */
export type SignClient = {
  /** The did:key that identifies this client to the relay. */
  clientId(): Promise<string>
  /**
   * The client's most recent actions and messages since its start, up to one megabyte, for bug reports: one
   * JSON object per line, without keys, whole topics or message contents. @see spec §9.10.3
   */
  logs(): Promise<string>
  /** Resolves once stored state is loaded and `sessions()` and the other getters are complete. */
  ready(): Promise<void>
  sessions(): readonly Session[]
  proposals(): readonly (Proposal & { verifyContext: VerifyContext })[]
  pendingRequests(): readonly PendingRequest[]
  pendingAuthRequests(): readonly AuthRequest[]
  pairings(): readonly Pairing[]
  /** Sent requests that have no response, or whose response has not been delivered yet. @see resume */
  pendingOutgoing(): readonly OutgoingRequest[]

  // ---- App
  /** Creates the URI without waiting for the relay. @see spec §4.7, §5.12.1 */
  connect(parameters: ConnectParameters): Promise<ConnectResult<Session>>
  /** Requests a sign-in and, if methods are requested, a session in one step. @see spec §5.12.4 */
  authenticate(
    parameters: AuthenticateParameters,
  ): Promise<ConnectResult<{ auths: readonly Cacao[] | undefined; session: Session | undefined }>>
  /** @returns the wallet's result. @see spec §5.12.3 */
  request<result = unknown>(parameters: {
    topic: string
    chainId: string
    request: { method: string; params?: unknown }
    /** Seconds, 300 to 604800. */
    expiry?: number | undefined
    signal?: AbortSignal | undefined
  }): Promise<result>

  /** Waits for the response to a request of `pendingOutgoing`, for example after a reload. */
  resume<result = unknown>(parameters: {
    id: number
    signal?: AbortSignal | undefined
  }): Promise<result>

  // ---- Wallet
  /**
   * Opens the relay socket and loads the wallet's code ahead of `pair`, for example while a scanner is
   * open. Best effort: it never throws, and an unused socket closes after 30 seconds.
   */
  preconnect(): void
  pair(parameters: { uri: string }): Promise<Pairing>
  /** @see spec §4.18.1, §5.12.2 */
  approve(parameters: {
    id: number
    namespaces: Namespaces
    sessionProperties?: Record<string, unknown> | undefined
    scopedProperties?: Record<string, unknown> | undefined
    sessionConfig?: Record<string, unknown> | undefined
    relayProtocol?: string | undefined
  }): Promise<{ topic: string; acknowledged: () => Promise<Session> }>
  /** @see spec §4.18.2 */
  reject(parameters: { id: number; reason: Reason }): Promise<void>
  update(parameters: {
    topic: string
    namespaces: Namespaces
  }): Promise<{ acknowledged: () => Promise<void> }>
  extend(parameters: { topic: string }): Promise<{ acknowledged: () => Promise<void> }>
  respond(parameters: { topic: string; response: JsonRpcResponse }): Promise<void>
  emit(parameters: {
    topic: string
    chainId: string
    event: { name: string; data: unknown }
  }): Promise<void>
  /** `formatAuthMessage` returns the text to sign for each account. @see spec §4.18.1 */
  approveSessionAuthenticate(parameters: {
    id: number
    auths: readonly Cacao[]
  }): Promise<{ session: Session | undefined }>
  rejectSessionAuthenticate(parameters: { id: number; reason: Reason }): Promise<void>

  // ---- Both sides
  ping(parameters: { topic: string }): Promise<void>
  /** Ends a session or a pairing. */
  disconnect(parameters: { topic: string; reason?: Reason | undefined }): Promise<void>
  /** Handles a universal link if it contains a message. @returns whether it does */
  handleLink(url: string): Promise<boolean>
  on<name extends keyof SignEvents>(
    name: name,
    listener: (event: SignEvents[name]) => void,
  ): () => void
  /** Closes the socket and removes every timer and listener. Stored state is kept. */
  close(): Promise<void>
}

export type Pairing = {
  topic: string
  /** Unix time in seconds. */
  expiry: number
  active: boolean
  methods?: readonly string[] | undefined
  peerMetadata?: Metadata | undefined
}

/** A request that this client sent, possibly before a reload. */
export type OutgoingRequest = {
  id: number
  topic: string
  chainId: string
  request: { method: string; params?: unknown }
  /** Unix time in seconds. */
  expiryTimestamp: number
}

export type ConnectResult<result> = {
  /** The URI to show as a QR code or open as a link; undefined if an existing pairing is used. */
  uri: string | undefined
  /** Unix time in ms until which an app should show the URI. */
  expiresAt: number
  /** Resolves when the wallet approves. Rejects with an error that {@link SignClient} lists, or the signal's reason. */
  approval: () => Promise<result>
}

export type ConnectParameters = {
  optionalNamespaces?: RequiredNamespaces | undefined
  /** Sent as optional namespaces, because wallets are less likely to reject those. */
  requiredNamespaces?: RequiredNamespaces | undefined
  pairingTopic?: string | undefined
  sessionProperties?: Record<string, unknown> | undefined
  scopedProperties?: Record<string, unknown> | undefined
  relays?: readonly { protocol: string }[] | undefined
  /** Aborts the attempt: the client withdraws the proposal and rejects a late approval. */
  signal?: AbortSignal | undefined
}

export type AuthenticateParameters = {
  chains: readonly string[]
  domain: string
  uri: string
  nonce: string
  statement?: string | undefined
  exp?: string | undefined
  nbf?: string | undefined
  requestId?: string | undefined
  resources?: readonly string[] | undefined
  /** Requested as a ReCap (ERC-5573) resource. */
  methods?: readonly string[] | undefined
  pairingTopic?: string | undefined
  /** Seconds. Values below 3600 are raised to 3600. */
  expiry?: number | undefined
  /** Enables link mode if the wallet is known to support it. */
  walletUniversalLink?: string | undefined
  signal?: AbortSignal | undefined
}
