import { describe, expect, test, vi } from 'vitest'
import type { EIP1193Provider } from 'viem'
import { sepolia } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import type { Actions } from '../connection/Adapter.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { useKits } from '../testing/useKits.ts'
import { switchNetwork } from '../networks/switchNetwork.ts'
import { getBalance, getIdentity, getNativeBalance } from './balance.ts'
import * as sign from './sign.ts'

const { start } = useKits()

/** A connected site whose adapter answers each call with the call's name and parameters. */
async function connected(options: Parameters<typeof start>[0] = {}) {
  const site = start(options)
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  const echo = (name: string) => async (parameters: object) => ({ name, ...parameters })
  const actions = {
    getBalance: echo('getBalance'),
    signMessage: echo('signMessage'),
    sendTransaction: echo('sendTransaction'),
    typedData: { signTypedData: echo('signTypedData') },
    receipts: { waitForReceipt: echo('waitForReceipt') },
    contracts: { estimateGas: echo('estimateGas'), writeContract: echo('writeContract') },
    identity: { getIdentity: echo('getIdentity'), resolveName: echo('resolveName') },
    batch: {
      getCapabilities: echo('getCapabilities'),
      sendCalls: echo('sendCalls'),
      getCallsStatus: echo('getCallsStatus'),
    },
    permissions: {
      grantPermissions: echo('grantPermissions'),
      revokePermissions: echo('revokePermissions'),
      getWalletAssets: echo('getWalletAssets'),
    },
  }
  const adapter = site.kit.adapters.get('eip155')!
  const offer = (offered: object) => {
    adapter.actions = async () => offered as Actions
  }
  offer(actions)
  return { ...site, actions, offer, address: site.wallets.address(0) }
}

/** A site without adapters that is connected by a session. */
async function connectedBySession() {
  const relay = toyConnector()
  const { kit } = start({ adapters: [], connectors: [relay.factory] })
  const connecting = connect(kit, { connectorId: 'toy.relay' })
  await expect.poll(() => kit.getState().attempt?.progress).toBeDefined()
  relay.approve()
  await connecting
  return kit
}

test('§7.13.2 every request reaches the adapter, for the active account or network', async () => {
  const { kit, address } = await connected()
  const namespace = 'eip155'
  const typedData = { types: {}, primaryType: 'A', message: {} }
  const network = kit.getState().networks[0]
  const transaction = { to: '0xto', value: 1n }
  const results = await Promise.all([
    getBalance(kit),
    sign.signMessage(kit, { message: 'hello', namespace }),
    sign.signTypedData(kit, { typedData }),
    sign.sendTransaction(kit, { ...transaction, namespace }),
    sign.waitForReceipt(kit, { hash: '0x1', timeoutMs: 5 }),
    sign.estimateGas(kit, { ...transaction, namespace }),
    sign.writeContract(kit, { address: '0xc', namespace } as never),
    sign.resolveName(kit, { name: 'a.eth' }),
    sign.resolveName(kit, { name: 'a.alt.eth' }),
    sign.getCapabilities(kit),
    sign.sendCalls(kit, { calls: [] }),
    sign.getCallsStatus(kit, { id: '7' }),
    sign.grantPermissions(kit, { a: 1 }),
    sign.revokePermissions(kit, { a: 2 }),
    sign.getWalletAssets(kit, { a: 3 }),
    getIdentity(kit),
  ])
  expect(results).toEqual([
    { name: 'getBalance', address, network },
    { name: 'signMessage', message: 'hello', address },
    { name: 'signTypedData', typedData, address },
    { name: 'sendTransaction', ...transaction },
    { name: 'waitForReceipt', hash: '0x1', timeoutMs: 5, network },
    { name: 'estimateGas', ...transaction },
    { name: 'writeContract', address: '0xc' },
    { name: 'a.eth', network },
    { name: 'a.alt.eth', network },
    { name: 'getCapabilities', address },
    { name: 'sendCalls', calls: [] },
    { name: 'getCallsStatus', id: '7' },
    { name: 'grantPermissions', a: 1 },
    { name: 'revokePermissions', a: 2 },
    { name: 'getWalletAssets', a: 3 },
    { name: 'getIdentity', address, network, found: undefined },
  ])
  expect(await sign.getProvider(kit)).toEqual({})
})

test.each([
  ['signTypedData', (kit) => sign.signTypedData(kit, { typedData: {} as never })],
  ['waitForReceipt', (kit) => sign.waitForReceipt(kit, { hash: '0x1' })],
  ['estimateGas', (kit) => sign.estimateGas(kit, { to: '0x' })],
  ['writeContract', (kit) => sign.writeContract(kit, {} as never)],
  ['getCapabilities', (kit) => sign.getCapabilities(kit)],
  ['sendCalls', (kit) => sign.sendCalls(kit, { calls: [] })],
  ['getCallsStatus', (kit) => sign.getCallsStatus(kit, { id: '1' })],
  ['grantPermissions', (kit) => sign.grantPermissions(kit, {})],
  ['revokePermissions', (kit) => sign.revokePermissions(kit, {})],
  ['getWalletAssets', (kit) => sign.getWalletAssets(kit, {})],
] as [string, (kit: Parameters<typeof getBalance>[0]) => Promise<unknown>][])(
  'error: %s rejects with an error that names it if the chain family does not support it',
  async (name, request) => {
    const { kit, offer } = await connected()
    offer({})
    await expect(request(kit)).rejects.toMatchObject({
      code: 'wallet.unsupported_operation',
      shortMessage: `The wallet does not support ${name}`,
    })
  },
)

describe('a chain family without a name service', () => {
  test('has no names', async () => {
    const { kit, offer } = await connected()
    offer({})
    expect(await getIdentity(kit)).toEqual({ name: undefined, avatar: undefined })
    expect(await sign.resolveName(kit, { name: 'a.eth' })).toBeUndefined()
  })
})

test('§5.8.1 §5.8.2 on a test network, an account has no name, and a balance of 0.00', async () => {
  const { kit } = await connected({ networks: [sepolia] })
  expect(await getIdentity(kit)).toEqual({ name: undefined, avatar: undefined })
  expect(await getBalance(kit)).toEqual({
    balance: '0.00',
    symbol: 'ETH',
    value: 0n,
    decimals: 18,
  })
})

test('§3.20/15 the balance is that of the site’s token on its network, otherwise of the currency', async () => {
  const token = { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', image: '/usdc.svg' }
  const { kit } = await connected({ tokens: { 'eip155:1': token } })
  expect(await getBalance(kit)).toMatchObject({ token: token.address, image: token.image })
  expect(await getNativeBalance(kit)).toMatchObject({ name: 'getBalance', token: undefined })
  await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
  expect(await getBalance(kit)).toMatchObject({ name: 'getBalance', token: undefined })
})

test('§8.11.3 a balance that cannot be read is warned of once, until it is read', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { kit, offer } = await connected()
  const read = async (error?: Error) => {
    offer({ getBalance: async () => ({ balance: '0.00', error }) })
    await getBalance(kit)
    return warn.mock.calls.length
  }
  const error = new Error('unreachable')
  expect(await read(error)).toBe(1)
  expect(warn).toHaveBeenCalledWith('Gatefold: the balance could not be read.', error)
  expect(await read(error)).toBe(1)
  expect(await read()).toBe(1)
  expect(await read(error)).toBe(2)
  warn.mockRestore()
})

test('§4.6.1 §5.8.2 on an unsupported chain, the balance is 0.00', async () => {
  const { kit, wallets } = await connected()
  const [connectorId] = wallets.ids
  wallets.emit({ type: 'chainChanged', connectorId, caipNetworkId: 'eip155:999' })
  expect(await getBalance(kit)).toMatchObject({ balance: '0.00', value: 0n })
})

test('error: requests need a network and an adapter', async () => {
  const { kit } = await connected()
  kit.dispatch({ type: 'networks.changed', networks: [] })
  await expect(getBalance(kit)).rejects.toMatchObject({ code: 'chain.not_found' })
  const bare = await connectedBySession()
  await expect(getBalance(bare)).rejects.toMatchObject({ code: 'wallet.not_connected' })
})

test('§8.4/10 error: a wallet that has left the page has no provider', async () => {
  const { kit } = await connected()
  kit.adapters.get('eip155')!.getProvider = () => Promise.resolve(undefined)
  await expect(sign.getProvider(kit)).rejects.toMatchObject({
    name: 'ProviderNotFoundError',
    shortMessage: 'Provider not found.',
  })
})

test('the provider of a chain family without an adapter is that of the session', async () => {
  const kit = await connectedBySession()
  const provider = (await sign.getProvider(kit)) as EIP1193Provider
  const request = { method: 'toy_sign', params: { message: 'hello' } }
  expect(await provider.request(request as never)).toBe('signed hello')
})

test('error: requests need a connected wallet', async () => {
  const { kit } = start()
  const error = { code: 'wallet.not_connected' }
  await expect(getBalance(kit)).rejects.toMatchObject(error)
  await expect(sign.signMessage(kit, { message: 'hello' })).rejects.toMatchObject(error)
  await expect(sign.getProvider(kit, { namespace: 'solana' })).rejects.toMatchObject(error)
})
