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

/** What `createSignClient` takes. Only `relayUrl` and `metadata` are needed. */
export type SignClientOptions = {
  /** `wss://…`; sent as the token's audience exactly as it stands. */
  relayUrl: string
  projectId?: string | undefined
  /** In a page, `url` defaults to its origin. */
  metadata: Metadata
  /** Base of a verify service, such as `https://verify.example/v3`. Without it nothing is attested or looked up. */
  verifyUrl?: string | undefined
  /** IndexedDB in a page, memory elsewhere. */
  storage?: KeyValueStore | undefined
  /** Keeps several clients of one origin apart. @see spec §7.15.2 */
  storagePrefix?: string | undefined
  /** Give requests to the wallet as they come, not one at a time. @see spec §4.18.5 */
  disableRequestQueue?: boolean | undefined
  /** Link mode: opens a universal link. Without it link mode is off. */
  openLink?: ((url: string) => void | Promise<void>) | undefined
  /** How contract-wallet signatures (EIP-1271, EIP-6492) of a CACAO are checked: an `eth_call`. */
  ethCall?:
    | ((parameters: { chainId: string; to?: string | undefined; data: string }) => Promise<string>)
    | undefined
  /** Unix time in ms, and timers. For tests. */
  clock?: Clock | undefined
  WebSocket?: typeof WebSocket | undefined
}

export type Clock = {
  now(): number
  /** @returns what cancels it */
  later(run: () => void, delayMs: number): () => void
}

/** Everything a client tells, with the names and shapes of the official client. */
export type SignEvents = {
  session_proposal: { id: number; params: Proposal; verifyContext: VerifyContext }
  session_authenticate: { id: number; params: AuthRequest; verifyContext: VerifyContext }
  session_request: PendingRequest
  /** A request of this tab was handed to the relay: the moment to open the wallet's app. */
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
  /** `local`: this client ended it, in another tab. */
  session_delete: {
    topic: string
    id: number
    reason?: Reason | undefined
    local?: true | undefined
  }
  session_expire: { topic: string }
  proposal_expire: { id: number }
  session_request_expire: { id: number }
  /** A stored entry could not be read and was dropped. */
  storage_damaged: { key: string }
  /** The way to the relay. `offline`: it is being tried again. `refused`: it will not be. */
  relay: { status: 'idle' | 'connecting' | 'connected' | 'offline' | 'refused'; reason?: string }
}

/**
 * One client, app and wallet side. Any number may live in one process; those of one origin and prefix
 * share a socket and a state across tabs.
 *
 * Every method rejects with a `BaseError`: `ValidationError` for what the caller gave (texts of spec
 * §5.12 and §8.9), `ExpiredError`, `PeerError` for what the other side answered (`reason.code`),
 * `RelayError` when the relay cannot be used.
 */
export type SignClient = {
  /** The did:key under which the relay knows this client. */
  clientId(): Promise<string>
  /** Resolves once what was stored is read; `sessions()` and others are complete from then on. */
  ready(): Promise<void>
  sessions(): readonly Session[]
  proposals(): readonly (Proposal & { verifyContext: VerifyContext })[]
  pendingRequests(): readonly PendingRequest[]
  pendingAuthRequests(): readonly AuthRequest[]
  pairings(): readonly Pairing[]
  /** Own requests that are not answered, or whose answer nobody has collected: after a reload see `resume`. */
  pendingOutgoing(): readonly OutgoingRequest[]

  // ---- app side
  /** The URI is there at once; it does not wait for the relay. @see spec §4.7, §5.12.1 */
  connect(parameters: ConnectParameters): Promise<ConnectResult<Session>>
  /** Signs in and connects in one step. @see spec §5.12.4 */
  authenticate(
    parameters: AuthenticateParameters,
  ): Promise<ConnectResult<{ auths: readonly Cacao[] | undefined; session: Session | undefined }>>
  /** @returns what the wallet answered. @see spec §5.12.3 */
  request<result = unknown>(parameters: {
    topic: string
    chainId: string
    request: { method: string; params?: unknown }
    /** Seconds, 300 to 604800. */
    expiry?: number | undefined
    signal?: AbortSignal | undefined
  }): Promise<result>

  /** Waits again for a request of `pendingOutgoing`, or takes the answer that came meanwhile. */
  resume<result = unknown>(parameters: {
    id: number
    signal?: AbortSignal | undefined
  }): Promise<result>

  // ---- wallet side
  /**
   * Opens the relay socket and loads the wallet's side ahead of `pair`, for example while a scanner is
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
  /** The text to sign for each account is that of `formatAuthMessage`. @see spec §4.18.1 */
  approveSessionAuthenticate(parameters: {
    id: number
    auths: readonly Cacao[]
  }): Promise<{ session: Session | undefined }>
  rejectSessionAuthenticate(parameters: { id: number; reason: Reason }): Promise<void>

  // ---- both sides
  ping(parameters: { topic: string }): Promise<void>
  /** Ends a session or a pairing. */
  disconnect(parameters: { topic: string; reason?: Reason | undefined }): Promise<void>
  /** A universal link that brought an envelope. @returns whether it was ours */
  handleLink(url: string): Promise<boolean>
  on<name extends keyof SignEvents>(
    name: name,
    listener: (event: SignEvents[name]) => void,
  ): () => void
  /** Closes the socket and stops every timer and listener; what is stored stays. */
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

/** A request this client sent before, perhaps before a reload. */
export type OutgoingRequest = {
  id: number
  topic: string
  chainId: string
  request: { method: string; params?: unknown }
  /** Unix time in seconds. */
  expiryTimestamp: number
}

export type ConnectResult<result> = {
  /** To be shown as a code or opened as a link; undefined when an existing pairing is used. */
  uri: string | undefined
  /** Unix time in ms until which the URI is good. */
  expiresAt: number
  /** Settles with the wallet's answer; rejects with `PeerError`, `ExpiredError`, or the signal's reason. */
  approval: () => Promise<result>
}

export type ConnectParameters = {
  optionalNamespaces?: RequiredNamespaces | undefined
  /** Sent as optional ones too: wallets refuse less. */
  requiredNamespaces?: RequiredNamespaces | undefined
  pairingTopic?: string | undefined
  sessionProperties?: Record<string, unknown> | undefined
  scopedProperties?: Record<string, unknown> | undefined
  relays?: readonly { protocol: string }[] | undefined
  /** Gives the attempt up: the proposal is deleted and a late answer changes nothing. */
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
  /** Asked for as a ReCap (ERC-5573) resource. */
  methods?: readonly string[] | undefined
  pairingTopic?: string | undefined
  /** Seconds, at least 3600. */
  expiry?: number | undefined
  /** With it, link mode is used where the wallet is known to take it. */
  walletUniversalLink?: string | undefined
  signal?: AbortSignal | undefined
}
