/** What a peer states about itself, unverified. @see spec §3.19.1 */
export type Metadata = {
  name: string
  description: string
  url: string
  icons: readonly string[]
  verifyUrl?: string | undefined
  redirect?:
    | {
        native?: string | undefined
        universal?: string | undefined
        linkMode?: boolean | undefined
      }
    | undefined
}

/** Requested permissions, by namespace (`eip155`) or by chain (`eip155:1`). @see CAIP-25 */
export type RequiredNamespaces = Record<
  string,
  { chains?: readonly string[] | undefined; methods: readonly string[]; events: readonly string[] }
>

/** Permissions that a wallet approved. Accounts are CAIP-10 ids. */
export type Namespaces = Record<
  string,
  {
    chains?: readonly string[] | undefined
    accounts: readonly string[]
    methods: readonly string[]
    events: readonly string[]
  }
>

export type Participant = { publicKey: string; metadata: Metadata }

/** A settled session, in the shape that official clients store. @see spec §3.19.1 */
export type Session = {
  topic: string
  pairingTopic: string
  relay: { protocol: string }
  /** Unix time in seconds. */
  expiry: number
  acknowledged: boolean
  /** Public key of the wallet. After a sign-in, official wallets store the app's public key instead. */
  controller: string
  namespaces: Namespaces
  requiredNamespaces: RequiredNamespaces
  optionalNamespaces: RequiredNamespaces
  self: Participant
  peer: Participant
  transportType: 'relay' | 'link_mode'
  sessionProperties?: Record<string, unknown> | undefined
  scopedProperties?: Record<string, unknown> | undefined
  sessionConfig?: Record<string, unknown> | undefined
  /** Only in a wallet: the signed authorizations, if a sign-in created the session. */
  authentication?: readonly Cacao[] | undefined
}

/** @see spec §3.19.2 */
export type Proposal = {
  id: number
  pairingTopic: string
  /** Unix time in seconds. */
  expiryTimestamp: number
  proposer: Participant
  requiredNamespaces: RequiredNamespaces
  optionalNamespaces: RequiredNamespaces
  relays: readonly { protocol: string }[]
  sessionProperties?: Record<string, unknown> | undefined
  scopedProperties?: Record<string, unknown> | undefined
}

/** @see spec §3.19.5 */
export type VerifyContext = {
  verified: {
    verifyUrl: string
    validation: 'UNKNOWN' | 'VALID' | 'INVALID'
    origin: string
    isScam?: boolean | undefined
    /**
     * Extension by Gatefold, set only for a sign-in whose `validation` is not `UNKNOWN`: whether the requested
     * domain and URI belong to `origin`. If false, a wallet must not sign.
     */
    domainMatches?: boolean | undefined
  }
}

/** A request that a wallet must respond to. @see spec §3.19.3 */
export type PendingRequest = {
  id: number
  topic: string
  params: {
    chainId: string
    request: { method: string; params?: unknown; expiryTimestamp?: number | undefined }
  }
  verifyContext: VerifyContext
}

/** The CAIP-122 fields that an app asks the wallet to sign. */
export type AuthPayload = {
  type: 'caip122'
  chains: readonly string[]
  domain: string
  aud: string
  version: '1'
  nonce: string
  /** ISO 8601, like `nbf` and `exp`. */
  iat: string
  nbf?: string | undefined
  exp?: string | undefined
  statement?: string | undefined
  requestId?: string | undefined
  resources?: readonly string[] | undefined
}

/** @see spec §3.19.4 */
export type AuthRequest = {
  id: number
  pairingTopic: string
  /** Unix time in seconds. */
  expiryTimestamp: number
  requester: Participant
  authPayload: AuthPayload
  verifyContext: VerifyContext
  transportType: 'relay' | 'link_mode'
}

/** CAIP-74: a signed authorization. */
export type Cacao = {
  h: { t: 'caip122' }
  p: Omit<AuthPayload, 'chains' | 'type'> & { iss: string }
  s: { t: 'eip191' | 'eip1271' | 'eip6492'; s: string; m?: string | undefined }
}

/** Why a session, proposal or request ended. The codes are those of CAIP-25 and the official clients. */
export type Reason = { code: number; message: string; data?: string | undefined }

export type JsonRpcResponse =
  | { id: number; jsonrpc: '2.0'; result: unknown }
  | { id: number; jsonrpc: '2.0'; error: Reason }
