import { BaseError } from '@gatefold/protocol'
import { describe, expect, test, vi } from 'vitest'
import { base, mainnet, optimism } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import { useKits } from '../testing/useKits.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { push } from '../view/navigate.ts'
import { explorerUrl } from './explorerUrl.ts'
import { gatewayRpcUrl, toNetwork } from './Network.ts'
import { addNetwork, removeNetwork } from './networks.ts'
import { selectNetwork, switchActiveChain, switchNetwork } from './switchNetwork.ts'

const { start } = useKits()
const ids = ({ kit }: ReturnType<typeof start>) =>
  kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId)
/** Records the configured networks each time the adapter is notified of changed networks. */
const watchNetworks = ({ kit }: ReturnType<typeof start>) => {
  const seen: string[][] = []
  kit.adapters.get('eip155')!.networksChanged = () =>
    seen.push(kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId))
  return seen
}

describe('§5.6.4 changing the networks at run time', () => {
  test('an added network gets the site’s URLs and images', () => {
    const site = start({
      endpoints: 'https://gate.example',
      projectId: 'p1',
      customRpcUrls: { 'eip155:8453': [{ url: 'https://mine.example' }] },
      chainImages: { 8453: 'https://images.example/base.png' },
    })
    const seen = watchNetworks(site)
    addNetwork(site.kit, base)
    expect(ids(site)).toEqual(['eip155:1', 'eip155:10', 'eip155:8453'])
    expect(site.kit.getState().networks[2]).toMatchObject({
      assets: { imageUrl: 'https://images.example/base.png' },
      rpcUrls: {
        default: {
          http: [
            'https://mine.example',
            'https://gate.example/v1/?chainId=eip155%3A8453&projectId=p1',
            ...base.rpcUrls.default.http,
          ],
        },
      },
    })
    expect(seen).toEqual([ids(site)])
  })

  test('adding a network again replaces it', () => {
    const site = start()
    addNetwork(site.kit, { ...mainnet, name: 'Renamed' })
    expect(site.kit.getState().networks.map(({ name }) => name)).toEqual(['OP Mainnet', 'Renamed'])
  })

  test('removing the active network activates another of its family', () => {
    const site = start()
    const seen = watchNetworks(site)
    removeNetwork(site.kit, { namespace: 'eip155', id: '1' })
    expect(ids(site)).toEqual(['eip155:10'])
    expect(site.kit.getState().chains.eip155?.networkId).toBe('eip155:10')
    expect(seen).toEqual([['eip155:10']])
  })

  test('the network that replaces a removed one belongs to the same family', () => {
    const site = start({ networks: [toyNetworks[0]!, mainnet, optimism] })
    removeNetwork(site.kit, { namespace: 'eip155', id: 1 })
    expect(site.kit.getState().chains.eip155?.networkId).toBe('eip155:10')
  })

  test('removing another network keeps the active one', async () => {
    const site = start({ networks: [mainnet, optimism, base] })
    await switchNetwork(site.kit, { network: { caipNetworkId: 'eip155:8453' } })
    removeNetwork(site.kit, { namespace: 'eip155', id: 10 })
    expect(ids(site)).toEqual(['eip155:1', 'eip155:8453'])
    expect(site.kit.getState().chains.eip155?.networkId).toBe('eip155:8453')
  })

  test('removing the last network of a family keeps the other families', () => {
    const toy = toyFamily()
    const site = start({
      networks: [mainnet, toyNetworks[0]!],
      adapters: [memoryAdapter().factory, toy.factory],
    })
    removeNetwork(site.kit, { namespace: 'polkadot', id: toyNetworks[0]!.id })
    expect(ids(site)).toEqual(['eip155:1'])
  })

  test.each([
    ['an unknown network', [mainnet, optimism] as const, 999, true],
    [
      'a network of another family',
      [mainnet, { ...mainnet, id: 7, chainNamespace: 'solana' }],
      7,
      true,
    ],
    ['the only network', [mainnet], 1, false],
  ])('error: %s cannot be removed', (_, networks, id, named) => {
    const site = start({ networks: networks as never })
    const before = ids(site)
    expect(() => removeNetwork(site.kit, { namespace: 'eip155', id })).toThrow(
      named
        ? `${id} is not among the networks`
        : 'The network 1 cannot be removed, because it is the only one',
    )
    expect(ids(site)).toEqual(before)
  })

  test('§5.6.4 error: a network of a chain family without an adapter is rejected', () => {
    const { kit } = start()
    const solana = {
      ...mainnet,
      id: 'x',
      chainNamespace: 'solana' as const,
    }
    expect(() => addNetwork(kit, solana)).toThrow("Adapter for namespace solana doesn't exist")
    expect(() => removeNetwork(kit, { namespace: 'solana', id: 'x' })).toThrow(
      "Adapter for namespace solana doesn't exist",
    )
  })
})

describe('§3.6.1 a configured network', () => {
  test('keeps its own CAIP fields, URLs and images', () => {
    const input = {
      ...mainnet,
      id: 'x',
      chainNamespace: 'solana',
      caipNetworkId: 'solana:x',
      assets: { imageUrl: 'https://images.example/x.png', imageId: 'i' },
      rpcUrls: { default: { http: ['http://a'], webSocket: ['ws://a'] } },
    } as const
    expect(toNetwork(input)).toMatchObject({
      chainNamespace: 'solana',
      caipNetworkId: 'solana:x',
      assets: input.assets,
      rpcUrls: {
        default: { http: ['http://a'], webSocket: ['ws://a'] },
        chainDefault: { http: ['http://a'] },
      },
    })
  })

  test('may have no URL', () => {
    const { rpcUrls } = toNetwork({ ...mainnet, rpcUrls: {} })
    expect(rpcUrls.default.http).toEqual([])
  })

  test('§7.12.3 has a gateway URL with the project id, if there is one', () => {
    const parameters = { gateway: 'https://gate.example', caipNetworkId: 'eip155:1' }
    expect(gatewayRpcUrl(parameters)).toBe('https://gate.example/v1/?chainId=eip155%3A1')
    expect(gatewayRpcUrl({ ...parameters, projectId: 'p' })).toBe(
      'https://gate.example/v1/?chainId=eip155%3A1&projectId=p',
    )
  })

  test('§7.12.2 has no gateway URL if the gateway does not know it', () => {
    const own = { ...mainnet, id: 31337, rpcUrls: { default: { http: ['http://localhost:1'] } } }
    const { rpcUrls } = toNetwork(own, { gateway: 'https://gate.example' })
    expect(rpcUrls.default.http).toEqual(['http://localhost:1'])
  })

  test.each([
    ['https://scan.example', 'https://scan.example/address/0x%3F'],
    ['https://scan.example/main//', 'https://scan.example/main/address/0x%3F'],
    ['scan.example', undefined],
    ['', undefined],
  ])('with the explorer “%s” links to an address as %s', (url, link) => {
    const blockExplorers = { default: { name: 'Scan', url } }
    expect(explorerUrl(toNetwork({ ...mainnet, blockExplorers }), '0x?')).toBe(link)
  })

  test('without an explorer has no links', () => {
    expect(explorerUrl(toNetwork({ ...mainnet, blockExplorers: undefined }), '0x')).toBeUndefined()
    expect(explorerUrl(undefined, '0x')).toBeUndefined()
  })
})

describe('switching', () => {
  test('error: if the wallet cannot switch, the state contains the failure', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    kit.adapters.get('eip155')!.switchNetwork = () =>
      Promise.reject(new TypeError('no such method'))
    await expect(
      switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } }),
    ).rejects.toMatchObject({ code: 'chain.not_supported', cause: { message: 'no such method' } })
    expect(kit.getState().switching).toMatchObject({
      networkId: 'eip155:10',
      status: 'failed',
      error: { code: 'chain.not_supported' },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(kit.getState().switching?.status).toBe('failed')
  })

  test('error: a rejection stays in the state', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.faults.reject = true
    const network = { caipNetworkId: 'eip155:10' } as const
    await expect(switchNetwork(kit, { network })).rejects.toThrow('rejected')
    expect(kit.getState().switching?.status).toBe('rejected')
  })

  test('error: a network that is not configured is named by the error and by an alert', async () => {
    const { kit } = start({ debug: true })
    const network = { caipNetworkId: 'eip155:999' } as const
    await expect(switchNetwork(kit, { network })).rejects.toThrow('eip155:999')
    await expect
      .poll(() => kit.getState().alerts)
      .toMatchObject([
        { code: 'SWITCH_NETWORK_NOT_FOUND', hint: expect.stringContaining('eip155:999') },
      ])
  })

  test('has the status of the newest request', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    const approve: (() => void)[] = []
    kit.adapters.get('eip155')!.switchNetwork = () =>
      new Promise<void>((resolve) => approve.push(resolve))
    const first = switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    await vi.advanceTimersByTimeAsync(30_000)
    const second = switchNetwork(kit, { network: { caipNetworkId: 'eip155:1' } })
    const waiting = { networkId: 'eip155:1', status: 'waiting' }
    await vi.advanceTimersByTimeAsync(30_000)
    expect(kit.getState().switching).toMatchObject(waiting)
    approve[0]!()
    await first
    expect(kit.getState().switching).toMatchObject(waiting)
    approve[1]!()
    await second
    expect(kit.getState().switching).toBeUndefined()
  })

  test('error: the wallet’s own error is kept', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    const error = new BaseError('Locked', { code: 'wallet.locked' })
    kit.adapters.get('eip155')!.switchNetwork = () => Promise.reject(error)
    await expect(switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })).rejects.toBe(
      error,
    )
  })

  test('after the wallet has responded, the status does not become silent', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.faults.hang = true
    const switching = switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    wallets.release()
    await switching
    await vi.advanceTimersByTimeAsync(60_000)
    expect(kit.getState().switching).toBeUndefined()
  })

  test('is reported to the site', async () => {
    const tracked: unknown[] = []
    const { kit } = start({ analytics: (event) => tracked.push(event) })
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    expect(tracked).toContainEqual({
      event: 'SWITCH_NETWORK',
      properties: { network: 'eip155:10' },
    })
  })

  test('the network of a family without an adapter is selected immediately', async () => {
    const { kit } = start({ networks: [mainnet, toyNetworks[0]!] })
    const network = kit.getState().networks[1]!
    await switchNetwork(kit, { network })
    expect(kit.getState()).toMatchObject({
      namespace: 'polkadot',
      chains: { polkadot: { networkId: network.caipNetworkId } },
      switching: undefined,
    })
  })

  test('a family with a wallet becomes the active one', async () => {
    const { kit, wallets } = start({
      networks: [mainnet, ...toyNetworks],
      adapters: [memoryAdapter().factory, toyFamily().factory],
    })
    await connect(kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
    await connect(kit, { connectorId: wallets.ids[0] })
    expect(kit.getState().namespace).toBe('eip155')
    await switchNetwork(kit, { network: kit.getState().networks[1]! })
    expect(kit.getState().namespace).toBe('polkadot')
  })

  test('closes only the view for the same network', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'Account' })
    const [one, ten] = kit.getState().networks
    push(kit, { name: 'SwitchNetwork', data: { network: ten! } })
    await switchNetwork(kit, { network: one! })
    expect(kit.getState().view.history.map(({ name }) => name)).toEqual([
      'Account',
      'SwitchNetwork',
    ])
  })
})

describe('selecting a network', () => {
  test('while no wallet is connected, switches and shows Connect', () => {
    const { kit } = start()
    void kit.open()
    push(kit, { name: 'AllWallets' })
    push(kit, { name: 'Networks' })
    selectNetwork(kit, { network: kit.getState().networks[1]! })
    expect(kit.getState()).toMatchObject({
      chains: { eip155: { networkId: 'eip155:10' } },
      view: { open: true, history: [{ name: 'Connect' }] },
    })
  })

  test('works without adapters', () => {
    const { kit } = start({ adapters: [] })
    selectNetwork(kit, { network: kit.getState().networks[1]! })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:10')
  })

  test('selecting the active network does nothing', async () => {
    const { kit, wallets, view } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'Networks' })
    selectNetwork(kit, { network: kit.getState().networks[0]! })
    expect(view()).toBe('Networks')
    expect(kit.getState().switching).toBeUndefined()
  })

  test.each([
    [
      'but with an email wallet that serves the family, switches',
      'AUTH',
      false,
      'polkadot',
      'Connect',
    ],
    ['and with another wallet, shows a view', 'EXTERNAL', false, 'eip155', 'SwitchActiveChain'],
    ['and with the confirmation skipped, switches', 'EXTERNAL', true, 'polkadot', 'Connect'],
  ] as const)(
    '§2.8.1 of another family, without an account %s',
    async (_, type, ignoreConfirmation, namespace, name) => {
      const wallets = memoryAdapter({
        connectors: [{ id: 'w', name: 'W', type, chain: 'eip155', chains: ['eip155', 'polkadot'] }],
      })
      const { kit, view } = start({
        networks: [mainnet, toyNetworks[0]!],
        adapters: [wallets.factory, toyFamily().factory],
      })
      await connect(kit, { connectorId: 'w', namespace: 'eip155' })
      void kit.open({ view: 'Networks' })
      selectNetwork(kit, { network: kit.getState().networks[1]!, ignoreConfirmation })
      expect(view()).toBe(name)
      expect(kit.getState().namespace).toBe(namespace)
    },
  )

  test.each([
    [undefined, 'Connect'],
    ['AllWallets', 'AllWallets'],
  ] as const)(
    '§2.8.2 activating another family with redirectTo %s shows %s',
    (redirectTo, name) => {
      const { kit } = start({ networks: [mainnet, toyNetworks[0]!] })
      void kit.open()
      const network = kit.getState().networks[1]!
      switchActiveChain(kit, { network, redirectTo })
      expect(kit.getState()).toMatchObject({
        namespace: 'polkadot',
        view: { namespace: 'polkadot', history: [{ name }] },
      })
    },
  )
})
