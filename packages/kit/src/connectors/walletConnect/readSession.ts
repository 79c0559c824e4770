import type { KeyValueStorage } from '../../core/storage.ts'

/** Whose sessions: the host's storage, and what keeps instances apart in it. */
export type Place = { storage: KeyValueStorage; storageKey: string }

/** That there is a session, so that nobody has to load the client to find out that there is none. */
export type Remembered = {
  topic: string
  /** What was asked for, by CAIP-2 id. @see spec §4.6.5 */
  chains: readonly string[]
}

export const sessionKey = ({ storageKey }: Place) => `${storageKey}.walletConnect`

/** The session that was there last; undefined also where storage is damaged or forbidden. */
export function readSession(place: Place): Remembered | undefined {
  const { topic, chains } = (readJson(place.storage, sessionKey(place)) ??
    {}) as Partial<Remembered>
  return typeof topic === 'string' && Array.isArray(chains) ? { topic, chains } : undefined
}

/** What is stored under a key, as good as nothing when it is damaged or may not be read. */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}
