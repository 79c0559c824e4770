import { gatefoldLocal, gatefoldSecond, startChain } from '@gatefold/chain'
import type { Chain } from '@gatefold/chain'
import { createGatefold, memoryStorage } from '@gatefold/kit'
import type { GatefoldOptions, Kit, NetworkInput } from '@gatefold/kit'
import { connect } from '@gatefold/kit/core'
import { evm } from '@gatefold/kit/evm'
import { startServer } from '@gatefold/server'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'

import { createPhone } from './phone.ts'
import type { PhoneOptions } from './phone.ts'

/** Starts a relay and two chains for a test file. Sites and phones are closed after each test. */
export function useFixture() {
  const cleanups: (() => unknown)[] = []
  let first: Chain
  let second: Chain
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    // The kit detects a page by this global.
    Object.defineProperty(globalThis, 'window', {
      value: Object.assign(new EventTarget(), { location: { origin: 'http://localhost' } }),
      configurable: true,
      writable: true,
    })
    ;[first, second, server] = await Promise.all([
      startChain({ chainId: 31337 }),
      startChain({ chainId: 31338 }),
      startServer({
        roles: ['relay'],
        port: 0,
        dataDir: ':memory:',
        rpcUrls: {},
        shutdownSeconds: 1,
        logLevel: 'silent',
      }),
    ])
  }, 60_000)
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop(), server?.stop()])
    Reflect.deleteProperty(globalThis, 'window')
  })

  const networks = () =>
    [gatefoldLocal(first.url), gatefoldSecond(second.url)] as unknown as [
      NetworkInput,
      NetworkInput,
    ]
  const fixture = {
    networks,
    server: () => server,
    async site(options: Partial<GatefoldOptions> = {}): Promise<Kit> {
      const kit = createGatefold({
        metadata: { name: 'Book', description: '', url: 'http://localhost', icons: [] },
        networks: networks(),
        adapters: [evm()],
        endpoints: { relay: `http://localhost:${server.port}` },
        storage: memoryStorage(),
        storageKey: `site-${crypto.randomUUID()}`,
        ...options,
      })
      cleanups.push(() => kit.destroy())
      await kit.ready()
      return kit
    },
    async phone(options: Partial<PhoneOptions> = {}) {
      const phone = await createPhone({
        relayUrl: `ws://localhost:${server.port}`,
        chains: { 31337: first.url, 31338: second.url },
        ...options,
      })
      cleanups.push(() => phone.close())
      return phone
    },
    /** Opens a site and a phone that has approved the site's session. */
    async pair(options: { site?: Partial<GatefoldOptions>; phone?: Partial<PhoneOptions> } = {}) {
      const kit = await fixture.site(options.site)
      const phone = await fixture.phone(options.phone)
      const connecting = connect(kit, { connectorId: 'walletConnect' })
      connecting.catch(() => {})
      const topic = await phone.approve(await phone.scan(await uriOf(kit)))
      const account = await connecting
      return { kit, phone, topic, account }
    },
  }
  return fixture
}

/** Resolves with the URI of the current attempt. */
export function uriOf(kit: Kit): Promise<string> {
  return vi.waitFor(() => {
    const { attempt } = kit.getState()
    const uri = attempt?.progress?.uri
    if (!uri || attempt.status !== 'waiting')
      throw new Error(`No URI: ${attempt?.status}, ${attempt?.error?.message}`)
    return uri
  }, 10_000)
}
