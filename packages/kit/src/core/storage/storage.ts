import { limits } from '@gatefold/protocol'

import { parsePreferences } from '../kit/preferences.ts'
import type { Preferences } from '../kit/preferences.ts'

/** A key-value storage: `localStorage`, cookies, memory, or one that the host provides. */
export type KeyValueStorage = {
  /**
   * The item with which the server rendered the page. The first render in the browser uses it too, even if the
   * item has changed since, because the two renders must match.
   */
  getServerItem?: ((key: string) => string | null) | undefined
  /** The value of a key, or null. */
  getItem(key: string): string | null
  /** Stores a value. May throw if the storage is full. */
  setItem(key: string, value: string): void
  /** Removes a value. */
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
  /**
   * Ids of recently used wallets, newest first. Never their links: another script could
   * replace a stored link, and the pairing URI would be sent to another app. @see spec §9.2; docs/threats.md#altered-page-storage
   */
  recent: readonly string[]
  /** CAIP-10 account of the active connection, per namespace, for server-side rendering. */
  accounts: Record<string, string>
  /** The visitor's choices in the account view. */
  preferences: Partial<Preferences>
}

export const emptyPersistedState: PersistedState = {
  connections: {},
  networks: {},
  namespace: null,
  recent: [],
  accounts: {},
  preferences: {},
}

export type StorageProblem = 'corrupt' | 'unavailable' | 'full'

/**
 * The persisted state of an instance in one versioned document. A corrupt document is removed and
 * reported. If the storage is full or unavailable, this is reported once and the state is kept in memory.
 */
export type PersistedStore = {
  read(): PersistedState
  /** The state with which the server rendered the page; undefined if the storage does not have it. */
  readServer(): PersistedState | undefined
  write(change: Partial<PersistedState>): void
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
          // The corrupt document stays until the next write.
        }
      }
    }
    return memory
  }

  return {
    read,
    readServer() {
      if (!storage.getServerItem) return undefined
      try {
        return parsePersistedState(storage.getServerItem(key) ?? '')
      } catch {
        return emptyPersistedState // a corrupt document is reported when the instance starts
      }
    },
    write(change) {
      memory = { ...read(), ...change }
      try {
        storage.setItem(
          key,
          JSON.stringify({ version: limits.persistedStateVersion, state: memory }),
        )
      } catch (cause) {
        report('full', cause)
      }
    },
  }
}

/**
 * Parses a stored document; invalid entries are dropped.
 *
 * @throws for another format or version
 * @see spec §9.11.3
 */
export function parsePersistedState(text: string): PersistedState {
  const { version, state } = JSON.parse(text) as { version?: unknown; state?: unknown }
  if (version !== limits.persistedStateVersion || !isRecord(state))
    throw new TypeError(`version ${String(version)} of the stored state is not supported`)
  const { connections, networks, namespace, recent, accounts, preferences } = state
  return {
    connections: pick(connections, (statuses) =>
      isRecord(statuses) ? pick(statuses, toStatus) : undefined,
    ),
    networks: pick(networks, toText),
    namespace: toText(namespace) ?? null,
    recent: Array.isArray(recent) ? recent.filter((id) => toText(id)) : [],
    accounts: pick(accounts, toText),
    preferences: parsePreferences(preferences),
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

/** Only the page's own host can set a cookie with this prefix, over HTTPS. @see RFC 6265bis §4.1.3 */
const hostPrefix = '__Host-'

/** The cookies of a request: its `Cookie` header, or an object such as that of Next.js’s `cookies()`. */
export type RequestCookies =
  | string
  | null
  | undefined
  | {
      /** The cookie with a name; its value is decoded. */
      get(name: string): { value: string } | undefined
    }

/**
 * Gatefold's own cookie among the cookies of a request, for `cookieStorage`. The result contains no other
 * cookie, so the server can send it to the browser as data of the page.
 *
 * @param cookies - the `Cookie` header, or an object whose `get(name)` returns `{ value }` with the decoded value
 * @param storageKey - the instance's option `storageKey`
 * @returns The cookie in the syntax of the `Cookie` header; '' if the request has none.
 * @example const cookie = gatefoldCookie(await cookies()) // Next.js
 * @example const cookie = gatefoldCookie(request.headers.get('cookie'))
 */
export function gatefoldCookie(cookies: RequestCookies, storageKey = 'gatefold'): string {
  const key = encodeURIComponent(storageKey)
  const header = typeof cookies === 'string' ? parseCookies(cookies) : undefined
  for (const name of [hostPrefix + key, key]) {
    const decoded = typeof cookies === 'object' ? cookies?.get(name)?.value : undefined
    const value =
      header?.get(name) ?? (decoded === undefined ? decoded : encodeURIComponent(decoded))
    if (value !== undefined) return `${name}=${value}`
  }
  return ''
}

function parseCookies(header: string): Map<string, string> {
  return new Map(
    header.split(/; */).map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return [name, value.join('=')]
    }),
  )
}

/**
 * Storage in cookies, so that a server can render the connected state. On a secure page, a cookie that
 * another host of the domain has set is ignored.
 *
 * @param cookie - Gatefold's cookie of the request, from `gatefoldCookie`. Pass the same value on the server and
 * in the browser, so that the first render in the browser matches the server's. Without it, the first render
 * has no account.
 */
export function cookieStorage(cookie?: string): KeyValueStorage {
  const page = typeof document === 'undefined' ? undefined : document
  const isSecure = page?.location.protocol === 'https:'
  const attributes = `; path=/; samesite=lax${isSecure ? '; secure' : ''}`
  const write = (key: string, value: string, seconds: number) => {
    const text = `${isSecure ? hostPrefix : ''}${encodeURIComponent(key)}=${encodeURIComponent(value)}`
    // Browsers silently ignore larger cookies.
    if (text.length > 4_000) throw new RangeError('The state exceeds the 4 KB limit of cookies.')
    if (page) page.cookie = `${text}; max-age=${seconds}${attributes}`
  }
  const read = (header: string, key: string) => {
    const cookies = parseCookies(header)
    const name = encodeURIComponent(key)
    // A server does not know whether the page is secure.
    const value = cookies.get(hostPrefix + name) ?? (isSecure ? undefined : cookies.get(name))
    return value === undefined ? null : decodeURIComponent(value)
  }
  return {
    getServerItem: cookie === undefined ? undefined : (key) => read(cookie, key),
    getItem: (key) => read(page?.cookie ?? cookie ?? '', key),
    setItem: (key, value) => write(key, value, 31_536_000),
    removeItem: (key) => write(key, '', 0),
  }
}

/** `localStorage` if available, otherwise memory. */
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

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toStatus(value: unknown): StoredConnection | undefined {
  return (['connected', 'active', 'disconnected'] as const).find((status) => status === value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The entries of a record for which `convert` returns a value. */
function pick<type>(
  record: unknown,
  convert: (value: unknown) => type | undefined,
): Record<string, type> {
  const entries = Object.entries(isRecord(record) ? record : {})
    .map(([key, value]) => [key, convert(value)] as const)
    .filter((entry): entry is readonly [string, type & {}] => entry[1] !== undefined)
  return Object.fromEntries(entries)
}
