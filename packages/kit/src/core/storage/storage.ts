import { limits } from '@gatefold/protocol'

import type { WalletListing } from '../wallets/WalletListing.ts'

/** A key-value storage: `localStorage`, cookies, memory, or one that the host provides. */
export type KeyValueStorage = {
  /** Whether a server can read it too (cookies), so that the first render may use it. */
  readonly shared?: boolean | undefined
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A connector's stored state. @see spec §4.1.2 */
export type StoredConnection = 'connected' | 'active' | 'disconnected'

/** The state that survives a reload; small, because it has to fit a cookie. */
export type PersistedState = {
  /** By namespace and connector id; decides whether to reconnect. @see spec §4.1.3 */
  connections: Record<string, Record<string, StoredConnection>>
  /** CAIP-2 id of the active network, per namespace. */
  networks: Record<string, string>
  namespace: string | null
  /** Recently used wallets, newest first. @see spec §9.2 */
  recent: readonly WalletListing[]
  /** CAIP-10 account of the active connection, per namespace, for server-side rendering. */
  accounts: Record<string, string>
}

export const emptyPersistedState: PersistedState = {
  connections: {},
  networks: {},
  namespace: null,
  recent: [],
  accounts: {},
}

/** `migrations[n]` converts version n to n + 1. @see spec §9.11.3 */
const migrations: readonly ((data: unknown) => unknown)[] = []

export type StorageProblem = 'corrupt' | 'unavailable' | 'quota'

/**
 * The persisted state of an instance in one versioned document. A corrupt document is removed and
 * reported. If the storage is full or unavailable, this is reported once and the state is kept in memory.
 */
export type PersistedStore = {
  read(): PersistedState
  write(change: Partial<PersistedState>): void
  clear(): void
}

export function createPersistedStore(parameters: {
  storage: KeyValueStorage
  key: string
  onProblem(problem: StorageProblem, cause: unknown): void
}): PersistedStore {
  const { storage, key } = parameters
  let memory: PersistedState | undefined
  const reported = new Set<StorageProblem>()
  const report = (problem: StorageProblem, cause: unknown) => {
    if (reported.has(problem)) return
    reported.add(problem)
    parameters.onProblem(problem, cause)
  }

  function read(): PersistedState {
    if (memory) return memory
    let text: string | null = null
    try {
      text = storage.getItem(key)
    } catch (cause) {
      report('unavailable', cause)
    }
    memory = emptyPersistedState
    if (text !== null) {
      try {
        memory = parsePersistedState(text)
      } catch (cause) {
        report('corrupt', cause)
        try {
          storage.removeItem(key)
        } catch {
          // From here on, the state is only in memory.
        }
      }
    }
    return memory
  }

  return {
    read,
    write(change) {
      memory = { ...read(), ...change }
      try {
        storage.setItem(
          key,
          JSON.stringify({ version: limits.persistedStateVersion, state: memory }),
        )
      } catch (cause) {
        report('quota', cause)
      }
    },
    clear() {
      memory = emptyPersistedState
      try {
        storage.removeItem(key)
      } catch (cause) {
        report('unavailable', cause)
      }
    },
  }
}

/**
 * Parses a stored document and migrates older versions.
 *
 * @throws for another format or a newer version
 */
export function parsePersistedState(text: string): PersistedState {
  const document: unknown = JSON.parse(text)
  if (!isRecord(document) || typeof document.version !== 'number' || !isRecord(document.state))
    throw new TypeError('The stored state is malformed.')
  if (document.version > limits.persistedStateVersion)
    throw new RangeError(
      `The stored state has version ${document.version}, newer than this code supports.`,
    )
  let state: unknown = document.state
  for (const migrate of migrations.slice(document.version)) state = migrate(state)
  if (!isRecord(state)) throw new TypeError('The stored state is malformed.')
  return {
    connections: isRecord(state.connections)
      ? (mapRecord(state.connections, (value) =>
          isRecord(value) ? filterRecord(value, isStoredConnection) : undefined,
        ) as PersistedState['connections'])
      : {},
    networks: isRecord(state.networks) ? filterRecord(state.networks, isString) : {},
    namespace: isString(state.namespace) ? state.namespace : null,
    recent: Array.isArray(state.recent) ? state.recent.filter(isListing) : [],
    accounts: isRecord(state.accounts) ? filterRecord(state.accounts, isString) : {},
  }
}

/** Storage in memory, for servers, tests, and browsers that block storage. */
export function memoryStorage(): KeyValueStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

/**
 * Storage in cookies, so that a server can render the connected state.
 *
 * @param cookieHeader - on a server, the `cookie` header of the request
 */
export function cookieStorage(cookieHeader?: string): KeyValueStorage {
  const source = () => cookieHeader ?? (typeof document === 'undefined' ? '' : document.cookie)
  return {
    shared: true,
    getItem(key) {
      for (const part of source().split('; ')) {
        const [name, ...value] = part.split('=')
        if (name === encodeURIComponent(key)) return decodeURIComponent(value.join('='))
      }
      return null
    },
    setItem(key, value) {
      if (typeof document === 'undefined') return
      const cookie = `${encodeURIComponent(key)}=${encodeURIComponent(value)}`
      // Browsers silently ignore larger cookies.
      if (cookie.length > 4_000)
        throw new RangeError('The state exceeds the 4 KB limit of cookies.')
      document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax`
    },
    removeItem(key) {
      if (typeof document !== 'undefined')
        document.cookie = `${encodeURIComponent(key)}=; path=/; max-age=0; samesite=lax`
    },
  }
}

/** `localStorage` if available, else memory. */
export function defaultStorage(): KeyValueStorage {
  try {
    if (typeof localStorage !== 'undefined') return localStorage
  } catch {
    // Reading `localStorage` throws if the browser blocks storage.
  }
  return memoryStorage()
}

/** Prefixes the keys of a storage. */
export function prefixedStorage(storage: KeyValueStorage, prefix: string): KeyValueStorage {
  return {
    getItem: (key) => storage.getItem(`${prefix}${key}`),
    setItem: (key, value) => storage.setItem(`${prefix}${key}`, value),
    removeItem: (key) => storage.removeItem(`${prefix}${key}`),
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isStoredConnection(value: unknown): value is StoredConnection {
  return value === 'connected' || value === 'active' || value === 'disconnected'
}

function isListing(value: unknown): value is WalletListing {
  return isRecord(value) && isString(value.id) && isString(value.name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function filterRecord<type>(
  record: Record<string, unknown>,
  is: (value: unknown) => value is type,
): Record<string, type> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => is(value))) as Record<
    string,
    type
  >
}

function mapRecord(
  record: Record<string, unknown>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record)
      .map(([key, value]) => [key, map(value)] as const)
      .filter(([, value]) => value !== undefined),
  )
}
