import { createConnector } from '@wagmi/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { createPage, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const ids = (connectors: readonly { id: string }[]) => connectors.map(({ id }) => id)

describe('wallets that announce themselves', () => {
  test('§3.1 are listed with their name and icon, even if announced late', () => {
    page.wallet()
    const { connectors } = page.adapter()
    expect(connectors()).toMatchObject([
      {
        id: 'dev.gatefold.halyard',
        name: 'Halyard',
        type: 'ANNOUNCED',
        chain: 'eip155',
        imageUrl: expect.stringMatching(/^data:image\//),
        info: { rdns: 'dev.gatefold.halyard' },
      },
    ])
    page.wallet({ name: 'Nacre', rdns: 'dev.gatefold.nacre' })
    expect(ids(connectors())).toEqual(['dev.gatefold.halyard', 'dev.gatefold.nacre'])
  })

  test('§3.20/23 are not discovered if enableEIP6963 is off', () => {
    page.wallet()
    expect(page.adapter({ eip6963: false }).connectors()).toEqual([])
  })

  test('are listed once, however often they are announced', () => {
    const wallet = page.wallet()
    const { connectors, events } = page.adapter()
    wallet.announce(page.window)
    page.window.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(connectors()).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'connectors')).toHaveLength(1)
  })

  test('§9.12.1/4 have random ids that stay different after the pool of 256 random bytes is used up', () => {
    const { adapter } = page.adapter()
    const { provider } = page.wallet({ announced: false })
    // An id takes a new character of the pool, which has 512. The pool is filled again twice.
    for (let index = 0; index < 1_100; index += 1)
      page.window.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', {
          detail: { info: { rdns: `wallet.n${index}`, name: `Wallet ${index}` }, provider },
        }),
      )
    const uids = adapter.config.connectors.map(({ uid }) => uid)
    expect(uids.length).toBeGreaterThanOrEqual(1_100)
    expect(new Set(uids).size).toBe(uids.length)
    for (const uid of uids) expect(uid).toMatch(/^[0-9a-f]{11}$/)
  })

  test('error: an invalid announcement, or an icon from another host, is ignored', () => {
    const { connectors } = page.adapter()
    const { provider } = page.wallet({ announced: false })
    const dispatchAnnouncement = (detail: unknown) =>
      page.window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    dispatchAnnouncement(undefined)
    dispatchAnnouncement({ info: { rdns: 'a.b', name: 'No provider' } })
    dispatchAnnouncement({ info: { rdns: 7, name: 'No text' }, provider })
    dispatchAnnouncement({
      info: { rdns: 'c.d', name: 'Caller', icon: 'https://stranger.example/p.png' },
      provider,
    })
    expect(connectors()).toMatchObject([{ id: 'c.d', imageUrl: undefined }])
  })
})

describe('the generic wallet', () => {
  test('§3.1 §4.15 is the provider at window.ethereum', () => {
    page.window.ethereum = page.wallet({ announced: false }).provider
    expect(page.adapter().connectors()).toMatchObject([
      { id: 'injected', name: 'Browser Wallet', type: 'INJECTED' },
    ])
    expect(page.adapter({ injected: false }).connectors()).toEqual([])
  })

  test('is not listed if the same wallet is announced', () => {
    page.window.ethereum = page.wallet().provider
    expect(ids(page.adapter().connectors())).toEqual(['dev.gatefold.halyard'])
  })

  test('§9.6.5 may be injected up to 1000 ms late', () => {
    vi.useFakeTimers()
    try {
      const { connectors } = page.adapter()
      expect(connectors()).toEqual([])
      page.window.ethereum = page.wallet({ announced: false }).provider
      vi.advanceTimersByTime(999)
      expect(connectors()).toEqual([])
      vi.advanceTimersByTime(1)
      expect(ids(connectors())).toEqual(['injected'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('is listed immediately on ethereum#initialized', () => {
    const { connectors } = page.adapter()
    page.window.ethereum = page.wallet({ announced: false }).provider
    page.window.dispatchEvent(new Event('ethereum#initialized'))
    expect(ids(connectors())).toEqual(['injected'])
  })
})

test('§3.1 the site’s connectors are listed as external and replace the same announced wallet', () => {
  const bridge = createConnector(
    () =>
      ({
        id: 'bridge',
        name: 'Bridge',
        type: 'bridge',
        rdns: 'dev.gatefold.nacre',
        icon: 'data:image/svg+xml,<svg/>',
      }) as never,
  )
  const { connectors } = page.adapter({ connectors: [bridge] })
  page.wallet({ name: 'Nacre', rdns: 'dev.gatefold.nacre' })
  expect(connectors()).toMatchObject([
    { id: 'bridge', name: 'Bridge', type: 'EXTERNAL', info: { rdns: 'dev.gatefold.nacre' } },
  ])
})

describe('destroy', () => {
  test('removes every listener from the page and from wallets', async () => {
    const wallet = page.wallet()
    const attached = countListeners(wallet.provider)
    const onPage = countListeners(page.window)
    const { adapter } = page.adapter()
    await adapter.connect({ connectorId: 'dev.gatefold.halyard' })
    await vi.waitFor(() => expect(attached()).toBeGreaterThan(2))
    adapter.destroy()
    expect(attached()).toBe(0)
    expect(onPage()).toBe(0)
  })

  test('stops all events', async () => {
    const wallet = page.wallet()
    const { adapter, events } = page.adapter()
    await adapter.connect({ connectorId: 'dev.gatefold.halyard' })
    adapter.destroy()
    events.length = 0
    wallet.controls.switchChain(31338)
    wallet.controls.loseAccounts()
    page.wallet({ name: 'Nacre', rdns: 'dev.gatefold.nacre' })
    expect(events).toEqual([])
  })
})

/** Counts the listeners that are attached after this call. */
function countListeners(target: object): () => number {
  let count = 0
  for (const [name, step] of [
    ['on', 1],
    ['addEventListener', 1],
    ['removeListener', -1],
    ['removeEventListener', -1],
  ] as const) {
    const original = (target as Record<string, unknown>)[name]
    if (typeof original !== 'function') continue
    Object.assign(target, {
      [name]: (...parameters: unknown[]) => {
        count += step
        return Reflect.apply(original, target, parameters) as unknown
      },
    })
  }
  return () => count
}
