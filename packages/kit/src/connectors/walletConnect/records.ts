import type { WalletApp } from '../../core/connection/Connector.ts'
import type { KeyValueStorage } from '../../core/storage/storage.ts'

/** Location of an instance's records: the host page's storage and the instance's key prefix. */
export type RecordLocation = { storage: KeyValueStorage; storageKey: string }

/**
 * The session from the last visit. Without this record or a {@link ProposalRecord}, the client is not loaded
 * until the visitor connects.
 */
export type SessionRecord = {
  topic: string
  /** The CAIP-2 ids that were proposed. @see spec §4.6.5 */
  chains: readonly string[]
  /** Whether the visitor opened an app on this device to connect. */
  byApp: boolean
}

/** A proposal that a wallet may still approve after a reload. */
export type ProposalRecord = {
  /**
   * Pairing topics of its URIs. There may be several, because an old URI stays usable for a while after a
   * new one replaces it.
   */
  topics: readonly string[]
  /** Unix time in ms. */
  expiresAt: number
  /** The app that the visitor opened with the URI. */
  app?: WalletApp | undefined
}

// These keys do not contain `walletConnect`: an official client on the page removes keys that do when it first
// migrates localStorage.
export const sessionKey = ({ storageKey }: RecordLocation) => `${storageKey}.session`
export const proposalKey = ({ storageKey }: RecordLocation) => `${storageKey}.proposal`

/** The stored session; undefined if there is none or the storage is corrupt or blocked. */
export function readSessionRecord(location: RecordLocation): SessionRecord | undefined {
  const { topic, chains, byApp } = (readJson(location.storage, sessionKey(location)) ??
    {}) as Partial<SessionRecord>
  return typeof topic === 'string' && Array.isArray(chains)
    ? { topic, chains, byApp: Boolean(byApp) }
    : undefined
}

/** The stored proposal; undefined if there is none, it has expired, or the storage is corrupt or blocked. */
export function readProposalRecord(location: RecordLocation): ProposalRecord | undefined {
  const { topics, expiresAt, app } = (readJson(location.storage, proposalKey(location)) ??
    {}) as Partial<ProposalRecord>
  return Array.isArray(topics) && Number(expiresAt) > Date.now()
    ? { topics, expiresAt: Number(expiresAt), app }
    : undefined
}

/**
 * Parses the JSON value of a key.
 *
 * @returns null if there is no value; undefined if the value is corrupt or the storage is blocked
 */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}
