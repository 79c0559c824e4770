import * as v from 'valibot'
import type { Proposal, Session, VerifyContext } from '../../Session.ts'
import type { Pairing } from '../../SignClient.ts'
import { unique } from '../../namespaces.ts'
import { readReason } from '../../reasons.ts'
import { isChainId } from '../../validation/namespaces.ts'

// Schemas for messages from peers and for stored entries. Unknown fields are dropped; missing fields get a
// default where that is safe.

export const Text = v.pipe(v.string(), v.minLength(1))
export const Seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Texts = v.array(Text)

/** 32 bytes in hex. */
export const Hex32 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/i),
  v.transform((hex) => hex.toLowerCase()),
)
export const ChainId = v.pipe(
  v.string(),
  v.check((value) => isChainId(value)),
)
const Account = v.pipe(v.string(), v.regex(/^[^:\s]+:[^:\s]+:[^:\s]+$/))
const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const Metadata = v.object({
  name: v.fallback(v.string(), ''),
  description: v.fallback(v.string(), ''),
  url: v.fallback(v.string(), ''),
  icons: v.fallback(v.array(v.string()), []),
  verifyUrl: v.fallback(v.optional(v.string()), undefined),
  redirect: v.fallback(
    v.optional(
      v.object({
        native: v.optional(v.string()),
        universal: v.optional(v.string()),
        linkMode: v.optional(v.boolean()),
      }),
    ),
    undefined,
  ),
})

export const Participant = v.object({ publicKey: Hex32, metadata: Metadata })
export const Relay = v.object({ protocol: Text })

export const ProposedNamespaces = v.record(
  Text,
  v.object({ chains: v.optional(v.array(ChainId)), methods: Texts, events: Texts }),
)

/** Each account and chain must belong to the namespace or chain that is the entry's key. */
export const Namespaces = v.pipe(
  v.record(
    Text,
    v.object({
      chains: v.optional(v.array(ChainId)),
      accounts: v.array(Account),
      methods: Texts,
      events: Texts,
    }),
  ),
  v.check((namespaces) => Object.keys(namespaces).length > 0),
  v.check((namespaces) =>
    Object.entries(namespaces).every(([key, { accounts, chains = [] }]) =>
      [...accounts, ...chains].every((id) => `${id}:`.startsWith(`${key}:`)),
    ),
  ),
)

/** `sessionProperties` and `scopedProperties`. */
export const Properties = v.optional(
  v.record(
    v.string(),
    v.pipe(
      v.unknown(),
      v.check((value) => value !== null),
    ),
  ),
)

export const Reason = v.object({
  code: v.pipe(v.number(), v.safeInteger()),
  message: v.string(),
  data: v.fallback(v.optional(v.string()), undefined),
})

// ---- JSON-RPC

export const RpcRequest = v.object({
  id: Id,
  jsonrpc: v.literal('2.0'),
  method: Text,
  params: v.optional(v.unknown(), {}),
})

export const RpcResponse = v.union([
  v.object({
    id: Id,
    jsonrpc: v.literal('2.0'),
    error: v.pipe(
      v.unknown(),
      v.check((error) => error !== null),
      v.transform(readReason),
    ),
  }),
  v.object({ id: Id, jsonrpc: v.literal('2.0'), result: v.unknown() }),
])

export type RpcRequest = v.InferOutput<typeof RpcRequest>
export type RpcResponse = v.InferOutput<typeof RpcResponse>

// ---- Params and results by method. Those of less used methods are in ../wallet/params.ts and
// ../authenticate/AuthenticateResult.ts, which an app loads later or never.

export const ProposeResult = v.object({ relay: v.optional(Relay), responderPublicKey: Hex32 })

export const SettleParams = v.object({
  relay: v.optional(Relay, { protocol: 'irn' }),
  controller: Participant,
  namespaces: Namespaces,
  expiry: Seconds,
  sessionProperties: Properties,
  scopedProperties: Properties,
  sessionConfig: v.optional(v.record(v.string(), v.unknown())),
})

export const UpdateParams = v.object({ namespaces: Namespaces })

export const RequestParams = v.object({
  chainId: ChainId,
  request: v.object({
    method: Text,
    params: v.optional(v.unknown()),
    expiryTimestamp: v.optional(Seconds),
  }),
})

export const EventParams = v.object({
  chainId: ChainId,
  event: v.object({ name: Text, data: v.optional(v.unknown()) }),
})

/** Optional fields in a sign-in request and in a CACAO. */
const authorizationTerms = {
  nbf: v.optional(v.string()),
  exp: v.optional(v.string()),
  statement: v.optional(v.string()),
  requestId: v.optional(v.string()),
  resources: v.optional(v.array(v.string())),
}

/** Maximum number of chains in a sign-in request, and of CACAOs in its response. */
export const authorizations = 100

export const AuthPayload = v.object({
  type: v.optional(v.literal('caip122'), 'caip122'),
  // Limited, because a wallet signs once for each chain.
  chains: v.pipe(
    v.array(ChainId),
    v.minLength(1),
    v.transform(unique),
    v.maxLength(authorizations),
  ),
  domain: Text,
  aud: Text,
  version: v.optional(v.literal('1'), '1'),
  nonce: Text,
  iat: Text,
  ...authorizationTerms,
})

export const Cacao = v.object({
  h: v.object({ t: v.literal('caip122') }),
  p: v.object({
    iss: v.pipe(v.string(), v.regex(/^did:pkh:[^:\s]+:[^:\s]+:[^:\s]+$/)),
    domain: Text,
    aud: Text,
    version: v.literal('1'),
    nonce: Text,
    iat: Text,
    ...authorizationTerms,
  }),
  s: v.object({
    t: v.picklist(['eip191', 'eip1271', 'eip6492']),
    s: v.pipe(v.string(), v.regex(/^0x([0-9a-f]{2})+$/i)),
    m: v.optional(v.string()),
  }),
})

// ---- Stored entries, in the official clients' shapes. @see docs/contracts/relay.md#client-storage
// Fields marked “Ours” exist only in this client; official clients ignore them.

const Verified = v.object({
  verified: v.object({
    verifyUrl: v.string(),
    validation: v.picklist(['UNKNOWN', 'VALID', 'INVALID']),
    origin: v.string(),
    isScam: v.optional(v.boolean()),
    domainMatches: v.optional(v.boolean()),
  }),
})

const unknownContext = {
  verified: { verifyUrl: '', validation: 'UNKNOWN' as const, origin: '' },
}

export const StoredSession = v.object({
  topic: Hex32,
  pairingTopic: v.optional(v.string(), ''),
  relay: v.optional(Relay, { protocol: 'irn' }),
  expiry: Seconds,
  acknowledged: v.boolean(),
  controller: v.string(),
  namespaces: Namespaces,
  requiredNamespaces: v.optional(ProposedNamespaces, {}),
  optionalNamespaces: v.optional(ProposedNamespaces, {}),
  self: Participant,
  peer: Participant,
  transportType: v.optional(v.picklist(['relay', 'link_mode']), 'relay'),
  sessionProperties: Properties,
  scopedProperties: Properties,
  sessionConfig: v.optional(v.record(v.string(), v.unknown())),
  authentication: v.optional(v.array(Cacao)),
  /** Ours: id of the peer's last update. */
  lastUpdateId: v.fallback(v.optional(Id), undefined),
  /** Ours: id of the last extension, of either side. */
  lastExtendId: v.fallback(v.optional(Id), undefined),
  /** Ours: the wallet has sent the session's key to the app as a link. */
  createdByLink: v.fallback(v.optional(v.boolean()), undefined),
})

export const StoredProposal = v.object({
  id: Id,
  pairingTopic: Hex32,
  expiryTimestamp: Seconds,
  requiredNamespaces: v.optional(ProposedNamespaces, {}),
  optionalNamespaces: v.optional(ProposedNamespaces, {}),
  relays: v.optional(v.array(Relay), [{ protocol: 'irn' }]),
  proposer: Participant,
  sessionProperties: Properties,
  scopedProperties: Properties,
  /** Ours, on received proposals. */
  verifyContext: v.optional(Verified),
  /** Ours: set from the wallet's response, before the wallet settles the session. */
  sessionTopic: v.optional(Hex32),
  responderPublicKey: v.optional(Hex32),
  /** Ours: the authenticate request for which this proposal is the fallback. */
  authenticateId: v.optional(Id),
  /** Ours: the proposal was aborted, so a late approval is rejected. */
  withdrawn: v.optional(v.boolean()),
})

export const StoredRequest = v.object({
  id: Id,
  topic: Hex32,
  params: RequestParams,
  verifyContext: v.optional(Verified, unknownContext),
})

export const StoredAuthRequest = v.object({
  id: Id,
  pairingTopic: Hex32,
  expiryTimestamp: Seconds,
  requester: Participant,
  authPayload: AuthPayload,
  verifyContext: v.fallback(Verified, unknownContext),
  transportType: v.optional(v.picklist(['relay', 'link_mode']), 'relay'),
})

export const StoredPairing = v.object({
  topic: Hex32,
  expiry: Seconds,
  active: v.boolean(),
  relay: v.optional(Relay, { protocol: 'irn' }),
  methods: v.optional(v.array(v.string())),
  peerMetadata: v.optional(Metadata),
})

/** A sent or received request, used to match responses, detect duplicates and check the order. */
export const StoredRecord = v.object({
  id: Id,
  topic: Hex32,
  request: v.object({ method: Text, params: v.optional(v.unknown()) }),
  chainId: v.optional(v.string()),
  /** Unix time in seconds from which official clients evict the record. */
  expiry: v.optional(Seconds, 0),
  response: v.optional(v.union([v.object({ error: Reason }), v.object({ result: v.unknown() })])),
  /** Ours: true for a sent request, false for a received one. */
  sent: v.optional(v.boolean()),
  /** Ours: SHA-256 of a received event's name, instead of its params. */
  eventHash: v.optional(Hex32),
  /** Ours: the relay has not stored the request yet. */
  unsent: v.optional(v.boolean()),
  /** Ours: the sealed request, if it must still be sent after a restart. */
  message: v.optional(v.string()),
  /** Ours: the response's topic, if it differs from the request's. */
  responseTopic: v.optional(Hex32),
  /** Ours: Unix time in seconds when the request expires. */
  deadline: v.optional(Seconds),
  /** Ours: the request was aborted; if the wallet still creates a session, it is deleted. */
  withdrawn: v.optional(v.boolean()),
})

export type StoredSession = Session & {
  lastUpdateId?: number | undefined
  lastExtendId?: number | undefined
  createdByLink?: boolean | undefined
}
export type StoredProposal = Proposal & {
  verifyContext?: VerifyContext | undefined
  sessionTopic?: string | undefined
  responderPublicKey?: string | undefined
  authenticateId?: number | undefined
  withdrawn?: boolean | undefined
}
export type StoredPairing = Pairing & { relay: { protocol: string } }
export type StoredRecord = v.InferOutput<typeof StoredRecord>
