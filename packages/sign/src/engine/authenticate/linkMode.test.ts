import { describe, expect, test } from 'vitest'
import type { Metadata } from '../../Session.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { metadataOf } from '../../testing/engines.ts'
import { eventsOf, id, openSignIn, withSession } from '../../testing/signIn.ts'

describe('link mode', () => {
  const metadata = (name: string): Metadata => ({
    ...metadataOf(name),
    redirect: { universal: `https://${name}.example/link`, linkMode: true },
  })

  /** An app and a wallet with link mode. `links` collects the links that they open. */
  async function openLinked(
    known: readonly string[] = [],
    change: { app?: object; wallet?: Partial<Metadata> } = {},
  ) {
    const links: string[] = []
    const openLink = async (url: string) => void links.push(url)
    const store = createMemoryStore()
    await store.setItem('WALLETCONNECT_LINK_MODE_APPS', JSON.stringify(known))
    const opened = await openSignIn({
      payload: withSession,
      app: { metadata: metadata('app'), openLink, store, ...change.app },
      wallet: {
        metadata: { ...metadata('wallet'), ...change.wallet },
        openLink,
        store: createMemoryStore([
          ['WALLETCONNECT_LINK_MODE_APPS', JSON.stringify(['https://app.example/link'])],
        ]),
      },
    })
    return { links, ...opened }
  }

  test('is used by the app for later messages after a sign-in over the relay', async () => {
    const { app, wallet, authenticate, approve, relay, uri, links } = await openLinked()
    await wallet.run({ type: 'pair', uri })
    await authenticate({ walletUniversalLink: 'https://wallet.example/link' })
    await relay.idle()
    await approve()
    expect(app.engine.snapshot().sessions).toMatchObject([{ transportType: 'link_mode' }])
    expect(wallet.engine.snapshot().sessions).toMatchObject([{ transportType: 'relay' }])
    expect(app.stores.linkModePeers.get()).toEqual(['https://wallet.example/link'])
    expect(links).toEqual([])
  })

  test('with a known wallet returns a link, and publishes nothing', async () => {
    const { app, wallet, authenticate, approve, relay, links, topic } = await openLinked([
      'https://wallet.example/link',
    ])
    const url = await authenticate({ walletUniversalLink: 'https://wallet.example/link' })
    expect(url).toMatch(/^https:\/\/wallet\.example\/link\?wc_ev=/)
    expect(new URL(String(url)).searchParams.get('topic')).toBe(topic)
    expect(relay.published).toEqual([])
    expect(await wallet.run({ type: 'handleLink', url: String(url) })).toBe(true)
    expect(wallet.events).toMatchObject([
      [
        'session_authenticate',
        {
          params: { transportType: 'link_mode' },
          verifyContext: { verified: { validation: 'UNKNOWN' } },
        },
      ],
    ])
    await wallet.stores.linkModePeers.set([])
    // The relay is not needed to respond.
    relay.onCall = () => {
      throw new Error('offline')
    }
    await approve()
    expect(links).toHaveLength(1)
    expect(links[0]).toMatch(/^https:\/\/app\.example\/link\?wc_ev=[\w-]+&topic=/)
    await app.run({ type: 'handleLink', url: links[0] ?? '' })
    expect(relay.published).toEqual([])
    for (const client of [app, wallet])
      expect(client.engine.snapshot().sessions).toMatchObject([{ transportType: 'link_mode' }])
    expect(eventsOf(app, 'resolved')).toHaveLength(1)
    expect(wallet.stores.sessions.values()).toMatchObject([{ createdByLink: true }])
    expect(wallet.stores.linkModePeers.get()).toEqual(['https://app.example/link'])
    expect(wallet.stores.linkModePeers.get()).toEqual(['https://app.example/link'])
  })

  test('a rejection of a request that was sent as a link deletes its unused pairing', async () => {
    const walletUniversalLink = 'https://wallet.example/link'
    const { app, wallet, authenticate, links } = await openLinked([walletUniversalLink])
    const url = await authenticate({ walletUniversalLink })
    expect(app.engine.snapshot().pairings).toHaveLength(1)
    await wallet.run({ type: 'handleLink', url: String(url) })
    const reason = { code: 5000, message: 'No.' }
    await wallet.run({ type: 'rejectSessionAuthenticate', id, reason })
    await app.run({ type: 'handleLink', url: links[0] ?? '' })
    expect(app.events).toMatchObject([['resolved', { id, error: { reason } }]])
    expect(app.engine.snapshot().pairings).toEqual([])
  })

  test.each<[string, Parameters<typeof openLinked>[1], known: boolean]>([
    [
      'the app does not declare it',
      {
        app: {
          metadata: { ...metadataOf('app'), redirect: { universal: 'https://app.example/link' } },
        },
      },
      false,
    ],
    [
      'the wallet does not declare it',
      { wallet: { redirect: { universal: 'https://wallet.example/link' } } },
      false,
    ],
    ['the app cannot open links', { app: { openLink: undefined } }, true],
  ])('is not used if %s', async (_what, change, known) => {
    const walletUniversalLink = 'https://wallet.example/link'
    const { authenticate, relay, app, wallet, uri, approve } = await openLinked([], change)
    await wallet.run({ type: 'pair', uri })
    expect(await authenticate({ walletUniversalLink })).toBeUndefined()
    await relay.idle()
    await wallet.stores.linkModePeers.set([])
    await approve()
    expect(app.engine.snapshot().sessions).toMatchObject([{ transportType: 'relay' }])
    expect(app.stores.linkModePeers.get()).toEqual(known ? [walletUniversalLink] : [])
    expect(wallet.stores.sessions.values()[0]).not.toHaveProperty('createdByLink')
    expect(wallet.stores.linkModePeers.get()).toEqual([])
  })

  test('with a known wallet is not used if the app does not declare it', async () => {
    const walletUniversalLink = 'https://wallet.example/link'
    const { authenticate, relay } = await openLinked([walletUniversalLink], {
      app: { metadata: metadataOf('app') },
    })
    expect(await authenticate({ walletUniversalLink })).toBeUndefined()
    expect(relay.published).toHaveLength(2)
  })
})
