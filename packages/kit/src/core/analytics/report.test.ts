import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { GatewayError } from '../kit/errors.ts'
import { createKit } from '../kit/createKit.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { memoryStorage } from '../storage/storage.ts'
import { fetchWallets } from '../wallets/fetchWallets.ts'

beforeEach(() => vi.stubGlobal('window', new EventTarget()))
afterEach(() => vi.unstubAllGlobals())

function start(error: Error, analytics = true) {
  const sent: { type: string; event?: unknown }[] = []
  const kit = createKit(
    {
      metadata: { name: 'Site', description: '', url: 'http://localhost', icons: [] },
      networks: [
        {
          id: 1,
          name: 'One',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: { default: { http: ['http://localhost:9'] } },
        },
      ],
      endpoints: { gateway: 'http://localhost:9' },
      features: { analytics },
      storage: memoryStorage(),
    },
    {
      loadGateway: async () =>
        ({
          wallets: async () => {
            throw error
          },
          analyticsEnabled: async () => true,
          send: async (event: { type: string }) => void sent.push(event),
        }) as unknown as GatewayClient,
    },
  )
  return { kit, sent }
}

test('§8.6.2 §9.4.1 failed gateway responses are reported, at most five per minute', async () => {
  const { kit, sent } = start(new GatewayError('The gateway responded with 500.', { status: 500 }))
  for (let request = 0; request < 8; request++) await fetchWallets(kit)
  await vi.waitFor(() => expect(sent).toHaveLength(5))
  expect(sent[0]).toMatchObject({ type: 'error', event: 'API_ERROR' })
  kit.destroy()
})

test.each([
  ['an unreachable gateway', new GatewayError('No response.', { cause: new TypeError() }), true],
  ['a site with analytics off', new GatewayError('500', { status: 500 }), false],
])('nothing is reported for %s', async (_, error, analytics) => {
  const { kit, sent } = start(error, analytics)
  await fetchWallets(kit)
  await import('./report.ts').then(({ reportError }) => reportError(kit, error))
  expect(sent).toEqual([])
  kit.destroy()
})
