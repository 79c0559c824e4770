import { afterEach, describe, expect, test, vi } from 'vitest'

import {
  createPersistedStore,
  cookieStorage,
  gatefoldCookie,
  defaultStorage,
  emptyPersistedState,
  memoryStorage,
  parsePersistedState,
  prefixedStorage,
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
  preferences: { currency: 'EUR', showsSmall: true },
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
  test.each([
    '{',
    '[]',
    '{"version":0}',
    '{"version":99,"state":{}}',
    '{"version":0,"state":[]}',
    '{"version":0,"state":"x"}',
    'null',
    '""',
  ])('%s is removed and reported once', (text) => {
    const storage = memoryStorage()
    storage.setItem(key, text)
    const { store, problems } = open(storage)
    expect(store.read()).toMatchObject({ connections: {}, recent: [] })
    expect(problems).toEqual(['corrupt'])
    expect(storage.getItem(key)).toBeNull()
  })

  test('invalid entries are dropped, and all other entries are kept', () => {
    const damaged = {
      version: 0,
      state: {
        ...state,
        connections: { eip155: { good: 'connected', bad: 7 }, solana: 3 },
        recent: [1, 'abc', { id: 'x', name: 'X', mobile_link: 'https://evil.example' }],
      },
    }
    expect(parsePersistedState(JSON.stringify(damaged))).toStrictEqual({
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
  expect(problems).toEqual(['full'])
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

test('a document is read once, and a change keeps the other entries', () => {
  const storage = memoryStorage()
  const { store, problems } = open(storage)
  store.write(state)
  store.write({ namespace: 'solana' })
  storage.setItem(key, '{')
  expect(store.read()).toEqual({ ...state, namespace: 'solana' })
  expect(problems).toEqual([])
})

test('a corrupt document that cannot be removed is reported', () => {
  const storage = {
    ...memoryStorage(),
    getItem: () => '{',
    removeItem() {
      throw new DOMException('denied', 'SecurityError')
    },
  }
  const { store, problems } = open(storage)
  expect(store.read().recent).toEqual([])
  expect(problems).toEqual(['corrupt'])
})

test('a document with invalid entries only is empty', () => {
  const text =
    '{"recent":{},"preferences":{"currency":"euro","showsSmall":1},"namespace":7,"accounts":[["eip155","x"]],"networks":null}'
  expect(parsePersistedState(`{"version":0,"state":${text}}`)).toEqual({
    connections: {},
    networks: {},
    namespace: null,
    recent: [],
    accounts: {},
    preferences: {},
  })
})

describe('the default storage', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test('is localStorage', () => {
    const local = memoryStorage()
    vi.stubGlobal('localStorage', local)
    expect(defaultStorage()).toBe(local)
  })

  test('is memory if the browser blocks storage', () => {
    vi.stubGlobal('localStorage', undefined)
    const storage = defaultStorage()
    storage.setItem('a', '1')
    expect([storage.getItem('a'), storage.getItem('b')]).toEqual(['1', null])
    storage.removeItem('a')
    expect(storage.getItem('a')).toBeNull()
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    expect(defaultStorage().getItem('a')).toBeNull()
  })
})

test('a prefix separates the keys of two users of a storage', () => {
  const storage = memoryStorage()
  const prefixed = prefixedStorage(storage, 'one.')
  storage.setItem('a', 'outside')
  prefixed.setItem('a', 'inside')
  expect([prefixed.getItem('a'), storage.getItem('one.a')]).toEqual(['inside', 'inside'])
  prefixed.removeItem('a')
  expect([prefixed.getItem('a'), storage.getItem('a')]).toEqual([null, 'outside'])
})

test('§9.12.3 a server reads the state from cookies', () => {
  const text = JSON.stringify({ version: 0, state })
  const header = `other=1; ${key}=${encodeURIComponent(text)}; last=2`
  expect(open(cookieStorage(header)).store.read()).toEqual(state)
  expect(open(cookieStorage('')).store.read().namespace).toBeNull()
})

test('the state with which the server rendered is read from the storage that knows it', () => {
  const text = JSON.stringify({ version: 0, state })
  const served = (getServerItem?: KeyValueStorage['getServerItem']) =>
    open({ ...memoryStorage(), getServerItem }).store.readServer()
  expect(served((name) => (name === key ? text : null))).toEqual(state)
  expect(served(() => null)).toEqual(emptyPersistedState)
  expect(served(() => '{')).toEqual(emptyPersistedState)
  expect(served()).toBeUndefined()
})

test('on a server, cookies are only read', () => {
  expect(cookieStorage().getItem(key)).toBeNull()
  const storage = cookieStorage(`${key}=1`)
  storage.setItem(key, '2')
  expect(storage.getItem(key)).toBe('1')
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

  test('may contain equals signs, and escape keys and values', () => {
    expect(open('http:', 'a=1; b==2=; ').getItem('b')).toBe('=2=')
    const storage = open('http:', 'k%3B=a%3Bb')
    storage.setItem('k;', 'a;b')
    expect(storage.getItem('k;')).toBe('a;b')
    expect(set[0]).toMatch(/^k%3B=a%3Bb; max-age/)
    expect(storage.getItem('none')).toBeNull()
  })

  test('are read in the browser, but the first render uses those that the server read', () => {
    open('https:', '__Host-gatefold=now')
    const storage = cookieStorage('__Host-gatefold=served')
    expect(storage.getServerItem?.(key)).toBe('served')
    expect(storage.getItem(key)).toBe('now')
    expect(cookieStorage('').getServerItem?.(key)).toBeNull()
    expect(cookieStorage().getServerItem).toBeUndefined()
  })

  test('error: are not set if they are longer than 4000 characters', () => {
    const storage = open('http:')
    storage.setItem('a', 'x'.repeat(3_998))
    expect(set).toHaveLength(1)
    expect(() => storage.setItem('a', 'x'.repeat(3_999))).toThrow(RangeError)
    expect(set).toHaveLength(1)
  })

  test('have no prefix if the page has no TLS', () => {
    const storage = open('http:', `${key}=1`)
    storage.setItem(key, '2')
    expect(storage.getItem(key)).toBe('1')
    expect(set).toEqual([`${key}=2; max-age=31536000; path=/; samesite=lax`])
  })
})

describe('Gatefold’s cookie of a request', () => {
  const text = JSON.stringify({ version: 0, state })
  const own = `${key}=${encodeURIComponent(text)}`

  test('attack: is extracted without the other cookies of the header', () => {
    const header = `session=secret; ${own};${key}.records=2; ${key}2=3; x${key}=4; last=5`
    expect(gatefoldCookie(header)).toBe(own)
    expect(gatefoldCookie(header, 'last')).toBe('last=5')
    expect(gatefoldCookie('session=secret')).toBe('')
    expect([gatefoldCookie(null), gatefoldCookie(undefined), gatefoldCookie('')]).toEqual([
      '',
      '',
      '',
    ])
  })

  test('is the one with the `__Host-` prefix, if the request has it', () => {
    expect(gatefoldCookie(`${key}=evil; __Host-${own}`)).toBe(`__Host-${own}`)
  })

  test('is encoded again if an object provides the decoded value', () => {
    const cookies = new Map([
      ['session', { value: 'secret' }],
      [key, { value: text }],
    ])
    expect(gatefoldCookie(cookies)).toBe(own)
    expect(gatefoldCookie(new Map())).toBe('')
    expect(cookieStorage(gatefoldCookie(cookies)).getItem(key)).toBe(text)
  })
})
