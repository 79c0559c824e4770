import { expect, test } from 'vitest'

import { directory } from '../../data/directory.ts'
import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { addRecentWallet } from './addRecentWallet.ts'
import { loadRecentWallets } from './loadRecentWallets.ts'

const { start } = useKits()
const metaMask = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'

/** A storage with these recent wallets, as another host on the domain or another script could write them. */
function storageWith(recent: unknown[]) {
  const storage = memoryStorage()
  const state = { connections: {}, networks: {}, namespace: null, accounts: {}, recent }
  storage.setItem('gatefold', JSON.stringify({ version: 0, state }))
  return storage
}

test('§9.2 recent wallets from an earlier visit have the links from the directory', async () => {
  const storage = storageWith([metaMask, 'unknown'])
  const { kit } = start({ storage })
  expect(kit.getState().recent).toEqual([])
  await loadRecentWallets(kit)
  expect(kit.getState().recent).toMatchObject([{ name: 'MetaMask', mobile_link: 'metamask://' }])
})

test('§9.2 at most two wallets are recent, and none is listed twice', async () => {
  const known = directory.slice(0, 4).map(({ id }) => id)
  const { kit } = start({ storage: storageWith(known) })
  await loadRecentWallets(kit)
  expect(kit.getState().recent).toEqual([directory[0], directory[1]])
  const other = start({ storage: storageWith(known) }).kit
  addRecentWallet(other, directory[1]!)
  await loadRecentWallets(other)
  expect(other.getState().recent).toEqual([directory[1], directory[0]])
})

test('a lookup that finds no wallet changes nothing', async () => {
  const { kit } = start({ storage: storageWith(['unknown']) })
  const before = kit.getState()
  await loadRecentWallets(kit)
  expect(kit.getState()).toBe(before)
})

test('§9.2 the latest two wallets are recent, newest first', () => {
  const { kit } = start()
  for (const id of ['a', 'b', 'a', 'c']) addRecentWallet(kit, { id, name: id })
  expect(kit.getState().recent.map(({ id }) => id)).toEqual(['c', 'a'])
  expect(kit.persisted.read().recent).toEqual(['c', 'a'])
  for (const id of ['a', 'a']) addRecentWallet(kit, { id, name: id })
  expect(kit.getState().recent.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(kit.persisted.read().recent).toEqual(['a', 'c'])
})

test('attack: a stored link is never used', async () => {
  const evil = { id: metaMask, name: 'MetaMask', mobile_link: 'https://evil.example' }
  const { kit } = start({ storage: storageWith([evil]) })
  await loadRecentWallets(kit)
  expect(kit.getState().recent).toEqual([])
})

test('attack: only ids are stored', () => {
  const storage = memoryStorage()
  const { kit } = start({ storage })
  addRecentWallet(kit, { id: 'a', name: 'A', mobile_link: 'a://' })
  expect(JSON.parse(storage.getItem('gatefold') ?? '')).toMatchObject({ state: { recent: ['a'] } })
})
