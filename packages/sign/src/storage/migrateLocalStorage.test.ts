import { expect, test } from 'vitest'
import { createMemoryStore } from './createMemoryStore.ts'
import { migrateLocalStorage } from './migrateLocalStorage.ts'

const session = 'wc@2:client:0.3//session'
const keychain = 'wc@2:core:0.3//keychain'

/** A localStorage whose entries are own properties, as in a browser. */
function localStorageOf(entries: Record<string, string>): Storage {
  const methods: Pick<Storage, 'getItem' | 'removeItem'> & ThisType<Record<string, string>> = {
    getItem(key) {
      return this[key] ?? null
    },
    removeItem(key) {
      delete this[key]
    },
  }
  return Object.assign(Object.create(methods) as Storage, entries)
}

const entriesOf = (storage: Storage) => Object.fromEntries(Object.entries(storage))

test('§7.15.1 moves the protocol client’s entries, and no other entries', async () => {
  const from = localStorageOf({
    [session]: '[1]',
    [keychain]: '{}',
    WALLETCONNECT_DEEPLINK_CHOICE: '{"name":"x"}',
    'wagmi.store': '{}',
  })
  const to = createMemoryStore()
  await migrateLocalStorage(from, to)
  expect(await to.getItem(session)).toBe('[1]')
  expect(await to.getItem(keychain)).toBe('{}')
  expect(await to.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBe('{"name":"x"}')
  expect(await to.getItem('wagmi.store')).toBeUndefined()
  expect(entriesOf(from)).toEqual({ 'wagmi.store': '{}' })
})

test('attack: entries of other scripts, whose keys contain the same words, stay in localStorage', async () => {
  const others = {
    'wagmi.walletConnect.requestedChains': '[1]',
    'shop-walletconnect-hint': 'seen',
    my_wc_state: '{}',
    WALLETCONNECT_CLIENT_ID_OF_SHOP: '1',
    'shop:wc@2': '{}',
  }
  const own = { 'wc@2:core:0.3//pairing': '[]', WALLETCONNECT_CLIENT_ID: 'a' }
  const from = localStorageOf({ ...others, ...own })
  const to = createMemoryStore()
  await migrateLocalStorage(from, to)
  expect(entriesOf(from)).toEqual(others)
  expect(await to.getItem('wc@2:core:0.3//pairing')).toBe('[]')
  expect(await to.getItem('WALLETCONNECT_CLIENT_ID')).toBe('a')
})

test('§7.15.1 does not overwrite newer values in the new store', async () => {
  const to = createMemoryStore([[session, '["new"]']])
  await migrateLocalStorage(localStorageOf({ [session]: '["old"]', [keychain]: '{"old":1}' }), to)
  expect(await to.getItem(session)).toBe('["new"]')
  expect(await to.getItem(keychain)).toBe('{"old":1}')
})

test('§7.15.1 runs once', async () => {
  const to = createMemoryStore()
  await migrateLocalStorage(localStorageOf({ [session]: '[1]' }), to)
  await to.removeItem(session)
  const later = localStorageOf({ [session]: '[2]' })
  await migrateLocalStorage(later, to)
  expect(await to.getItem(session)).toBeUndefined()
  expect(entriesOf(later)).toEqual({ [session]: '[2]' })
})

test.each([session, keychain, 'wc_storage_version'])(
  '§7.15.1 removes nothing if %s cannot be stored, and finishes at the next start',
  async (unwritable) => {
    const entries = { [session]: '[1]', [keychain]: '{}' }
    const from = localStorageOf(entries)
    const store = createMemoryStore()
    const full = {
      ...store,
      setItem: (key: string, value: string) =>
        key === unwritable ? Promise.reject(new Error('full')) : store.setItem(key, value),
    }
    await expect(migrateLocalStorage(from, full)).rejects.toThrow('full')
    expect(entriesOf(from)).toEqual(entries)
    await migrateLocalStorage(from, store)
    expect([await store.getItem(session), await store.getItem(keychain)]).toEqual(['[1]', '{}'])
    expect(entriesOf(from)).toEqual({})
  },
)
