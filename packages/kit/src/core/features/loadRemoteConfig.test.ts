import { describe, expect, test, vi } from 'vitest'

import { GatewayError } from '../kit/requestErrors.ts'
import type { KitEvent } from '../analytics/events.ts'
import type { GatefoldOptions } from '../kit/options.ts'
import { useKits } from '../testing/useKits.ts'
import type { GatewayClient } from './GatewayClient.ts'
import { loadRemoteConfig } from './loadRemoteConfig.ts'

const { start } = useKits()

function site(config: GatewayClient['config'], options: Partial<GatefoldOptions> = {}) {
  const tracked: KitEvent[] = []
  const gateway = { config, analyticsEnabled: async () => false, send: async () => {} }
  const { kit } = start(
    { debug: true, analytics: (event) => tracked.push(event), ...options },
    gateway,
  )
  const alerts = () => kit.getState().alerts.map(({ code }) => code)
  return { kit, tracked, alerts }
}

test('§6.4.1 the gateway’s features apply once it has responded', async () => {
  const remote = [
    { id: 'swap', isEnabled: true, config: ['1inch'] },
    { id: 'multi_wallet', isEnabled: true, config: [] },
  ] as const
  const { kit, tracked } = site(async () => remote, { features: { multiWallet: false } })
  const loading = loadRemoteConfig(kit)
  expect(kit.getState().server).toBe('loading')
  await loading
  expect(kit.getState()).toMatchObject({
    server: 'ready',
    features: { swaps: ['1inch'], email: false, multiWallet: true },
  })
  expect(tracked).toMatchObject([
    { event: 'INITIALIZE', properties: { networks: ['eip155:1', 'eip155:10'] } },
  ])
})

test('§6.4.2 §8.8.1/11 overridden options are listed in one alert', async () => {
  const { kit } = site(async () => [], {
    features: { email: true, multiWallet: true, analytics: true },
  })
  await loadRemoteConfig(kit)
  await expect
    .poll(() => kit.getState().alerts)
    .toMatchObject([
      {
        code: 'LOCAL_CONFIGURATION_IGNORED',
        hint: expect.stringContaining('overrides email, multiWallet.'),
      },
    ])
})

test('§6.4.1 until the gateway has responded, and without one, the site’s options apply', async () => {
  const features = { email: false, multiWallet: false }
  expect(start({ features }).kit.getState()).toMatchObject({ server: 'unused', features })
  expect(start({ basic: true }).kit.getState().features).toMatchObject({ passkey: false })

  const { kit } = site(() => new Promise(() => {}), { features })
  expect(kit.getState().features).toMatchObject(features)
  void loadRemoteConfig(kit)
  expect(kit.getState()).toMatchObject({ server: 'loading', features })
})

test('if the gateway client fails to load, the site’s options apply, and the next call loads it again', async () => {
  let loads = 0
  const { kit } = start({ features: { multiWallet: true } }, async () => {
    loads += 1
    if (loads === 1) throw new TypeError('offline')
    return { config: async () => [], analyticsEnabled: async () => false, send: async () => {} }
  })
  await loadRemoteConfig(kit)
  expect(kit.getState()).toMatchObject({ server: 'unused', features: { multiWallet: true } })
  await loadRemoteConfig(kit)
  expect(kit.getState()).toMatchObject({ server: 'ready', features: { multiWallet: false } })
  expect(loads).toBe(2)
})

test('the configuration is loaded once, and again after a failure', async () => {
  let requests = 0
  const { kit } = site(async () => {
    requests += 1
    if (requests === 1) throw new TypeError('offline')
    return null
  })
  await Promise.all([loadRemoteConfig(kit), loadRemoteConfig(kit)])
  expect(requests).toBe(1)
  expect(kit.getState().server).toBe('failed')
  await loadRemoteConfig(kit)
  await loadRemoteConfig(kit)
  expect(requests).toBe(2)
  expect(kit.getState().server).toBe('ready')
})

describe('error: after a failure, the site’s options apply', () => {
  const failure = (status?: number, message = 'Message') =>
    new GatewayError(message, { status: status! })
  test.each([
    ['§8.2.2/1 429', failure(429), ['RATE_LIMITED_APP_CONFIGURATION']],
    ['§8.2.2/2 500', failure(500), ['SERVER_ERROR_APP_CONFIGURATION']],
    ['§8.2.2/2 503', failure(503), ['SERVER_ERROR_APP_CONFIGURATION']],
    ['404', failure(404), ['NOT_A_SERVER']],
    ['200 without JSON', failure(200), ['NOT_A_SERVER']],
    ['401', failure(401), ['ORIGIN_NOT_ALLOWED']],
    ['403', failure(403), ['ORIGIN_NOT_ALLOWED']],
    ['403 for the project', failure(403, 'Project not found'), ['INVALID_PROJECT_ID']],
    ['no response', failure(), ['SERVER_UNREACHABLE']],
    ['another error', Object.assign(new TypeError('offline'), { status: 401 }), []],
  ])('%s', async (_, error, codes) => {
    const { kit, alerts, tracked } = site(() => Promise.reject(error), {
      features: { multiWallet: false },
    })
    await loadRemoteConfig(kit)
    await vi.dynamicImportSettled()
    expect(kit.getState()).toMatchObject({ server: 'failed', features: { multiWallet: false } })
    expect(alerts()).toEqual(codes)
    expect(tracked).toEqual([])
  })
})

test.each([
  ['§8.2.2/2 ', 500, { message: 'Server Error', hint: 'Out of order' }],
  ['', 404, { code: 'NOT_A_SERVER', hint: expect.stringContaining('Out of order') as string }],
])('%sthe alert for a status of %i has the server’s message', async (_, status, alert) => {
  const { kit } = site(() => Promise.reject(new GatewayError('Out of order', { status })))
  await loadRemoteConfig(kit)
  await expect.poll(() => kit.getState().alerts).toMatchObject([alert])
})

test('§5.6.1 a missing project id raises an alert: an error only if the gateway refuses the site', async () => {
  const allowed = site(async () => null, { projectId: undefined })
  await loadRemoteConfig(allowed.kit)
  await expect.poll(() => allowed.alerts()).toEqual(['PROJECT_ID_NOT_NEEDED'])
  expect(allowed.kit.getState().alerts).toMatchObject([
    { level: 'info', message: 'Project ID Not Configured' },
  ])
  for (const field of ['origin', 'projectId']) {
    const refused = site(
      () => Promise.reject(new GatewayError('Refused', { status: 401, field })),
      { projectId: undefined },
    )
    await loadRemoteConfig(refused.kit)
    await expect.poll(() => refused.alerts()).toEqual(['PROJECT_ID_NOT_CONFIGURED'])
    expect(refused.kit.getState().alerts).toMatchObject([
      { level: 'error', message: 'Project ID Not Configured' },
    ])
  }
  const other = site(async () => null)
  await loadRemoteConfig(other.kit)
  await vi.dynamicImportSettled()
  expect(other.alerts()).toEqual([])
})

test('error: a failed request raises no alert while the visitor is offline', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const { kit, alerts } = site(() => Promise.reject(new GatewayError('No response')))
  await loadRemoteConfig(kit)
  await vi.dynamicImportSettled()
  expect(alerts()).toEqual([])
})

test.each([
  ['no gateway is configured', {}],
  ['the site has no gateway client', 'https://gate.example'],
])('the server is not contacted if %s', async (_, endpoints) => {
  const { kit } = start({ endpoints, basic: true, debug: true })
  await loadRemoteConfig(kit)
  await vi.dynamicImportSettled()
  expect(kit.getState()).toMatchObject({
    server: 'unused',
    features: { email: false },
    alerts: [],
  })
})
