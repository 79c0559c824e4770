import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { GatewayError } from '../kit/requestErrors.ts'
import { createKit } from '../kit/createKit.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { fetchWallets, loadSuggestions } from '../wallets/fetchWallets.ts'
import { reportError, sendEvent } from './report.ts'

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
  await loadSuggestions(kit)
  await expect.poll(() => sent).toHaveLength(1)
  for (let request = 0; request < 8; request++) await fetchWallets(kit)
  await expect.poll(() => sent).toHaveLength(5)
  expect(sent[0]).toMatchObject({ type: 'error', event: 'API_ERROR' })
  kit.destroy()
})

test.each([
  ['an unreachable gateway', new GatewayError('No response.', { cause: new TypeError() }), true],
  ['a site with analytics off', new GatewayError('500', { status: 500 }), false],
])('nothing is reported for %s', async (_, error, analytics) => {
  const { kit, sent } = start(error, analytics)
  await fetchWallets(kit)
  await reportError(kit, error)
  expect(sent).toEqual([])
  kit.destroy()
})

test.each([
  ['is not a GatewayError', new TypeError('bug'), []],
  [
    'has no stack',
    Object.assign(new GatewayError('Invalid'), { stack: undefined }),
    [expect.objectContaining({ properties: expect.objectContaining({ stackTrace: '' }) })],
  ],
])('an error that %s is reported as %o', async (_, error, reports) => {
  const { kit, sent } = start(error)
  await reportError(kit, error)
  expect(sent).toEqual(reports)
  kit.destroy()
})

test('error: a report that cannot be sent is dropped', async () => {
  const error = new GatewayError('Invalid')
  const { kit } = start(error)
  const gateway = (await kit.gateway())!
  gateway.send = () => Promise.reject(new TypeError('offline'))
  await expect(reportError(kit, error)).resolves.toBeUndefined()
  kit.destroy()
})

test('an invalid response is reported as a parsing error, with the stack of the error', async () => {
  const error = new GatewayError('The response is invalid.')
  const { kit, sent } = start(error)
  await fetchWallets(kit)
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent[0]).toEqual({
    type: 'error',
    event: 'DATA_PARSING_ERROR',
    properties: {
      errorType: 'GatewayError',
      errorMessage: error.message,
      uncaught: false,
      stackTrace: error.stack,
    },
  })
  kit.destroy()
})

describe('events', () => {
  const { start, logged } = useKits()
  const opened = { event: 'MODAL_OPEN', properties: { connected: false } } as const
  const initialized = {
    event: 'INITIALIZE',
    properties: { networks: [], version: '1' },
  } as const

  /** A site whose gateway has the given analytics setting, with the events that the site has sent. */
  function site(analyticsEnabled: () => Promise<boolean>, analytics = true) {
    const sent: unknown[] = []
    let queries = 0
    const { kit } = start(
      { debug: true, features: { analytics } },
      {
        analyticsEnabled() {
          queries += 1
          return analyticsEnabled()
        },
        send: async (event) => void sent.push(event),
      },
    )
    return { kit, sent, queries: () => queries }
  }

  test('are sent if the gateway enables analytics, which is queried once', async () => {
    const { kit, sent, queries } = site(async () => true)
    await sendEvent(kit, opened)
    await sendEvent(kit, opened)
    expect(sent).toEqual([
      { type: 'track', ...opened },
      { type: 'track', ...opened },
    ])
    expect(queries()).toBe(1)
  })

  test.each([
    ['the gateway disables analytics', async () => false, true],
    ['the gateway does not respond', () => Promise.reject(new TypeError('offline')), true],
    ['the site disables analytics', async () => true, false],
  ])('§9.12.2 only installations are counted if %s', async (_, enabled, analytics) => {
    const { kit, sent } = site(enabled, analytics)
    await sendEvent(kit, opened)
    await sendEvent(kit, initialized)
    expect(sent).toEqual([{ type: 'track', ...initialized }])
    kit.track(opened)
    kit.track(initialized)
    await expect.poll(() => sent).toHaveLength(2)
  })

  test.each([
    ['the status 403', 1, new GatewayError('Refused', { status: 403 })],
    ['the status 500', 0, new GatewayError('Failed', { status: 500 })],
    ['another error', 0, Object.assign(new Error('Refused'), { status: 403 })],
  ])('§8.2.1 after %s, %d alerts are raised', async (_, count, error) => {
    const { kit } = start(
      { debug: true },
      {
        analyticsEnabled: async () => true,
        send: () => Promise.reject(error),
      },
    )
    await sendEvent(kit, opened)
    await vi.dynamicImportSettled()
    expect(kit.getState().alerts).toHaveLength(count)
    expect(logged.error).toHaveBeenCalledTimes(count)
  })

  test('are sent if the site sets no feature', async () => {
    const sent: unknown[] = []
    const { kit } = start(
      {},
      { analyticsEnabled: async () => true, send: async (event) => void sent.push(event) },
    )
    await sendEvent(kit, opened)
    expect(sent).toHaveLength(1)
  })

  test('are not sent without a gateway, but reach the site until the instance is destroyed', async () => {
    const seen: unknown[] = []
    const { kit, events } = start({ analytics: (event) => seen.push(event) })
    await sendEvent(kit, opened)
    kit.track(opened)
    expect(seen).toEqual([opened])
    expect(events).toEqual(['MODAL_OPEN {"connected":false}'])
    kit.destroy()
    kit.track(opened)
    expect(seen).toHaveLength(1)
  })
})
