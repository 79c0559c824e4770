import { afterEach, describe, expect, test, vi } from 'vitest'

import {
  createPersistedStore,
  cookieStorage,
  memoryStorage,
  parsePersistedState,
} from './storage.ts'
import type { KeyValueStorage, PersistedState, StorageProblem } from './storage.ts'

const key = 'gatefold'
const state: PersistedState = {
  connections: {
    eip155: { 'dev.one': 'connected', 'dev.two': 'active', 'dev.three': 'disconnected' },
  },
  networks: { eip155: 'eip155:1' },
  namespace: 'eip155',
  recent: ['abc'],
  accounts: { eip155: 'eip155:1:0xabc' },
}

function open(storage: KeyValueStorage) {
  const problems: StorageProblem[] = []
  const store = createPersistedStore({
    storage,
    key,
    onProblem: (problem) => problems.push(problem),
  })
  return { store, problems }
}

test('§4.1.2 §9.11.3 a connector is stored as connected, active or disconnected, in version 0', () => {
  const storage = memoryStorage()
  open(storage).store.write(state)
  expect(JSON.parse(storage.getItem(key) ?? '')).toEqual({ version: 0, state })
  expect(open(storage).store.read()).toEqual(state)
})

describe('corrupt storage', () => {
  test.each(['{', '[]', '{"version":0}', '{"version":99,"state":{}}', 'null', '""'])(
    '%s is removed and reported once',
    (text) => {
      const storage = memoryStorage()
      storage.setItem(key, text)
      const { store, problems } = open(storage)
      expect(store.read()).toMatchObject({ connections: {}, recent: [] })
      expect(problems).toEqual(['corrupt'])
      expect(storage.getItem(key)).toBeNull()
    },
  )

  test('invalid entries are dropped, and all other entries are kept', () => {
    const damaged = {
      version: 0,
      state: {
        ...state,
        connections: { eip155: { good: 'connected', bad: 7 }, solana: 3 },
        recent: [1, 'abc', { id: 'x', name: 'X', mobile_link: 'https://evil.example' }],
      },
    }
    expect(parsePersistedState(JSON.stringify(damaged))).toEqual({
      ...state,
      connections: { eip155: { good: 'connected' } },
    })
  })
})

test('a full storage is reported once, and the state is kept in memory', () => {
  const full: KeyValueStorage = {
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem() {},
  }
  const { store, problems } = open(full)
  store.write({ namespace: 'eip155' })
  store.write({ namespace: 'solana' })
  expect(store.read().namespace).toBe('solana')
  expect(problems).toEqual(['quota'])
})

test('a storage that throws on read is reported once', () => {
  const forbidden: KeyValueStorage = {
    getItem() {
      throw new DOMException('denied', 'SecurityError')
    },
    setItem() {},
    removeItem() {},
  }
  const { store, problems } = open(forbidden)
  expect(store.read().namespace).toBeNull()
  expect(problems).toEqual(['unavailable'])
})

test('§9.12.3 a server reads the state from cookies', () => {
  const text = JSON.stringify({ version: 0, state })
  const header = `other=1; ${key}=${encodeURIComponent(text)}; last=2`
  expect(open(cookieStorage(header)).store.read()).toEqual(state)
  expect(open(cookieStorage('')).store.read().namespace).toBeNull()
})

describe('cookies of a page', () => {
  const set: string[] = []
  const open = (protocol: string, cookie = '') => {
    set.length = 0
    vi.stubGlobal('document', {
      location: { protocol },
      get cookie() {
        return cookie
      },
      set cookie(text: string) {
        set.push(text)
      },
    })
    return cookieStorage()
  }
  afterEach(() => void vi.unstubAllGlobals())

  test('attack: are bound to the host of a secure page', () => {
    const storage = open('https:')
    storage.setItem(key, '1')
    storage.removeItem(key)
    expect(set).toEqual([
      '__Host-gatefold=1; max-age=31536000; path=/; samesite=lax; secure',
      '__Host-gatefold=; max-age=0; path=/; samesite=lax; secure',
    ])
  })

  test('attack: are ignored if another host on the domain has set them', () => {
    expect(open('https:', `${key}=evil`).getItem(key)).toBeNull()
    expect(open('https:', `${key}=evil; __Host-${key}=own`).getItem(key)).toBe('own')
    expect(cookieStorage(`${key}=evil; __Host-${key}=own`).getItem(key)).toBe('own')
  })

  test('have no prefix if the page has no TLS', () => {
    const storage = open('http:', `${key}=1`)
    storage.setItem(key, '2')
    expect(storage.getItem(key)).toBe('1')
    expect(set).toEqual([`${key}=2; max-age=31536000; path=/; samesite=lax`])
  })
})
