import { mainnet } from 'viem/chains'
import { beforeEach, expect, test, vi } from 'vitest'

import { memoryStorage } from '../storage/storage.ts'
import type { PersistedState } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'

// Counts how often the lazy chunk is used, without running it.
const chunk = vi.hoisted(() => ({ uses: 0 }))
vi.mock('./restoreConnections.ts', () => ({
  restoreConnections: async () => void (chunk.uses += 1),
}))

const { start } = useKits()
const halyard = 'dev.gatefold.halyard'
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
beforeEach(() => {
  chunk.uses = 0
})

const item = (state: Partial<PersistedState>) => {
  const empty = { connections: {}, networks: {}, namespace: null, accounts: {}, recent: [] }
  return JSON.stringify({ version: 0, state: { ...empty, ...state } })
}
function storageWith(state: Partial<PersistedState>) {
  const storage = memoryStorage()
  storage.setItem('gatefold', item(state))
  return storage
}
const twoFamilies = () => ({
  networks: [mainnet, toyNetworks[0]!] as const,
  adapters: [memoryAdapter().factory, toyFamily().factory],
})

test.each<[string, PersistedState['connections'], number]>([
  ['on a first visit', {}, 0],
  ['if every wallet was disconnected', { eip155: { [halyard]: 'disconnected' } }, 0],
  ['if one of several is connected', { eip155: { x: 'disconnected', [halyard]: 'active' } }, 1],
  ['if one family is connected', { polkadot: {}, eip155: { [halyard]: 'connected' } }, 1],
])('%s, the code that restores connections is loaded %i times', async (_, connections, uses) => {
  const { kit } = start({ ...twoFamilies(), storage: storageWith({ connections }), ssr: true })
  await kit.ready()
  expect(chunk.uses).toBe(uses)
})

test('without adapters, the code is loaded, because connectors store their own sessions', async () => {
  const { kit } = start({ adapters: [] })
  await kit.ready()
  expect(chunk.uses).toBe(1)
})

test('if the server rendered an account that is no longer stored, the code is loaded to remove it', async () => {
  const served = item({
    connections: { eip155: { [halyard]: 'connected' } },
    accounts: { eip155: `eip155:1:${address}` },
  })
  const storage = { ...memoryStorage(), getServerItem: () => served }
  const { kit } = start({ ...twoFamilies(), storage, ssr: true })
  await kit.ready()
  expect(chunk.uses).toBe(1)
})
