import { describe, expect, test } from 'vitest'

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
  recent: [{ id: 'abc', name: 'Halyard' }],
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

  test('invalid entries are dropped, and the others are kept', () => {
    const damaged = {
      version: 0,
      state: {
        ...state,
        connections: { eip155: { good: 'connected', bad: 7 }, solana: 3 },
        recent: [1, { id: 'abc', name: 'Halyard' }, { id: 'x' }],
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
