import { describe, expect, test } from 'vitest'

import { connect } from '../../connection/connect.ts'
import { disconnect } from '../../connection/disconnect.ts'
import { memoryStorage } from '../../storage/storage.ts'
import { useKits } from '../../testing/useKits.ts'
import { canReplace } from './canReplace.ts'
import { followPending } from './followPending.ts'
import { NotReplacedError } from './NotReplacedError.ts'
import { cancelTransaction, speedUpTransaction } from './replacePending.ts'

const { start } = useKits()

async function open(index = 0) {
  const site = start()
  const { kit, wallets } = site
  await connect(kit, { connectorId: wallets.ids[0] })
  wallets.transactions['0xone'] = {
    status: 'pending',
    mark: { nonce: 7, block: 100, content: '0xcontent' },
  }
  wallets.transactions[wallets.replacement.hash] = wallets.transactions['0xone']
  followPending(kit, memoryStorage()).add({
    hash: '0xone',
    type: 'send',
    network: kit.getState().networks[index]!,
    account: wallets.address(0),
    to: '0xto',
    transfers: [{ direction: 'out', name: 'ETH', amount: '0.25', isNft: false, image: undefined }],
  })
  const pending = () => kit.getState().pending
  return { ...site, pending, can: () => canReplace(kit.getState(), pending()[0]!) }
}

test('a transaction that was sped up has the new hash', async () => {
  const { kit, wallets, pending } = await open()
  await speedUpTransaction(kit, { id: '0xone' })
  const { hash } = wallets.replacement
  expect(pending()).toMatchObject([{ id: '0xone', hash, earlier: ['0xone'], status: 'pending' }])
  expect(pending()[0]?.cancelHash).toBeUndefined()
})

test('a canceled transaction is pending until the cancellation is included', async () => {
  const { kit, wallets, pending } = await open()
  await cancelTransaction(kit, { id: '0xone' })
  const { hash } = wallets.replacement
  expect(pending()).toMatchObject([{ id: '0xone', cancelHash: hash, status: 'pending' }])
})

test('error: a wallet that ignores the nonce has sent a second transaction, which is listed', async () => {
  const { kit, wallets, pending } = await open()
  wallets.replacement.isReplacement = false
  await expect(speedUpTransaction(kit, { id: '0xone' })).rejects.toBeInstanceOf(NotReplacedError)
  const { hash } = wallets.replacement
  expect(pending()).toMatchObject([
    { id: hash, type: 'send', to: '0xto' },
    { id: '0xone', hash: '0xone', earlier: [] },
  ])
})

test('error: a cancellation that ignores the nonce is listed as a transaction that does nothing', async () => {
  const { kit, wallets, pending } = await open()
  wallets.replacement.isReplacement = false
  await expect(cancelTransaction(kit, { id: '0xone' })).rejects.toMatchObject({
    shortMessage: 'The wallet sent a second transaction instead of replacing the first',
  })
  expect(pending()[0]).toMatchObject({
    id: wallets.replacement.hash,
    type: 'execute',
    to: wallets.address(0),
    transfers: [{ direction: 'out', name: 'ETH', amount: '0', isNft: false }],
  })
  expect(kit.getState().toast?.message).not.toBe('Transaction sent')
})

test.each([
  ['speedUp', speedUpTransaction],
  ['cancel', cancelTransaction],
] as const)('%s is requested for the transaction, on its network', async (how, replace) => {
  const { kit, wallets } = await open(1)
  const network = kit.getState().networks[1]
  await replace(kit, { id: '0xone' })
  const address = wallets.address(0)
  expect(wallets.replaced).toEqual([{ hash: '0xone', network, address, how }])
})

test('error: a chain family that cannot replace transactions', async () => {
  const { kit } = await open()
  const adapter = kit.adapters.get('eip155')!
  const actions = await adapter.actions()
  adapter.actions = async () => ({ ...actions, pending: undefined })
  await expect(speedUpTransaction(kit, { id: '0xone' })).rejects.toMatchObject({
    shortMessage: expect.stringContaining('replaceTransaction') as unknown,
  })
})

test('error: a transaction on a network that the site no longer has cannot be replaced', async () => {
  const { kit } = await open()
  const [network] = kit.getState().networks
  // Without the network, and without an adapter for it.
  for (const networks of [[], [{ ...network!, chainNamespace: 'polkadot' as const }]]) {
    kit.dispatch({ type: 'networks.changed', networks })
    await expect(speedUpTransaction(kit, { id: '0xone' })).rejects.toMatchObject({
      code: 'chain.not_found',
      metaMessages: [expect.stringContaining('eip155:1')],
    })
  }
})

const actions = { 'speeding up': speedUpTransaction, canceling: cancelTransaction }

describe.each(Object.entries(actions))('%s', (_, replace) => {
  test.each([
    ['declines', 'reject', { name: 'UserRejectedError' }],
    ['fails', 'fail', { details: 'The wallet failed.' }],
    ['returns no hash', 'noHash', { code: 'wallet.wrong_hash' }],
  ] as const)('error: changes nothing if the wallet %s', async (__, fault, error) => {
    const { kit, wallets, pending } = await open()
    wallets.faults[fault] = true
    await expect(replace(kit, { id: '0xone' })).rejects.toMatchObject(error)
    expect(pending()).toMatchObject([{ hash: '0xone', earlier: [] }])
  })

  test('attack: with the hash of the pending transaction changes nothing', async () => {
    const { kit, wallets, pending } = await open()
    const { hash } = wallets.replacement
    const wrong = { code: 'wallet.wrong_hash' }
    wallets.replacement.hash = '0xone'
    await expect(replace(kit, { id: '0xone' })).rejects.toMatchObject(wrong)
    wallets.replacement.hash = hash
    await speedUpTransaction(kit, { id: '0xone' })
    // The first version of the transaction may still be included.
    wallets.replacement.hash = '0xone'
    await expect(replace(kit, { id: '0xone' })).rejects.toMatchObject(wrong)
    expect(pending()).toMatchObject([{ hash, earlier: ['0xone'], status: 'pending' }])
    expect(pending()[0]?.cancelHash).toBeUndefined()
  })

  test.each(['accountsChanged', 'chainChanged', 'disconnected'] as const)(
    'is recorded if the wallet answers after the event %s',
    async (type) => {
      const { kit, wallets, pending } = await open()
      wallets.faults.hang = true
      const replaced = replace(kit, { id: '0xone' })
      await expect.poll(() => wallets.isHanging).toBe(true)
      wallets.emit({
        type,
        connectorId: wallets.ids[0],
        caipNetworkId: 'eip155:10',
        accounts: [{ namespace: 'eip155', address: wallets.address(1), type: 'eoa' }],
      })
      wallets.release()
      await replaced
      expect(pending()).toMatchObject([
        { id: '0xone', hash: wallets.replacement.hash, account: wallets.address(0) },
      ])
    },
  )
})

test('error: a transaction that has ended, or is unknown, cannot be replaced', async () => {
  const { kit } = await open()
  await expect(speedUpTransaction(kit, { id: '0xother' })).rejects.toMatchObject({
    shortMessage: 'The transaction is no longer pending',
  })
})

test('only the active account of a wallet in the browser can replace, on the transaction’s network', async () => {
  const { kit, wallets, can, pending } = await open()
  expect(can()).toBe(true)
  const [connectorId] = wallets.ids
  wallets.emit({ type: 'chainChanged', connectorId, caipNetworkId: 'eip155:10' })
  expect(can()).toBe('network')
  wallets.emit({ type: 'chainChanged', connectorId, caipNetworkId: 'eip155:777' })
  expect(can()).toBe('network')
  wallets.emit({ type: 'chainChanged', connectorId, caipNetworkId: 'eip155:1' })
  const { connectors } = kit.getState()
  const remote = connectors.map((one) => ({ ...one, type: 'WALLET_CONNECT' as const }))
  expect(canReplace({ ...kit.getState(), connectors: remote }, pending()[0]!)).toBe(false)
  // The wallet's extension was removed.
  expect(canReplace({ ...kit.getState(), connectors: [] }, pending()[0]!)).toBe(false)
  await connect(kit, { connectorId: wallets.ids[1] })
  expect(can()).toBe(false)
  await disconnect(kit)
  expect(can()).toBe(false)
})

test.each([
  ['INJECTED', true],
  ['ANNOUNCED', true],
  ['MULTI_CHAIN', true],
  ['EXTERNAL', false],
  ['WALLET_CONNECT', false],
  ['AUTH', false],
] as const)('a wallet of the type %s can replace: %s', async (type, can) => {
  const { kit, pending } = await open()
  const connectors = kit.getState().connectors.map((one) => ({ ...one, type }))
  expect(canReplace({ ...kit.getState(), connectors }, pending()[0]!)).toBe(can)
})

test('only a pending transaction on a network of the site can be replaced; addresses are compared without their case', async () => {
  const { kit, pending } = await open()
  const can = (change: object) => canReplace(kit.getState(), { ...pending()[0]!, ...change })
  expect(can({ status: 'confirmed' })).toBe(false)
  expect(can({ networkId: 'eip155:777' })).toBe(false)
  expect(can({ callsId: 'calls' })).toBe(false)
  expect(can({ account: pending()[0]!.account.toLowerCase() })).toBe(true)
  kit.dispatch({ type: 'networks.changed', networks: [] })
  expect(can({})).toBe(false)
})
