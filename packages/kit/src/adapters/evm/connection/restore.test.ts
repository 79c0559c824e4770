import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { SessionConnector } from '../../../core/connection/Connector.ts'
import type { Session } from '../../../core/connection/Session.ts'
import { createPage, useChains } from '../testing/page.ts'
import type { Page } from '../testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'
const nacre = 'dev.gatefold.nacre'
const requestsOf = (wallet: ReturnType<Page['wallet']>) =>
  wallet.controls.requests.filter(({ method }) => /request/i.test(method))

/**
 * Connects two wallets and ends the visit. The next adapter that a test creates simulates the next
 * visit.
 */
async function visit() {
  const first = page.wallet()
  const second = page.wallet({ name: 'Nacre', rdns: nacre })
  const { adapter, storage } = page.adapter()
  await adapter.connect({ connectorId: halyard })
  await adapter.connect({ connectorId: nacre })
  adapter.destroy()
  const countRequests = () => requestsOf(first).length + requestsOf(second).length
  return { first, second, storage, countRequests, before: countRequests() }
}

test('§4.1.3 restores connections without a prompt, the active connection first', async () => {
  const { storage, countRequests, before } = await visit()
  const { adapter, newEvents } = page.adapter({ storage })
  const restored = await adapter.reconnect({ connectorIds: [halyard, nacre], current: nacre })
  expect(restored.map(({ connectorId }) => connectorId)).toEqual([nacre, halyard])
  expect(newEvents()).toMatchObject([
    { type: 'connected', connection: { connectorId: nacre }, active: true },
    { type: 'connected', connection: { connectorId: halyard }, active: false },
  ])
  expect(countRequests()).toBe(before)
  expect(adapter.config.state.status).toBe('connected')
})

test('wallets that are not to be restored receive no request', async () => {
  const { storage, second } = await visit()
  const { adapter } = page.adapter({ storage })
  const requests = second.controls.requests.length
  const restored = await adapter.reconnect({ connectorIds: [halyard], current: halyard })
  expect(restored.map(({ connectorId }) => connectorId)).toEqual([halyard])
  expect(second.controls.requests).toHaveLength(requests)
})

test('§4.1.3 falls back to disconnected when the wallet has revoked its permission', async () => {
  const { storage, first, second } = await visit()
  first.controls.loseAccounts()
  second.controls.loseAccounts()
  const { adapter, newEvents } = page.adapter({ storage })
  expect(await adapter.reconnect({ connectorIds: [halyard, nacre], current: nacre })).toEqual([])
  expect(newEvents()).toEqual([])
  expect(adapter.config.state.status).toBe('disconnected')
})

test('§4.15 a disconnected wallet is not restored, even if it still exposes its accounts', async () => {
  const { storage, first } = await visit()
  const before = page.adapter({ storage })
  await before.adapter.reconnect({ connectorIds: [halyard, nacre], current: nacre })
  first.controls.set({ fail: ['wallet_revokePermissions'] })
  await before.adapter.disconnect({ connectorId: halyard })
  before.adapter.destroy()
  expect(first.controls.permitted).toBe(true)

  const { adapter } = page.adapter({ storage })
  const restored = await adapter.reconnect({ connectorIds: [halyard, nacre], current: nacre })
  expect(restored.map(({ connectorId }) => connectorId)).toEqual([nacre])
  await adapter.connect({ connectorId: halyard })
  expect(storage.getItem(`wagmi.${halyard}.disconnected`)).toBeNull()
})

test('another wallet becomes active if the previously active one cannot be restored', async () => {
  const { storage, second } = await visit()
  second.controls.loseAccounts()
  const { adapter, newEvents } = page.adapter({ storage })
  await adapter.reconnect({ connectorIds: [halyard, nacre], current: nacre })
  expect(newEvents()).toMatchObject([
    { type: 'connected', connection: { connectorId: halyard }, active: true },
  ])
})

test('a wallet that announces itself late is restored too', async () => {
  const wallet = page.wallet({ announced: false })
  await wallet.provider.request({ method: 'eth_requestAccounts' })
  const { adapter } = page.adapter()
  const restored = adapter.reconnect({ connectorIds: [halyard], current: halyard })
  wallet.announce(page.window)
  expect(await restored).toMatchObject([{ connectorId: halyard }])
})

test('§9.6.5 a generic wallet that is injected late is restored too', async () => {
  const wallet = page.wallet({ announced: false })
  await wallet.provider.request({ method: 'eth_requestAccounts' })
  const { adapter } = page.adapter()
  const restored = adapter.reconnect({ connectorIds: ['injected'], current: 'injected' })
  page.window.ethereum = wallet.provider
  page.window.dispatchEvent(new Event('ethereum#initialized'))
  expect(await restored).toMatchObject([{ connectorId: 'injected' }])
})

test('a hanging wallet delays the other wallets by at most 5 s', async () => {
  const { storage, second } = await visit()
  second.controls.set({ hang: ['eth_accounts'] })
  const { adapter, newEvents } = page.adapter({ storage })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const restored = adapter.reconnect({ connectorIds: [halyard, nacre], current: nacre })
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await restored).map(({ connectorId }) => connectorId)).toEqual([halyard])
    expect(newEvents()).toMatchObject([{ type: 'connected', active: true }])
  } finally {
    vi.useRealTimers()
  }
})

test('a session is attached with the account and chain of its provider', async () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const session = {
    connectorId: 'relay',
    getState: () => ({
      grants: { eip155: { accounts: [{ address, caipNetworkId: 'eip155:31337' }] } },
    }),
    subscribe: () => () => {},
    provider: async () => ({
      request: async ({ method }: { method: string }) =>
        method === 'eth_accounts' ? [address] : '0x7a69',
      on: () => {},
      removeListener: () => {},
    }),
  } as unknown as Session
  const relay = {
    id: 'relay',
    name: 'Relay',
    chains: ['eip155'],
    restore: async () => session,
  } as unknown as SessionConnector
  const { adapter, newEvents } = page.adapter({ sessionConnectors: [relay] })
  await adapter.reconnect({ connectorIds: ['relay'], current: 'relay' })
  expect(newEvents()).toMatchObject([
    {
      type: 'connected',
      active: true,
      connection: {
        connectorId: 'relay',
        caipNetworkId: 'eip155:31337',
        accounts: [{ address }],
      },
    },
  ])
})

test('two instances on one page restore independently', async () => {
  const { storage } = await visit()
  const one = page.adapter({ storage })
  const two = page.adapter({ storage })
  const ids = { connectorIds: [halyard], current: halyard }
  const [first, second] = await Promise.all([
    one.adapter.reconnect(ids),
    two.adapter.reconnect(ids),
  ])
  expect(first).toEqual(second)
  expect(first).toHaveLength(1)
})
