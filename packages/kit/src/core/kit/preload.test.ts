import { expect, test, vi } from 'vitest'

import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { preload } from './preload.ts'

const { start } = useKits()
const metaMask = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'

test('loads the features and the suggestions once, and again after a failure', async () => {
  const requests: string[] = []
  let online = false
  const { kit } = start(
    {},
    {
      async config() {
        requests.push('config')
        return null
      },
      async wallets() {
        requests.push('wallets')
        if (!online) throw new TypeError('offline')
        return { data: [], count: 0 }
      },
      analyticsEnabled: async () => false,
      send: async () => {},
    },
  )
  preload(kit)
  await expect.poll(() => kit.getState().server).toBe('ready')
  await expect.poll(() => kit.getState().suggestions).toBeDefined()
  expect(kit.getState().suggestions?.count).toBeUndefined()
  online = true
  preload(kit)
  await expect.poll(() => kit.getState().suggestions?.count).toBe(0)
  preload(kit)
  await vi.dynamicImportSettled()
  expect(requests.toSorted()).toEqual(['config', 'wallets', 'wallets'])
})

test.each([
  ['without options', {}, {}],
  ['with features', { features: { multiWallet: false } }, { multiWallet: false, activity: true }],
  ['with basic mode', { basic: true }, { email: false, activity: false }],
])('without a gateway, the site’s options apply: %s', async (_, options, features) => {
  const { kit } = start(options)
  preload(kit)
  await expect.poll(() => kit.getState().features).toMatchObject(features)
  expect(kit.getState()).toMatchObject({ server: 'unused', suggestions: undefined })
})

test('without options, a gateway and recent wallets, nothing changes', async () => {
  const { kit } = start()
  const before = kit.getState()
  preload(kit)
  await vi.dynamicImportSettled()
  expect(kit.getState()).toBe(before)
})

test('§9.2 looks up the recent wallets of earlier visits', async () => {
  const storage = memoryStorage()
  const state = { connections: {}, networks: {}, namespace: null, accounts: {}, recent: [metaMask] }
  storage.setItem('gatefold', JSON.stringify({ version: 0, state }))
  const { kit } = start({ storage })
  preload(kit)
  await expect.poll(() => kit.getState().recent).toMatchObject([{ name: 'MetaMask' }])
})
