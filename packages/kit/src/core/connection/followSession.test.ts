import { expect, test, vi } from 'vitest'

import { memoryStorage } from '../storage/storage.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { connect } from './connect.ts'

const { start, logged } = useKits()

/** A site without adapters whose session is connected. */
async function connected() {
  const relay = toyConnector()
  const site = start({
    networks: [toyNetworks[0]!],
    adapters: [],
    connectors: [relay.factory],
    storage: memoryStorage(),
  })
  const connecting = connect(site.kit, { connectorId: 'toy.relay' })
  await expect.poll(() => relay.requests).toHaveLength(1)
  relay.approve()
  await connecting
  site.kit.close()
  return { ...site, relay }
}

test('§8.11.7 §9.6.3/2 a method that the wallet does not serve is logged, and shown after 300 ms', async () => {
  const { kit, relay } = await connected()
  relay.block('eth_sign')
  await vi.dynamicImportSettled()
  expect(logged.error.mock.calls).toEqual([
    ['Gatefold: Requested RPC call is not allowed: eth_sign'],
  ])
  expect(kit.getState().view.open).toBe(true)
  await vi.advanceTimersByTimeAsync(299)
  expect(kit.getState().toast).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(kit.getState().toast).toMatchObject({ variant: 'error', message: 'Action not allowed' })
})

test('a method that the wallet does not serve is shown in the open view', async () => {
  const { kit, relay, view } = await connected()
  void kit.open({ view: 'Networks' })
  relay.block('eth_sign')
  await vi.dynamicImportSettled()
  expect(view()).toBe('Networks')
  await vi.advanceTimersByTimeAsync(300)
  expect(kit.getState().toast?.message).toBe('Action not allowed')
})
