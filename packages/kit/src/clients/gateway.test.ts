import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import { fetchWallets } from '../core/wallets/fetchWallets.ts'
import { loadRemoteConfig } from '../core/features/loadRemoteConfig.ts'
import { instanceOf } from '../core/kit/Kit.ts'
import { createGatefold } from '../exports/createGatefold.ts'
import { GatewayError } from '../core/kit/requestErrors.ts'
import type { KitInstance } from '../core/kit/Kit.ts'
import { memoryAdapter } from '../core/testing/memoryAdapter.ts'
import type { GatefoldOptions } from '../core/kit/options.ts'
import { memoryStorage } from '../core/storage/storage.ts'
import { createGatewayClient } from './gateway.ts'

type Answer = { status?: number; body?: unknown; text?: string }
let answer: (path: string) => Answer
let requests: { path: string; query: Record<string, string>; body: string }[]
let server: Server
let url: string
const kits: KitInstance[] = []

beforeEach(async () => {
  requests = []
  answer = () => ({ body: {} })
  server = createServer((request, response) => {
    void read(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      requests.push({ path: pathname, query: Object.fromEntries(searchParams), body })
      const { status = 200, body: json, text } = answer(pathname)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(text ?? JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const kit of kits.splice(0)) kit.destroy()
  vi.unstubAllGlobals()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function start(options: Partial<GatefoldOptions> = {}) {
  vi.stubGlobal('console', { ...console, info() {}, warn() {}, error() {} })
  const kit = instanceOf(
    createGatefold({
      metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
      networks: [mainnet],
      adapters: [memoryAdapter().factory],
      storage: memoryStorage(),
      endpoints: url,
      projectId: 'p1',
      debug: true,
      ssr: true,
      ...options,
    }),
  )
  kits.push(kit)
  return kit
}
const paths = () => requests.map(({ path }) => path)
const alerts = (kit: KitInstance) => kit.getState().alerts.map(({ message }) => message)

describe('requests', () => {
  test('§7.4 requests wallets with page, entries, search, badge_type, include, exclude and chains', async () => {
    answer = () => ({ body: { data: [{ id: 'a', name: 'A' }, { id: 1 }, null], count: 77 } })
    const client = createGatewayClient({ url, projectId: 'p1' })
    const page = await client.wallets({
      page: 2,
      entries: 40,
      search: 'ha',
      badge_type: 'certified',
      include: ['x', 'y'],
      exclude: [],
      chains: ['eip155:1', 'eip155:10'],
    })
    expect(page).toEqual({ data: [{ id: 'a', name: 'A' }], count: 77 })
    expect(requests[0]).toMatchObject({
      path: '/getWallets',
      query: {
        projectId: 'p1',
        page: '2',
        entries: '40',
        search: 'ha',
        badge_type: 'certified',
        include: 'x,y',
        chains: 'eip155:1,eip155:10',
      },
    })
    expect(requests[0]?.query).not.toHaveProperty('exclude')
  })

  test('§9.11.2 every request contains the SDK version that the contract specifies', async () => {
    await createGatewayClient({ url }).analyticsEnabled()
    expect(requests[0]?.query.sv).toMatch(/1\.7\.15$/)
  })

  test('attack: secrets in the URL of the page are not sent', async () => {
    vi.stubGlobal('location', new URL('https://book.example/read?code=1234&m=a@b.example#secret'))
    await createGatewayClient({ url }).send({ type: 'track', event: 'MODAL_OPEN', properties: {} })
    expect(requests[0]?.body).toContain('https://book.example/read')
    expect(requests[0]?.body).not.toMatch(/1234|a@b\.example|secret/)
  })

  test('§7.7.1 an event carries eventId, url, domain, timestamp and props', async () => {
    vi.stubGlobal('location', new URL('https://book.example/read?code=1234&m=a@b.example#secret'))
    await createGatewayClient({ url }).send({ type: 'track', event: 'MODAL_OPEN', properties: {} })
    expect(requests[0]?.path).toBe('/e')
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: 'https://book.example/read',
      domain: 'book.example',
      timestamp: expect.any(Number),
      props: { type: 'track', event: 'MODAL_OPEN', properties: {} },
    })
  })
})

describe('error: failed gateway requests', () => {
  test('§8.5.2 reject with the gateway’s first reason as the message', async () => {
    answer = () => ({
      status: 401,
      body: {
        reasons: [{ field: 'projectId', description: 'Unknown project' }, { description: 'Other' }],
      },
    })
    const error = await createGatewayClient({ url })
      .config()
      .catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({
      shortMessage: 'Unknown project',
      status: 401,
      field: 'projectId',
    })
  })

  test.each([
    ['of the wrong type', { body: { data: 7 } }, 'malformed'],
    ['invalid JSON', { text: '<html>' }, '/getWallets did not return a JSON object.'],
    ['missing', { status: 404, text: '' }, '/getWallets returned the status 404.'],
  ])('reject if the wallet list is %s', async (_, bad, message) => {
    answer = () => bad
    await expect(createGatewayClient({ url }).wallets({ page: 1, entries: 40 })).rejects.toThrow(
      message,
    )
  })

  test('§8.9.10/3 reject with a typed error if the body is cut off, or the request is aborted', async () => {
    const hanging = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"features":', () => {
        if (request.url!.startsWith('/projects')) response.destroy()
      })
    })
    onTestFinished(() => {
      hanging.closeAllConnections()
      hanging.close()
    })
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const { port } = hanging.address() as AddressInfo
    const client = createGatewayClient({ url: `http://127.0.0.1:${port}` })
    await expect(client.origins()).rejects.toThrow(GatewayError)
    const abort = new AbortController()
    const config = client.config(abort.signal)
    hanging.once('request', () => abort.abort())
    await expect(config).rejects.toMatchObject({
      name: 'GatewayError',
      cause: { name: 'AbortError' },
    })
  })

  test('§9.4.2/1 reject after 10 s without a response', async () => {
    const received = Promise.withResolvers<void>()
    const silent = createServer(() => received.resolve())
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // Fake timers do not move those of `AbortSignal.timeout`.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((delayMs) => {
      const abort = new AbortController()
      setTimeout(() => abort.abort(new DOMException('Timed out', 'TimeoutError')), delayMs)
      return abort.signal
    })
    try {
      let failure: unknown
      const request = createGatewayClient({ url: `http://127.0.0.1:${port}` })
        .config()
        .catch((error: unknown) => (failure = error))
      await received.promise
      await vi.advanceTimersByTimeAsync(9_999)
      expect(failure).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await request
      expect(failure).toBeInstanceOf(GatewayError)
    } finally {
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
  })

  test('§8.9.10/1 reject with a typed error if the gateway is unreachable', async () => {
    await expect(createGatewayClient({ url: 'http://127.0.0.1:1' }).config()).rejects.toThrow(
      'did not respond',
    )
  })
})

describe('the visitor’s first action', () => {
  const features = (config: readonly string[] | null) => ({
    features: [{ id: 'swap', isEnabled: true, config }],
  })

  test('§6.4.1 §7.2 the gateway decides which features are enabled', async () => {
    answer = (path) => ({ body: path === '/appkit/v1/config' ? features(['1inch']) : {} })
    const kit = start()
    await loadRemoteConfig(kit)
    expect(kit.getState()).toMatchObject({
      server: 'ready',
      features: { swaps: ['1inch'], email: false, multiWallet: false },
    })
  })

  test('§6.4.2 overridden options cause a warning', async () => {
    answer = (path) => ({ body: path === '/appkit/v1/config' ? features(['1inch']) : {} })
    const kit = start({ features: { multiWallet: true } })
    await loadRemoteConfig(kit)
    await vi.waitFor(() => expect(alerts(kit)).toContain('Local configuration ignored'))
  })

  test('§7.7.2 INITIALIZE is sent on the first action, even with analytics off', async () => {
    answer = (path) => ({
      body: path === '/getAnalyticsConfig' ? { isAnalyticsEnabled: false } : features(null),
    })
    const kit = start()
    expect(requests).toEqual([])
    await loadRemoteConfig(kit)
    kit.track({ event: 'MODAL_OPEN', properties: { connected: false } })
    await vi.waitFor(() => expect(paths()).toContain('/e'))
    const sent = requests
      .filter(({ path }) => path === '/e')
      .map(({ body }) => JSON.parse(body).props.event)
    expect(sent).toEqual(['INITIALIZE'])
  })

  test('§9.12.2/1 §7.6 with analytics on, events are sent', async () => {
    answer = (path) => ({
      body: path === '/getAnalyticsConfig' ? { isAnalyticsEnabled: true } : features(null),
    })
    const kit = start()
    kit.track({ event: 'MODAL_OPEN', properties: { connected: false } })
    await vi.waitFor(() => expect(paths()).toContain('/e'))
    expect(JSON.parse(requests.at(-1)?.body ?? '').props).toMatchObject({ event: 'MODAL_OPEN' })
  })

  test('§8.2.1 403 on an event shows “Invalid App Configuration”', async () => {
    answer = (path) =>
      path === '/e' ? { status: 403, body: {} } : { body: { isAnalyticsEnabled: true } }
    const kit = start()
    kit.track({ event: 'MODAL_OPEN', properties: { connected: false } })
    await vi.waitFor(() => expect(alerts(kit)).toEqual(['Invalid App Configuration']))
  })

  test.each([
    [429, '', 'Rate Limited'],
    [503, 'Upstream is down', 'Server Error'],
    [401, 'origin not allowed', 'Origin Not Allowed'],
    [401, 'Unknown project', 'Invalid Project ID'],
    [401, 'JWT Token is not yet valid', 'Session Expired'],
  ])(
    '§8.8.1/2 §8.8.1/6 §8.8.1/7 §8.8.1/9 §8.8.1/10 §8.8.2/1 §8.8.2/2 §8.8.2/3 a response with status %i and reason %j raises the alert %j',
    async (status, description, message) => {
      answer = () => ({ status, body: { reasons: [{ description }] } })
      const kit = start()
      await loadRemoteConfig(kit)
      await vi.waitFor(() => expect(alerts(kit)).toEqual([message]))
      expect(kit.getState().server).toBe('failed')
    },
  )

  test('§5.6.1 a missing project id raises an alert, and the page keeps working', async () => {
    answer = () => ({ body: features(null) })
    const kit = start({ projectId: undefined })
    await loadRemoteConfig(kit)
    await vi.waitFor(() => expect(alerts(kit)).toEqual(['Project ID Not Configured']))
    expect(kit.getState().server).toBe('ready')
  })

  test('the next action retries after a failure', async () => {
    answer = () => ({ status: 500, body: {} })
    const kit = start()
    await loadRemoteConfig(kit)
    answer = () => ({ body: features(['1inch']) })
    await loadRemoteConfig(kit)
    expect(kit.getState().server).toBe('ready')
  })

  test('no request is sent without a gateway', async () => {
    const kit = start({ endpoints: undefined })
    await loadRemoteConfig(kit)
    kit.track({ event: 'MODAL_OPEN', properties: { connected: false } })
    await fetchWallets(kit)
    expect(requests).toEqual([])
  })
})

describe('the wallet directory', () => {
  test('§5.3.1 §9.2/2 §9.2/4 a search is trimmed and requests 100 entries; a page without a search requests 40', async () => {
    answer = () => ({ body: { data: [], count: 0 } })
    const kit = start()
    await fetchWallets(kit, { search: '  rain  ' })
    await fetchWallets(kit, { page: 3 })
    expect(requests.map(({ query }) => [query.search, query.entries, query.page])).toEqual([
      ['rain', '100', '1'],
      [undefined, '40', '3'],
    ])
  })

  test('is the bundled directory if the gateway is down', async () => {
    answer = () => ({ status: 503, body: {} })
    const kit = start()
    const page = await fetchWallets(kit)
    expect(page.online).toBe(false)
    expect(page.wallets.length).toBeGreaterThan(20)
    const found = await fetchWallets(kit, { search: page.wallets[0]!.name.toUpperCase() })
    expect(found.wallets[0]?.name).toBe(page.wallets[0]!.name)
  })
})
