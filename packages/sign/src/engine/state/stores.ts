import * as v from 'valibot'
import type { KeyValueStore } from '../../storage/KeyValueStore.ts'
import type { AuthRequest, PendingRequest, Session } from '../../Session.ts'
import type { OutgoingRequest } from '../../SignClient.ts'
import { type Collection, createCollection } from '../../storage/createCollection.ts'
import { createDocument, type Document } from '../../storage/createDocument.ts'
import { unknownContext } from '../../verify/unknownContext.ts'
import { storageKeys } from '../../storage/storageKeys.ts'
import type { Keychain } from '../../crypto/createKeychain.ts'
import type { Snapshot } from '../Engine.ts'
import {
  StoredAuthRequest,
  StoredPairing,
  StoredProposal,
  StoredRecord,
  StoredRequest,
  StoredSession,
} from './schemas.ts'

/** An engine's stored state, under the official clients' keys. */
export type Stores = {
  sessions: Collection<string, StoredSession>
  /** Sent and received proposals. */
  proposals: Collection<number, StoredProposal>
  requests: Collection<number, PendingRequest>
  authRequests: Collection<number, AuthRequest>
  pairings: Collection<string, StoredPairing>
  /** Sent and received JSON-RPC requests. */
  records: Collection<number, StoredRecord>
  /** Universal links of peers that support link mode. */
  linkModePeers: Document<string[]>
}

/** @param options.onDamaged - called with the storage key of invalid data, which is dropped */
export async function openStores(options: {
  store: KeyValueStore
  prefix: string | undefined
  onDamaged: (key: string) => void
}): Promise<Stores> {
  const { store, onDamaged } = options
  const keys = storageKeys(options.prefix)
  const [sessions, proposals, requests, authRequests, pairings, records, linkModePeers] =
    await Promise.all([
      createCollection<string, StoredSession>({
        store,
        onDamaged,
        key: keys.client('session'),
        schema: StoredSession,
        idOf: ({ topic }) => topic,
      }),
      createCollection<number, StoredProposal>({
        store,
        onDamaged,
        key: keys.client('proposal'),
        schema: StoredProposal,
        idOf: ({ id }) => id,
      }),
      createCollection<number, PendingRequest>({
        store,
        onDamaged,
        key: keys.client('request'),
        schema: StoredRequest,
        idOf: ({ id }) => id,
      }),
      createCollection<number, AuthRequest>({
        store,
        onDamaged,
        key: keys.auth('requests'),
        schema: StoredAuthRequest,
        idOf: ({ id }) => id,
      }),
      createCollection<string, StoredPairing>({
        store,
        onDamaged,
        key: keys.core('pairing'),
        schema: StoredPairing,
        idOf: ({ topic }) => topic,
      }),
      createCollection({
        store,
        onDamaged,
        key: keys.core('history'),
        schema: StoredRecord,
        idOf: ({ id }) => id,
      }),
      createDocument<string[]>({
        store,
        onDamaged,
        key: 'WALLETCONNECT_LINK_MODE_APPS',
        schema: v.array(v.string()),
        empty: [],
      }),
    ])
  return { sessions, proposals, requests, authRequests, pairings, records, linkModePeers }
}

/** Whether this client sent the proposal: only the sender has the proposer's private key. */
export function isSentProposal(
  proposal: { proposer: { publicKey: string } },
  keys: Keychain,
): boolean {
  return keys.has(proposal.proposer.publicKey)
}

/** The public part of the stored state. */
export function takeSnapshot(stores: Stores, keys: Keychain): Snapshot {
  return {
    sessions: stores.sessions.values().map(toSession),
    proposals: stores.proposals
      .values()
      .filter((proposal) => !isSentProposal(proposal, keys))
      .map(
        ({ sessionTopic: _topic, responderPublicKey: _key, authenticateId: _id, ...proposal }) => ({
          ...proposal,
          verifyContext: proposal.verifyContext ?? unknownContext(proposal.proposer.metadata.url),
        }),
      ),
    pendingRequests: stores.requests.values(),
    authRequests: stores.authRequests
      .values()
      .filter((request) => !keys.has(request.requester.publicKey)),
    pairings: stores.pairings.values(),
    pendingOutgoing: stores.records.values().flatMap((record) => toOutgoing(record) ?? []),
  }
}

/** The public part of a stored session. */
export function toSession(stored: StoredSession): Session {
  const { lastUpdateId: _update, lastExtendId: _extend, createdByLink: _link, ...session } = stored
  return session
}

function toOutgoing(record: StoredRecord): OutgoingRequest | undefined {
  if (!record.sent || record.request.method !== 'wc_sessionRequest') return undefined
  const { chainId, request } = record.request.params as {
    chainId: string
    request: { method: string; params?: unknown }
  }
  const { method, params } = request
  return {
    id: record.id,
    topic: record.topic,
    chainId,
    request: params === undefined ? { method } : { method, params },
    expiryTimestamp: record.deadline ?? record.expiry,
  }
}
