import type { KeyValueStorage } from '../../core/storage/storage.ts'

/** Whose sessions: the host's storage, and what keeps instances apart in it. */
export type Place = { storage: KeyValueStorage; storageKey: string }

/** That there is a session, so that nobody has to load the client to find out that there is none. */
export type Remembered = {
  topic: string
  /** What was asked for, by CAIP-2 id. @see spec §4.6.5 */
  chains: readonly string[]
}

/** What a wallet may still say yes to, so that the page after this one can take the session. */
export type Offered = {
  /** The pairings of its URIs: one that was renewed is good for a while. */
  topics: readonly string[]
  /** Unix time in ms. */
  expiresAt: number
  /** The app that was opened with it. */
  app?: { name: string; href: string } | undefined
}

export const sessionKey = ({ storageKey }: Place) => `${storageKey}.walletConnect`
/** Not called after the protocol: what is, its client takes away when it first comes to a page. */
export const offerKey = ({ storageKey }: Place) => `${storageKey}.offer`

/** The session that was there last; undefined also where storage is damaged or forbidden. */
export function readSession(place: Place): Remembered | undefined {
  const { topic, chains } = (readJson(place.storage, sessionKey(place)) ??
    {}) as Partial<Remembered>
  return typeof topic === 'string' && Array.isArray(chains) ? { topic, chains } : undefined
}

/** What was offered last, while it is good. */
export function readOffer(place: Place): Offered | undefined {
  const { topics, expiresAt, app } = (readJson(place.storage, offerKey(place)) ??
    {}) as Partial<Offered>
  return Array.isArray(topics) && Number(expiresAt) > Date.now()
    ? { topics, expiresAt: Number(expiresAt), app }
    : undefined
}

/** What is stored under a key, as good as nothing when it is damaged or may not be read. */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}
