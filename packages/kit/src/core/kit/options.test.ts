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
  test('§5.6.2 siweConfig and siwx together', () => {
    expect(() => resolveOptions({ ...base, siwx: {}, siweConfig: {} })).toThrow(
      'Cannot set both `siweConfig` and `siwx` options',
    )
  })
  test.each([
    ['no networks', { networks: [] as never }, '`networks` needs at least one network'],
    ['no name', { metadata: { ...base.metadata, name: '' } }, '`metadata` needs the name'],
    [
      'an endpoint with a path',
      { endpoints: { gateway: 'https://x.example/api' } },
      '`endpoints.gateway` must be a bare origin',
    ],
    ['an endpoint that is not a URL', { endpoints: { relay: 'x' } }, '`endpoints.relay`'],
    [
      'an unknown value of prefetch',
      { prefetch: 'hover' as never },
      "`prefetch` must be 'idle', 'intent' or 'none'",
    ],
    [
      'a default network that is not configured',
      { networks: [mainnet] as never, defaultNetwork: optimism },
      '`defaultNetwork` must be one of `networks`',
    ],
  ])('%s', (_, change, message) => {
    expect(() => resolveOptions({ ...base, ...change })).toThrow(message)
  })
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
