import type { WalletApp } from '../../core/connection/Connector.ts'
import type { KeyValueStorage } from '../../core/storage/storage.ts'

/** Where the records of an instance are: the host's storage, and the prefix of the instance. */
export type RecordLocation = { storage: KeyValueStorage; storageKey: string }

/** The session of the last visit, so that a page without one does not load the client. */
export type SessionRecord = {
  topic: string
  /** The CAIP-2 ids that were proposed. @see spec §4.6.5 */
  chains: readonly string[]
  app?: WalletApp | undefined
}

/** A proposal that a wallet may still approve after a reload: the next page then has the session. */
export type ProposalRecord = {
  /** Pairing topics of its URIs: one that was renewed can still be used for a while. */
  topics: readonly string[]
  /** Unix time in ms. */
  expiresAt: number
  /** The app that was opened with the URI. */
  app?: WalletApp | undefined
}

export const sessionKey = ({ storageKey }: RecordLocation) => `${storageKey}.walletConnect`
/** Without the protocol's prefix, whose keys the client migrates and removes. */
export const proposalKey = ({ storageKey }: RecordLocation) => `${storageKey}.proposal`

/** The stored session; undefined also where storage is damaged or forbidden. */
export function readSessionRecord(location: RecordLocation): SessionRecord | undefined {
  const { topic, chains, app } = (readJson(location.storage, sessionKey(location)) ??
    {}) as Partial<SessionRecord>
  return typeof topic === 'string' && Array.isArray(chains) ? { topic, chains, app } : undefined
}

/** The stored proposal, until it expires. */
export function readProposalRecord(location: RecordLocation): ProposalRecord | undefined {
  const { topics, expiresAt, app } = (readJson(location.storage, proposalKey(location)) ??
    {}) as Partial<ProposalRecord>
  return Array.isArray(topics) && Number(expiresAt) > Date.now()
    ? { topics, expiresAt: Number(expiresAt), app }
    : undefined
}

/** The JSON value under a key; undefined where it is missing, damaged or may not be read. */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}
