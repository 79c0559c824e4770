import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mainnet, optimism, sepolia } from 'viem/chains'

import { createKit } from '../kit/createKit.ts'
import { UserRejectedError } from '../kit/errors.ts'
import type { KitInstance } from '../kit/Kit.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { canUse } from './canUse.ts'
import { toNetwork } from './Network.ts'
import { memoryStorage } from '../storage/storage.ts'
import { currentView } from '../view/view.ts'
import { getBalance } from '../account/balance.ts'
import { connect } from '../connection/connect.ts'
import { goBack, push } from '../view/navigate.ts'
import { selectNetwork, switchNetwork } from './switchNetwork.ts'

const kits: KitInstance[] = []
beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'https://book.example' } })
})
afterEach(() => {
  for (const kit of kits.splice(0)) kit.destroy()
  vi.unstubAllGlobals()
})

const one = toNetwork(mainnet)
const ten = toNetwork(optimism)
const solana = toNetwork({
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chainNamespace: 'solana',
  name: 'Solana',
  nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: ['http://localhost:1'] } },
})

async function start({ connected = true } = {}) {
  const wallets = memoryAdapter()
  const kit = createKit({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: [mainnet, optimism, sepolia, solana],
    adapters: [wallets.factory],
    storage: memoryStorage(),
  })
  kits.push(kit)
  if (connected) await connect(kit, { connectorId: wallets.ids[0] })
  const history = () => kit.getState().view.history.map(({ name }) => name)
  const settled = () => vi.waitFor(() => expect(kit.getState().switching).toBeUndefined())
  return { kit, wallets, history, settled }
}

describe('selecting a network', () => {
  test('§2.8.1 §2.8.3 requests the switch from the wallet; success goes back past the list of networks', async () => {
    const { kit, history, wallets, settled } = await start()
    wallets.faults.hang = true
    void kit.open({ view: 'Account' })
    push(kit, { name: 'Networks' })
    selectNetwork(kit, { network: ten })
    expect(history()).toEqual(['Account', 'Networks', 'SwitchNetwork'])
    expect(kit.getState().switching).toMatchObject({ networkId: 'eip155:10', status: 'waiting' })
    wallets.release()
    await settled()
    expect(history()).toEqual(['Account'])
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:10')
  })

  test.each([
    [true, 'Account'],
    [false, 'Connect'],
  ])('with connected=%s, goes back if the network is already active', async (connected, view) => {
    const { kit, history } = await start({ connected })
    void kit.open()
    push(kit, { name: 'SwitchNetwork', data: { network: one } })
    await switchNetwork(kit, { network: one })
    expect(history()).toEqual([view])
  })

  test('the status is silent after a minute without a response', async () => {
    const { kit, wallets } = await start()
    wallets.faults.hang = true
    vi.useFakeTimers()
    switchNetwork(kit, { network: ten }).catch(() => {})
    vi.advanceTimersByTime(59_000)
    expect(kit.getState().switching?.status).toBe('waiting')
    vi.advanceTimersByTime(1_000)
    expect(kit.getState().switching?.status).toBe('silent')
    vi.useRealTimers()
  })

  test('rejecting an earlier request does not affect a later request', async () => {
    const { kit } = await start()
    const rejections: ((error: Error) => void)[] = []
    kit.adapters.get('eip155')!.switchNetwork = () =>
      new Promise((_, reject) => rejections.push(reject))
    const first = switchNetwork(kit, { network: ten })
    switchNetwork(kit, { network: ten }).catch(() => {})
    rejections[0]!(new UserRejectedError())
    await expect(first).rejects.toThrow('rejected')
    expect(kit.getState().switching?.status).toBe('waiting')
  })

  test('a response after the visitor has gone back does not close another view', async () => {
    const { kit, history, wallets } = await start()
    wallets.faults.hang = true
    void kit.open({ view: 'Account' })
    push(kit, { name: 'ProfileWallets' })
    push(kit, { name: 'SwitchNetwork', data: { network: ten } })
    const switching = switchNetwork(kit, { network: ten })
    goBack(kit)
    wallets.release()
    await switching
    expect(history()).toEqual(['Account', 'ProfileWallets'])
  })

  test.each([
    ['the previous network', one],
    ['another network', ten],
  ])('§8.6.1 switching from an unsupported chain to %s closes the modal', async (_, network) => {
    const { kit, wallets, history, settled } = await start()
    wallets.emit({
      type: 'chainChanged',
      connectorId: wallets.ids[0],
      caipNetworkId: 'eip155:7781',
    })
    expect(history()).toEqual(['UnsupportedChain'])
    selectNetwork(kit, { network })
    expect(history()).toEqual(['UnsupportedChain', 'SwitchNetwork'])
    await settled()
    await vi.waitFor(() => expect(kit.getState().view.open).toBe(false))
    expect(kit.getState().chains.eip155).toMatchObject({
      networkId: network.caipNetworkId,
      unsupportedNetworkId: undefined,
    })
  })

  test('the modal also closes if the visitor switches the network in the wallet instead', async () => {
    const { kit, wallets, history } = await start()
    const chain = (caipNetworkId: `eip155:${number}`) =>
      wallets.emit({ type: 'chainChanged', connectorId: wallets.ids[0], caipNetworkId })
    chain('eip155:7781')
    wallets.faults.hang = true
    selectNetwork(kit, { network: ten })
    expect(history()).toEqual(['UnsupportedChain', 'SwitchNetwork'])
    chain('eip155:1')
    expect(kit.getState().view.open).toBe(false)
  })

  test('§4.6.2/2 without a wallet, the network becomes active immediately', async () => {
    const { kit, wallets } = await start({ connected: false })
    await switchNetwork(kit, { network: ten })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:10')
    expect(wallets.chainId).toBe(1)
  })

  test('the account view stays open when the visitor switches the network in the wallet', async () => {
    const { kit, wallets, history } = await start()
    void kit.open()
    wallets.emit({ type: 'chainChanged', connectorId: wallets.ids[0], caipNetworkId: 'eip155:10' })
    expect(history()).toEqual(['Account'])
    expect(kit.getState().view.open).toBe(true)
  })

  test('§2.6.1 opening the modal for another chain family keeps Connect in the history', async () => {
    const { kit, history } = await start()
    void kit.open({ namespace: 'solana' })
    expect(history()).toEqual(['Connect', 'SwitchNetwork'])
  })
})

test('§5.8.2 §9.3.4/2 the balance is 0.00 on test networks and unsupported chains', async () => {
  const { kit, wallets } = await start()
  expect((await getBalance(kit)).balance).toBe('2.4819')
  await switchNetwork(kit, { network: toNetwork(sepolia) })
  expect((await getBalance(kit)).balance).toBe('0.00')
  await switchNetwork(kit, { network: one })
  wallets.emit({ type: 'chainChanged', connectorId: wallets.ids[0], caipNetworkId: 'eip155:7781' })
  expect((await getBalance(kit)).balance).toBe('0.00')
})

test('only chains that the wallet has approved can be used', async () => {
  const { kit, wallets } = await start()
  expect(canUse(kit.getState(), ten)).toBe(true)
  const connection = kit.getState().chains.eip155!.connections[0]!
  wallets.emit({
    type: 'connected',
    active: true,
    connection: { ...connection, approvedNetworkIds: ['eip155:1'] },
  })
  expect(canUse(kit.getState(), one)).toBe(true)
  expect(canUse(kit.getState(), ten)).toBe(false)
  expect(canUse(kit.getState(), solana)).toBe(true)
})

test('§2.8.2 if no account of the chain family is connected, a view asks the visitor to connect one', async () => {
  const { kit } = await start()
  void kit.open({ view: 'Account' })
  push(kit, { name: 'Networks' })
  selectNetwork(kit, { network: solana })
  const { history } = kit.getState().view
  expect(history.map(({ name }) => name)).toEqual(['Account', 'SwitchActiveChain'])
  expect(currentView(kit.getState().view)).toMatchObject({ data: { redirectTo: 'Connect' } })
})
