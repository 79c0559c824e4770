import { expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import { getAccount } from '../connection/account.ts'
import { connect } from '../connection/connect.ts'
import { nextTask } from '../kit/nextTask.ts'
import { memoryStorage } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { push, returnTo } from './navigate.ts'
import { safeClose } from './safeClose.ts'
import { showConnected } from './showConnected.ts'
import type { ViewEntry, ViewName } from './view.ts'
import { walletOf } from './walletOf.ts'

const { start } = useKits()

test('error: a view of a later version is not opened', async () => {
  const { kit, events } = start()
  await expect(kit.open({ view: 'SmartSessionList' as ViewName & 'Account' })).rejects.toThrow(
    'no view `SmartSessionList`',
  )
  expect(kit.getState().view.open).toBe(false)
  expect(events).toEqual([])
})

test('closing the modal rejects no promise that the caller has ignored', async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', listener)
  const { kit } = start()
  void kit.open()
  kit.close()
  await nextTask()
  process.off('unhandledRejection', listener)
  expect(unhandled).toEqual([])
})

test('a call of open() is settled once, and then forgotten', async () => {
  const { kit, wallets } = start()
  const results = [kit.open(), kit.open({ view: 'AllWallets' })]
  expect(kit.getState()).toMatchObject({ attempt: undefined, switching: undefined })
  await connect(kit, { connectorId: wallets.ids[0] })
  const addresses = (await Promise.all(results)).map(({ address }) => address)
  expect(addresses).toEqual([wallets.address(0), wallets.address(0)])
  expect(kit.waiters.size).toBe(0)
})

test('error: open() rejects if the modal is closed before a shown account is restored', async () => {
  const storage = memoryStorage()
  const first = start({ storage })
  await connect(first.kit, { connectorId: first.wallets.ids[0] })
  const { kit, wallets } = start({ storage })
  wallets.faults.hang = true
  expect(getAccount(kit.getState())?.address).toBe(wallets.address(0))
  const opened = kit.open()
  kit.close()
  await expect(opened).rejects.toThrow('Modal closed')
})

test.each([
  [undefined, undefined],
  [{ redirectTo: 'Connect' }, undefined],
  [{ wallet: undefined }, undefined],
  [{ wallet: { id: 'a', name: 'A' } }, 'a'],
])('a view with the data %j is about the wallet %s', (data, id) => {
  expect(walletOf({ name: 'ConnectingWalletConnect', data } as ViewEntry)?.id).toBe(id)
})

test('a choice in a list goes back to the view that needs it', () => {
  const { kit } = start()
  void kit.open()
  const [, network] = kit.getState().networks
  push(kit, { name: 'WalletReceive' })
  push(kit, { name: 'WalletCompatibleNetworks' })
  returnTo(kit, { name: 'WalletReceive', data: { network } })
  expect(kit.getState().view.history).toEqual([
    { name: 'Connect' },
    { name: 'WalletReceive', data: { network } },
  ])
})

test('§2.6.1 a family with a wallet is opened in Account; another family, over Connect', async () => {
  const { kit, wallets } = start({ networks: [mainnet, { ...mainnet, chainNamespace: 'solana' }] })
  const names = () => kit.getState().view.history.map(({ name }) => name)
  await connect(kit, { connectorId: wallets.ids[0] })
  void kit.open({ namespace: 'eip155' })
  expect(names()).toEqual(['Account'])
  void kit.open({ namespace: 'solana' })
  expect(names()).toEqual(['Connect', 'SwitchNetwork'])
  expect(kit.getState().view.namespace).toBe('solana')
})

test('§3.11 the state says whether the modal is open or shakes, for which family, and which families connect', async () => {
  const toy = toyFamily()
  const evm = memoryAdapter()
  const { kit } = start({
    adapters: [evm.factory, toy.factory],
    networks: [mainnet, ...toyNetworks],
  })
  const state = () => {
    const { view, chains } = kit.getState()
    const loading = Object.entries(chains).flatMap(([family, { status }]) =>
      status === 'connecting' ? family : [],
    )
    return { open: view.open, shake: view.shake, namespace: view.namespace, loading }
  }
  const closed = { open: false, shake: false, namespace: undefined, loading: [] }
  expect(state()).toEqual(closed)
  void kit.open({ namespace: 'polkadot' })
  expect(state()).toEqual({ ...closed, open: true, namespace: 'polkadot' })

  toy.hang = true
  evm.faults.hang = true
  const first = connect(kit, { connectorId: 'toy.wallet' })
  await expect.poll(() => state().loading).toEqual(['polkadot'])
  toy.release()
  await first
  expect(state().loading).toEqual([])
  const second = connect(kit, { connectorId: evm.ids[0] })
  await expect.poll(() => state().loading).toEqual(['eip155'])
  evm.release()
  await second
  expect(state().loading).toEqual([])

  void kit.open({ view: 'UnsupportedChain' })
  safeClose(kit)
  expect(state()).toEqual({ ...closed, open: true, shake: true })
  kit.close()
  expect(state()).toEqual(closed)
})

test.each([
  ['closes the modal', {}, false, ['Connect'], undefined],
  ['shows the account of an embedded modal', { enableEmbedded: true }, false, ['Account']],
  [
    'lists the wallets again, with a toast',
    {},
    true,
    ['ProfileWallets'],
    ['success', 'Nacre connected'],
  ],
])('a connection %s', (_, options, fromWallets, views, message?: string[]) => {
  vi.stubGlobal('window', {})
  const { kit } = start(options)
  void kit.open()
  push(kit, { name: 'AllWallets' })
  showConnected(kit, { wallet: 'Nacre', fromWallets })
  const { view, toast } = kit.getState()
  expect(view.history.map(({ name }) => name)).toEqual(views)
  expect(view.open).toBe(views[0] !== 'Connect')
  expect(toast && [toast.variant, toast.message]).toEqual(message)
})
