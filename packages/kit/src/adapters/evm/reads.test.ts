import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  accounts,
  addresses,
  deployer,
  ensRegistryAbi,
  ensResolverAbi,
  ensReverseRegistrarAbi,
} from '@gatefold/chain'
import { concatHex, createWalletClient, http, keccak256, namehash, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { AdapterEvent } from '../../core/connection/Adapter.ts'
import { toNetwork } from '../../core/networks/Network.ts'
import { createPage, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const tomas = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const start = (options: Parameters<Page['adapter']>[0] = {}) =>
  page.adapter(options).adapter as Required<ReturnType<Page['adapter']>['adapter']>

describe('balance', () => {
  test('§3.9.2 §7.13.2 has a decimal amount and a symbol', async () => {
    const { balance, symbol, value, decimals, error } = await start().getBalance({
      address: mira,
      network: page.networks[1],
    })
    expect({ symbol, decimals, error }).toEqual({ symbol: 'ETH', decimals: 18, error: undefined })
    expect(value).toBeGreaterThan(0n)
    expect(Number(balance)).toBeCloseTo(Number(value) / 1e18, 6)
  })

  test('§3.20/15 of a token has the decimals and the symbol of its contract', async () => {
    const network = page.networks[0]
    const { balance, symbol, value, decimals, error } = await start().getBalance({
      address: mira,
      network,
      token: addresses.usdc,
    })
    expect({ symbol, decimals, error }).toEqual({ symbol: 'USDC', decimals: 6, error: undefined })
    expect(value).toBeGreaterThan(0n)
    expect(Number(balance)).toBeCloseTo(Number(value) / 1e6, 6)
  })

  test('error: a contract that is no token has a balance of 0.00, with an error', async () => {
    const network = page.networks[0]
    const balance = await start().getBalance({ address: mira, network, token: tomas })
    expect(balance).toMatchObject({ balance: '0.00', error: expect.any(Error) })
  })

  test('error: §8.11.3 is 0.00 ETH with an error if it cannot be read', async () => {
    const unknownNetwork = toNetwork({
      ...page.second,
      id: 7,
      nativeCurrency: { name: 'Page', symbol: 'PGE', decimals: 18 },
    })
    const balance = await start().getBalance({ address: mira, network: unknownNetwork })
    expect(balance).toMatchObject({ balance: '0.00', symbol: 'ETH', value: 0n })
    expect(balance.error).toMatchObject({ shortMessage: 'Network not found' })
  })
})

describe('several RPC URLs', () => {
  /** A node that returns the same response to every request, and records the methods. */
  async function node(status: number, body?: unknown) {
    const requests: string[] = []
    const server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      request.on('end', () => {
        requests.push((JSON.parse(text) as { method: string }).method)
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, ...(body as object) }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      requests,
      url,
      close() {
        server.close()
        server.closeAllConnections()
      },
    }
  }
  const withUrls = (...urls: string[]) =>
    toNetwork({ ...page.local, rpcUrls: { default: { http: urls } } })

  test('§7.12.1/4 the next URL is tried after a failure', async () => {
    const broken = await node(503)
    try {
      const network = withUrls(broken.url, chains.first.url)
      const adapter = start({ networks: [network], disableProviderPing: true })
      expect((await adapter.getBalance({ address: mira, network })).value).toBeGreaterThan(0n)
      expect(broken.requests).toEqual(['eth_getBalance'])
    } finally {
      broken.close()
    }
  })

  test('§9.4.2/1 the next URL is tried if one has not responded for 10 s', async () => {
    const received = Promise.withResolvers<void>()
    const silent = createServer(() => received.resolve())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const next = await node(200, { result: '0x7' })
    const fetched = vi.spyOn(globalThis, 'fetch')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const network = withUrls(`http://127.0.0.1:${port}`, next.url)
      const adapter = start({ networks: [network], disableProviderPing: true })
      const balance = adapter.getBalance({ address: mira, network })
      await received.promise
      await vi.advanceTimersByTimeAsync(9_999)
      expect(fetched).toHaveBeenCalledOnce()
      await vi.advanceTimersByTimeAsync(1)
      expect((await balance).value).toBe(7n)
      expect(next.requests).toEqual(['eth_getBalance'])
    } finally {
      vi.useRealTimers()
      vi.restoreAllMocks()
      silent.closeAllConnections()
      silent.close()
      next.close()
    }
  })

  const alertsIn = (events: readonly AdapterEvent[]) =>
    events.flatMap((event) => (event.type === 'alert' ? [[event.code, event.values]] : []))
  const local = { networkId: 'eip155:31337', network: 'Gatefold Local' }

  test('§7.12.1/5 URLs are pinged before the first request; a URL that fails the ping is tried last', async () => {
    const broken = await node(503)
    const foreign = await node(200, { result: '0x1' })
    const right = await node(200, { result: '0x7a69' })
    const unused = await node(200, { result: '0x7a69' })
    try {
      const network = withUrls(broken.url, foreign.url, right.url, unused.url)
      const { adapter, events } = page.adapter({ networks: [network] })
      for (const value of [31337n, 31337n])
        expect(await adapter.getBalance({ address: mira, network })).toMatchObject({ value })
      expect(broken.requests).toEqual(['eth_chainId'])
      expect(foreign.requests).toEqual(['eth_chainId'])
      expect(right.requests).toEqual(['eth_chainId', 'eth_getBalance', 'eth_getBalance'])
      expect(unused.requests).toEqual([])
      expect(alertsIn(events)).toEqual([
        ['RPC_OF_ANOTHER_CHAIN', { ...local, host: new URL(foreign.url).host, chainId: '1' }],
      ])
    } finally {
      for (const each of [broken, foreign, right, unused]) each.close()
    }
  })

  test('error: a gateway without an RPC for the network gets one request, and an alert names it', async () => {
    const gateway = await node(400)
    const right = await node(200, { result: '0x7a69' })
    try {
      const network = withUrls(`${gateway.url}/v1/?chainId=eip155:31337`, right.url)
      const { adapter, events } = page.adapter({ networks: [network] })
      await adapter.getBalance({ address: mira, network })
      expect(alertsIn(events)).toEqual([['NETWORK_WITHOUT_RPC', { ...local, server: gateway.url }]])
      right.close()
      expect(await adapter.getBalance({ address: mira, network })).toHaveProperty('error')
      expect(gateway.requests).toEqual(['eth_chainId'])
    } finally {
      for (const each of [gateway, right]) each.close()
    }
  })

  test('error: an alert gives the reason why each URL of a network fails', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const broken = await node(503)
    const foreign = await node(200, { result: '0x1' })
    try {
      const urls = [broken.url, foreign.url, 'http://127.0.0.1:9']
      const network = withUrls(...urls)
      const { adapter, events } = page.adapter({ networks: [network] })
      await adapter.getBalance({ address: mira, network })
      const [first, second, third] = urls.map((url) => new URL(url).host)
      const reasons = `${first}: status 503, ${second}: chain 1, ${third}: no response`
      expect(alertsIn(events)).toContainEqual(['RPC_UNREACHABLE', { ...local, reasons }])
    } finally {
      vi.restoreAllMocks()
      for (const each of [broken, foreign]) each.close()
    }
  })

  test('§7.12.1/5 `disableProviderPing` omits the ping', async () => {
    const only = await node(200, { result: '0x7a69' })
    try {
      const network = withUrls(only.url)
      const adapter = start({ networks: [network], disableProviderPing: true })
      await adapter.getBalance({ address: mira, network })
      expect(only.requests).toEqual(['eth_getBalance'])
    } finally {
      only.close()
    }
  })

  test('after a revert, no other node is tried', async () => {
    const reverting = await node(200, { error: { code: 3, message: 'execution reverted' } })
    const other = await node(200, { result: '0x' })
    try {
      const { config } = start({
        networks: [withUrls(reverting.url, other.url)],
        disableProviderPing: true,
      })
      const call = config.getClient({ chainId: 31337 }).request({
        method: 'eth_call',
        params: [{ to: mira }],
      })
      await expect(call).rejects.toThrow(/revert/)
      expect([reverting.requests, other.requests]).toEqual([['eth_call'], []])
    } finally {
      reverting.close()
      other.close()
    }
  })
})

describe('names', () => {
  test('§3.4/10 §3.4/11 an address has the name and avatar from its chain', async () => {
    const adapter = start()
    const network = page.networks[0]
    const { name, avatar } = await adapter.getIdentity({ address: mira, network })
    expect(name).toBe('mira.eth')
    // The image of a token whose metadata is on chain.
    expect(avatar).toMatch(/^data:image\//)
    expect(await adapter.getIdentity({ address: tomas, network })).toEqual({
      name: 'tomas.eth',
      avatar: undefined,
    })
  })

  test('the avatar of a name can be an ERC-1155 token', async () => {
    const client = createWalletClient({
      account: privateKeyToAccount(accounts[1].privateKey),
      chain: page.local,
      transport: http(chains.first.url),
    })
    const setAvatar = (avatar: string) =>
      client.writeContractSync({
        address: addresses.ensResolver,
        abi: ensResolverAbi,
        functionName: 'setText',
        args: [namehash('tomas.eth'), 'avatar', avatar],
      })
    await setAvatar(`eip155:31337/erc1155:${addresses.bookmarks}/1`)
    try {
      const parameters = { address: tomas, network: page.networks[0] }
      const { avatar = '' } = await start().getIdentity(parameters)
      const [type, image = ''] = avatar.split(',')
      expect(type).toBe('data:image/svg+xml;base64')
      // The ribbon of the token with the id 1.
      expect(atob(image)).toContain('fill="hsl(157 70% 42%)"')
    } finally {
      await setAvatar('')
    }
  })

  test('a name that is not normalized is not shown, because it could impersonate another name', async () => {
    const impostor = accounts[7]
    const wallet = (privateKey: `0x${string}`) =>
      createWalletClient({
        account: privateKeyToAccount(privateKey),
        chain: page.local,
        transport: http(chains.first.url),
      })
    // The Cyrillic а looks like the Latin a.
    const names = { plain: 'harbour', odd: 'h\u0430rbour', loud: 'Harbour' }
    const impostorWallet = wallet(impostor.privateKey)
    const registry = { address: addresses.ensRegistry, abi: ensRegistryAbi } as const
    const resolver = { address: addresses.ensResolver, abi: ensResolverAbi } as const
    const shown: (string | undefined)[] = []
    for (const label of Object.values(names)) {
      // Computed by hand, because viem would normalize the label.
      const labelHash = keccak256(stringToHex(label))
      const node = keccak256(concatHex([namehash('eth'), labelHash]))
      await wallet(deployer.privateKey).writeContractSync({
        ...registry,
        functionName: 'setSubnodeOwner',
        args: [namehash('eth'), labelHash, impostor.address],
      })
      await impostorWallet.writeContractSync({
        ...registry,
        functionName: 'setResolver',
        args: [node, addresses.ensResolver],
      })
      await impostorWallet.writeContractSync({
        ...resolver,
        functionName: 'setAddr',
        args: [node, impostor.address],
      })
      await impostorWallet.writeContractSync({
        address: addresses.ensReverseRegistrar,
        abi: ensReverseRegistrarAbi,
        functionName: 'setName',
        args: [addresses.ensResolver, `${label}.eth`],
      })
      const identity = await start().getIdentity({
        address: impostor.address,
        network: page.networks[0],
      })
      shown.push(identity.name)
    }
    expect(shown).toEqual(['harbour.eth', undefined, undefined])
  })

  test('that the gateway has found need no request to the chain', async () => {
    const found = { name: 'mira.harbor.eth', avatar: 'data:image/png;base64,AA==' }
    const network = { ...page.networks[0], id: 999 }
    expect(await start().getIdentity({ address: mira, network, found })).toEqual(found)
    const nameless = { name: undefined, avatar: undefined }
    expect(
      await start().getIdentity({ address: mira, network: page.networks[0], found: nameless }),
    ).toEqual(nameless)
  })

  test.each(['Mira.eth', 'm\u0430rina.eth', 'xn--mira.eth', '<b>.eth'])(
    'attack: %s from the gateway is not shown, but read from the chain',
    async (name) => {
      const found = { name, avatar: undefined }
      const identity = await start().getIdentity({
        address: mira,
        network: page.networks[0],
        found,
      })
      expect(identity.name).toBe('mira.eth')
    },
  )

  test('attack: an avatar on another host from the gateway is shown only with remoteAvatars', async () => {
    const found = { name: 'mira.eth', avatar: 'https://elsewhere.example/a.png' }
    const parameters = { address: mira, network: page.networks[0], found }
    expect(await start().getIdentity(parameters)).toEqual({ ...found, avatar: undefined })
    expect(await start({ remoteAvatars: true }).getIdentity(parameters)).toEqual(found)
  })

  test('a chain without ENS has no names if Ethereum is not configured', async () => {
    expect(await start().getIdentity({ address: mira, network: page.networks[1] })).toEqual({
      name: undefined,
      avatar: undefined,
    })
  })

  test('a name resolves to its address, and an unregistered name to undefined', async () => {
    const adapter = start()
    const network = page.networks[0]
    expect(await adapter.resolveName({ name: 'Mira.eth', network })).toBe(mira)
    expect(await adapter.resolveName({ name: 'unregistered.eth', network })).toBeUndefined()
    expect(await adapter.resolveName({ name: 'no name..', network })).toBeUndefined()
    expect(
      await adapter.resolveName({ name: 'mira.eth', network: page.networks[1] }),
    ).toBeUndefined()
  })
})
