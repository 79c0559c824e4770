import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { signMessage, signTypedData } from '../account/sign.ts'
import { createKit } from '../kit/createKit.ts'
import type { KitInstance } from '../kit/Kit.ts'
import type { NetworkInput } from '../networks/Network.ts'
import { switchNetwork } from '../networks/switchNetwork.ts'
import { memoryStorage } from '../storage/storage.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { toyAddress, toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { getAccount, getNetwork, getSession, isConnectedBy } from './account.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

/*
 * Runs the same tests for every kind of connector and chain family. The toy connector and the toy
 * family implement only the public interfaces; core and UI contain no code for them.
 */

const evmNetworks = [1, 10].map((id): NetworkInput => ({
  id,
  name: `Chain ${id}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://localhost:9'] } },
}))

beforeEach(() => vi.stubGlobal('window', new EventTarget()))
afterEach(() => {
  for (const kit of kits.splice(0)) kit.destroy()
  vi.unstubAllGlobals()
})

const kits: KitInstance[] = []

function start(storage: KeyValueStorage = memoryStorage()) {
  const evm = memoryAdapter()
  const toy = toyFamily()
  const relay = toyConnector()
  const kit = createKit({
    metadata: { name: 'Site', description: '', url: 'http://localhost', icons: [] },
    networks: [...evmNetworks, ...toyNetworks] as unknown as [NetworkInput, ...NetworkInput[]],
    adapters: [evm.factory, toy.factory],
    connectors: [relay.factory],
    storage,
  })
  kits.push(kit)
  const approve = async () => {
    await expect.poll(() => kit.getState().attempt?.progress?.uri).toBe('toy:1')
    relay.approve()
  }
  const reject = async () => {
    await expect.poll(() => kit.getState().attempt?.progress?.uri).toBe('toy:1')
    relay.reject()
  }
  return { kit, evm, toy, relay, storage, approve, reject }
}
type Started = ReturnType<typeof start>

const kinds = [
  {
    kind: 'an installed EVM wallet',
    connectorId: 'dev.gatefold.halyard',
    namespace: 'eip155',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    approve: async () => {},
    reject: async ({ evm }: Started) => void (evm.faults.reject = true),
    other: 'eip155:10',
  },
  {
    kind: 'an installed wallet of a toy family',
    connectorId: 'toy.wallet',
    namespace: 'polkadot',
    address: toyAddress,
    approve: async () => {},
    reject: async ({ toy }: Started) => void (toy.reject = true),
    other: `polkadot:${toyNetworks[1]!.id}`,
  },
  {
    kind: 'a toy session on EVM',
    connectorId: 'toy.relay',
    namespace: 'eip155',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    approve: ({ approve }: Started) => approve(),
    reject: ({ reject }: Started) => reject(),
    other: 'eip155:10',
  },
  {
    kind: 'a toy session on a toy family',
    connectorId: 'toy.relay',
    namespace: 'polkadot',
    address: toyAddress,
    approve: ({ approve }: Started) => approve(),
    reject: ({ reject }: Started) => reject(),
    other: `polkadot:${toyNetworks[1]!.id}`,
  },
] as const

describe.each(kinds)('$kind', ({ connectorId, namespace, address, approve, reject, other }) => {
  async function connected(storage?: KeyValueStorage) {
    const site = start(storage)
    await site.kit.ready()
    const connecting = connect(site.kit, { connectorId, namespace })
    await approve(site)
    return { ...site, account: await connecting }
  }

  test('§4.1.5 connects and becomes the active connection', async () => {
    const { kit, account } = await connected()
    expect(account).toMatchObject({ namespace, address })
    expect(kit.getState()).toMatchObject({ namespace, attempt: undefined })
    expect(kit.persisted.read()).toMatchObject({
      namespace,
      connections: { [namespace]: { [connectorId]: 'connected' } },
    })
    expect(kit.getState().chains[namespace]).toMatchObject({ status: 'connected', connectorId })
  })

  test('§8.11.4 error: a rejection sets the status rejected, and the next attempt succeeds', async () => {
    const site = start()
    await site.kit.ready()
    const connecting = connect(site.kit, { connectorId, namespace })
    connecting.catch(() => {})
    await reject(site)
    await expect(connecting).rejects.toMatchObject({ code: 'wallet.user_rejected' })
    expect(site.kit.getState().attempt?.status).toBe('rejected')
    expect(getAccount(site.kit.getState(), namespace)).toBeUndefined()
    site.evm.faults.reject = site.toy.reject = false
    const again = connect(site.kit, { connectorId, namespace })
    await approve(site)
    expect((await again).address).toBe(address)
  })

  test('error: an aborted attempt does not connect, even if the wallet approves', async () => {
    const site = start()
    await site.kit.ready()
    site.evm.faults.hang = site.toy.hang = true
    void site.kit.open().catch(() => {})
    const connecting = connect(site.kit, { connectorId, namespace })
    connecting.catch(() => {})
    await expect.poll(() => site.kit.getState().attempt?.status).toBe('waiting')
    site.kit.close()
    site.evm.release()
    site.toy.release()
    site.relay.approve()
    await expect(connecting).rejects.toMatchObject({ code: 'modal.closed' })
    expect(getAccount(site.kit.getState(), namespace)).toBeUndefined()
  })

  test('§4.6.4 switches the network', async () => {
    const { kit } = await connected()
    const network = kit.getState().networks.find(({ caipNetworkId }) => caipNetworkId === other)!
    await switchNetwork(kit, { network })
    expect(getNetwork(kit.getState(), namespace)?.caipNetworkId).toBe(other)
  })

  test('§3.10.2 signs with the wallet’s provider', async () => {
    const { kit } = await connected()
    const signature = await signMessage(kit, { message: 'hello', namespace })
    expect(signature).toBe(namespace === 'polkadot' ? 'signed hello' : '0x')
  })

  test('§4.1.3 is restored after a reload without a prompt', async () => {
    const { kit, storage } = await connected()
    kit.destroy()
    const { kit: next } = start(storage)
    await next.ready()
    expect(getAccount(next.getState(), namespace)?.address).toBe(address)
    expect(next.getState().chains[namespace]?.status).toBe('connected')
  })

  test('§4.1.6 is disconnected and stays disconnected after a reload', async () => {
    const { kit, storage } = await connected()
    await disconnect(kit, { namespace, connectorId })
    expect(getAccount(kit.getState(), namespace)).toBeUndefined()
    kit.destroy()
    const { kit: next } = start(storage)
    await next.ready()
    expect(getAccount(next.getState(), namespace)).toBeUndefined()
  })
})

describe('a session with two chain families', () => {
  async function paired() {
    const site = start()
    await site.kit.ready()
    const connecting = connect(site.kit, { connectorId: 'toy.relay' })
    await site.approve()
    await connecting
    return site
  }

  test('connects both families; when the session ends, the reason stays in the state', async () => {
    const { kit, relay } = await paired()
    expect(isConnectedBy(kit.getState(), 'toy.relay', 'eip155')).toBe(true)
    expect(isConnectedBy(kit.getState(), 'toy.relay', 'polkadot')).toBe(true)
    relay.end('expired')
    expect(isConnectedBy(kit.getState(), 'toy.relay')).toBe(false)
    expect(getSession(kit.getState(), 'toy.relay')).toBeUndefined()
    expect(kit.getState().sessions['toy.relay']?.end).toBe('expired')
  })

  test('shows in the open modal why it ended', async () => {
    const { kit, relay } = await paired()
    void kit.open({ view: 'Account' })
    relay.end('user')
    expect(kit.getState().view).toMatchObject({ open: true, history: [{ name: 'Connect' }] })
    await expect.poll(() => kit.getState().toast).toMatchObject({ key: 'toast.ended' })
  })

  test('§4.1.8 disconnects a family that has lost its accounts, and ends when the last family has lost its accounts', async () => {
    const { kit, relay } = await paired()
    relay.revoke('polkadot')
    await expect.poll(() => isConnectedBy(kit.getState(), 'toy.relay', 'polkadot')).toBe(false)
    expect(isConnectedBy(kit.getState(), 'toy.relay', 'eip155')).toBe(true)
    relay.revoke('eip155')
    await expect.poll(() => kit.getState().sessions['toy.relay']?.end).toBe('site')
  })
})

test('error: a capability that the family lacks throws UnsupportedOperationError', async () => {
  const { kit } = start()
  await kit.ready()
  await connect(kit, { connectorId: 'toy.wallet' })
  const typedData = { types: {}, primaryType: 'A', message: {} }
  await expect(signTypedData(kit, { typedData })).rejects.toMatchObject({
    name: 'UnsupportedOperationError',
  })
})

test('§4.1.5 a wallet that connects from its own window makes its family the active one', async () => {
  const { kit, evm } = start()
  await kit.ready()
  await connect(kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
  expect(kit.getState().namespace).toBe('polkadot')
  evm.emit({
    type: 'connected',
    active: true,
    connection: {
      connectorId: evm.ids[0],
      accounts: [{ namespace: 'eip155', address: evm.address(0), type: 'eoa' }],
      caipNetworkId: 'eip155:1',
    },
  })
  expect(kit.getState().namespace).toBe('eip155')
  expect(kit.persisted.read().namespace).toBe('eip155')
})
