import { describe, expect, test } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { resolveOptions } from './options.ts'
import type { GatefoldOptions } from './options.ts'
import { themeVariables } from '../appearance/theme.ts'

const base: GatefoldOptions = {
  metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
  networks: [mainnet, optimism],
}

describe('error: an invalid option throws an error that names it', () => {
  test.each([
    [
      '§5.6.2 siweConfig and siwx together',
      { siwx: {}, siweConfig: {} },
      'options.siwx_twice',
      'Cannot set both `siweConfig` and `siwx` options',
    ],
    ['sign-in', { siwx: {} }, 'options.siwx', 'no sign-in'],
    ['sign-in as in AppKit', { siweConfig: {} }, 'options.siwx', 'no sign-in'],
    ['no networks', { networks: [] }, 'options.networks', '`networks`'],
    ['missing networks', { networks: undefined }, 'options.networks', '`networks`'],
    ['no name', { metadata: { ...base.metadata, name: '' } }, 'options.metadata', '`metadata`'],
    ['missing metadata', { metadata: undefined }, 'options.metadata', '`metadata`'],
    ['an unknown value of prefetch', { prefetch: 'hover' }, 'options.invalid', '`prefetch`'],
    [
      'a default network that is not configured',
      { networks: [mainnet], defaultNetwork: optimism },
      'options.default_network',
      '`defaultNetwork`',
    ],
    ...['x', 'https://x.example/api', 'https://x.example/?a', 'https://x.example/#a'].map(
      (relay) => [
        `the endpoint ${relay}`,
        { endpoints: { relay } },
        'options.endpoints',
        '`endpoints.relay`',
      ],
    ),
  ] as [string, object, string, string][])('%s', (_, change, code, text) => {
    const error = expect.objectContaining({
      name: 'OptionsError',
      code,
      message: expect.stringContaining(text),
    })
    expect(() => resolveOptions({ ...base, ...change })).toThrow(error)
  })

  test('the message contains the invalid endpoint, or an example of networks', () => {
    expect(() => resolveOptions({ ...base, endpoints: { relay: 'x' } })).toThrow('“x”')
    expect(() => resolveOptions({ ...base, networks: [] as never })).toThrow('[mainnet]')
    const metadata = { ...base.metadata, name: '' }
    expect(() => resolveOptions({ ...base, metadata })).toThrow('\n')
  })
})

test('valid options are accepted, and the defaults are added', () => {
  expect(resolveOptions(base)).toMatchObject({
    defaultNetwork: { caipNetworkId: 'eip155:1' },
    endpoints: {},
    namespaces: [],
    storageKey: 'gatefold',
    theme: { mode: 'system', variables: {} },
  })
  const gateway = 'https://gate.example'
  const adapter = { namespace: 'solana', create: () => undefined as never } as const
  for (const prefetch of ['idle', 'intent', 'none'] as const)
    expect(
      resolveOptions({
        ...base,
        defaultNetwork: optimism,
        endpoints: gateway,
        adapters: [adapter, adapter],
        storageKey: 'other',
        themeMode: 'dark',
        prefetch,
      }),
    ).toMatchObject({
      defaultNetwork: { caipNetworkId: 'eip155:10' },
      endpoints: { gateway, relay: gateway, verify: gateway },
      namespaces: ['solana'],
      storageKey: 'other',
      theme: { mode: 'dark' },
      prefetch,
    })
  const endpoints = { gateway, relay: undefined }
  expect(resolveOptions({ ...base, endpoints }).endpoints).toEqual(endpoints)
})

describe('networks', () => {
  test('§3.6.1 a viem chain gets its CAIP fields', () => {
    expect(resolveOptions(base).networks[1]).toMatchObject({
      id: 10,
      chainNamespace: 'eip155',
      caipNetworkId: 'eip155:10',
      nativeCurrency: { symbol: 'ETH', decimals: 18 },
    })
  })

  test('§7.12.2 §7.12.3 a chain that the gateway serves gets the gateway’s URL before its own', () => {
    const { networks } = resolveOptions({
      ...base,
      endpoints: 'https://gate.example',
      projectId: 'p1',
    })
    expect(networks[0]?.rpcUrls.default.http).toEqual([
      'https://gate.example/v1/?chainId=eip155%3A1&projectId=p1',
      ...mainnet.rpcUrls.default.http,
    ])
    expect(networks[0]?.rpcUrls.chainDefault?.http).toEqual(mainnet.rpcUrls.default.http)
  })

  test('§3.20 a chain gets the site’s image', () => {
    const image = 'https://book.example/1.png'
    expect(resolveOptions({ ...base, chainImages: { 1: image } }).networks[0]?.assets).toEqual({
      imageUrl: image,
    })
  })

  test('§7.12.1/3 custom URLs come first', () => {
    const { networks } = resolveOptions({
      ...base,
      customRpcUrls: { 'eip155:1': [{ url: 'https://mine.example' }] },
    })
    expect(networks[0]?.rpcUrls.default.http[0]).toBe('https://mine.example')
  })

  test('§7.12.2 a chain that the gateway does not serve keeps its own URL', () => {
    const own = { ...mainnet, id: 31337, rpcUrls: { default: { http: ['http://localhost:8545'] } } }
    const { networks } = resolveOptions({
      ...base,
      networks: [own],
      endpoints: 'https://gate.example',
    })
    expect(networks[0]?.rpcUrls.default.http).toEqual(['http://localhost:8545'])
  })
})

test('§2.15.1 theme variables accept our names and AppKit’s; ours take precedence', () => {
  expect(
    themeVariables({
      '--gf-accent': '#CD9D6A',
      '--w3m-accent': '#000000',
      '--w3m-border-radius-master': 10,
      '--w3m-z-index': 5,
      '--w3m-color-mix': '#0b5cff',
      '--w3m-color-mix-strength': 8,
      '--gf-font-size-master': '12px',
    }),
  ).toEqual({
    '--gf-accent': '#CD9D6A',
    '--gf-border-radius-master': '10px',
    '--gf-z-index': '5',
    '--gf-color-mix': '#0b5cff',
    '--gf-color-mix-strength': '8%',
    '--gf-font-size-master': '12px',
  })
})
