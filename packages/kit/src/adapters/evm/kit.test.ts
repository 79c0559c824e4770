import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { connect } from '../../core/actions/connect.ts'
import { disconnect } from '../../core/actions/disconnect.ts'
import { switchNetwork } from '../../core/actions/switchNetwork.ts'
import { createKit } from '../../core/createKit.ts'
import { memoryStorage } from '../../core/storage.ts'
import { evm } from './evm.ts'
import { evmConfig } from './evmConfig.ts'
import { createPage, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'

test('§4.1.3 §4.6.1 a visit through the kit: connect, switch, wander off, come back, leave', async () => {
  const wallet = page.wallet()
  const storage = memoryStorage()
  const visit = async () => {
    const kit = createKit({
      networks: [page.local, page.second],
      metadata: { name: 'Book', description: '', url: 'http://localhost', icons: [] },
      adapters: [evm()],
      storage,
    })
    await kit.ready()
    return { kit, chain: () => kit.getState().chains.eip155 }
  }

  const first = await visit()
  const account = await connect(first.kit, { connectorId: halyard })
  expect(account.caipAddress).toBe('eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  await switchNetwork(first.kit, { network: { caipNetworkId: 'eip155:31338' } })
  expect(first.chain()).toMatchObject({ status: 'connected', networkId: 'eip155:31338' })
  wallet.controls.switchChain(7)
  await vi.waitFor(() =>
    expect(first.chain()).toMatchObject({
      networkId: 'eip155:31338',
      unsupportedNetworkId: 'eip155:7',
    }),
  )
  first.kit.destroy()

  const asked = () =>
    wallet.controls.requests.filter(({ method }) => /request/i.test(method)).length
  const before = asked()
  const second = await visit()
  expect(second.chain()).toMatchObject({
    status: 'connected',
    connectorId: halyard,
    unsupportedNetworkId: 'eip155:7',
  })
  expect(asked()).toBe(before)
  expect(evmConfig(second.kit).state.status).toBe('connected')
  await disconnect(second.kit)
  expect(second.chain()).toMatchObject({ status: 'disconnected', connections: [] })
  second.kit.destroy()

  const third = await visit()
  expect(third.chain()).toMatchObject({ status: 'disconnected', connections: [] })
  third.kit.destroy()
})

test('nothing is asked of any chain before the visitor acts', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  page.wallet()
  const { adapter } = page.adapter()
  await adapter.preload()
  await adapter.connect({ connectorId: halyard })
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})
