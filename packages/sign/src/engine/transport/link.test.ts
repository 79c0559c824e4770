import { describe, expect, test } from 'vitest'
import type { Metadata } from '../../Session.ts'
import { createSymKey } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { firstId, metadataOf, now, openSession } from '../../testing/engines.ts'
import type { Context } from '../Context.ts'
import { parseLink, rememberLinkPeer } from './link.ts'

const universal = 'https://peer.example/link'
const linked = (name: string, change: object = {}): Metadata => ({
  ...metadataOf(name),
  redirect: { universal: `https://${name}.example/link`, linkMode: true, ...change },
})
const request = { method: 'personal_sign', params: ['0x68'] }

/** A client and a peer that support link mode. */
async function open(
  side: 'app' | 'wallet',
  change: {
    metadata?: Metadata
    peer?: Metadata
    known?: readonly string[]
    openLink?: ((url: string) => Promise<void>) | undefined
    transportType?: 'relay' | 'link_mode'
    createdByLink?: boolean
  } = {},
) {
  const links: string[] = []
  const store = createMemoryStore()
  await store.setItem('WALLETCONNECT_LINK_MODE_APPS', JSON.stringify(change.known ?? [universal]))
  const opened = await openSession(side, {
    store,
    metadata: change.metadata ?? linked('client'),
    openLink: 'openLink' in change ? change.openLink : async (url) => void links.push(url),
    session: {
      transportType: change.transportType ?? 'link_mode',
      createdByLink: change.createdByLink ?? true,
      peer: { publicKey: 'b'.repeat(64), metadata: change.peer ?? linked('peer') },
    },
  })
  const ask = () =>
    opened.run({ type: 'request', id: firstId, topic: opened.topic, chainId: 'eip155:1', request })
  const respond = () =>
    opened.run({
      type: 'respond',
      topic: opened.topic,
      response: { id: firstId, jsonrpc: '2.0', result: '0x' },
    })
  /** Handles a link that contains a message from the peer. */
  const receive = (json: object, topic = opened.topic) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...json })
    const envelope = opened.peer.keys.encode(opened.topic, text, 'base64url')
    return opened.run({
      type: 'handleLink',
      url: `https://client.example/link?wc_ev=${envelope}&topic=${topic}`,
    })
  }
  const requested = {
    id: firstId,
    method: 'wc_sessionRequest',
    params: { chainId: 'eip155:1', request: { ...request, expiryTimestamp: now + 300 } },
  }
  return { links, ask, respond, receive, requested, ...opened }
}

describe('a message is sent as a link', () => {
  test('if both peers support link mode', async () => {
    const { ask, links, peer, topic, relay, stores } = await open('app')
    await ask()
    const url = new URL(links[0] ?? '')
    expect([url.origin + url.pathname, url.searchParams.get('topic')]).toEqual([universal, topic])
    const envelope = url.searchParams.get('wc_ev') ?? ''
    expect(envelope).not.toMatch(/[+/]/)
    const { text } = await peer.keys.decode(topic, envelope)
    expect(JSON.parse(text)).toMatchObject({ id: firstId, method: 'wc_sessionRequest' })
    expect([links.length, relay.published]).toEqual([1, []])
    const record = stores.records.get(firstId)
    expect([record?.unsent, record?.expiry]).toEqual([undefined, now + 30 * 86_400])
  })

  test('if it is a response, too', async () => {
    const { receive, requested, respond, links, peer, topic, relay, engine } = await open('wallet')
    expect(await receive(requested)).toBe(true)
    await respond()
    const url = new URL(links[0] ?? '')
    const { text } = await peer.keys.decode(topic, url.searchParams.get('wc_ev') ?? '')
    expect(JSON.parse(text)).toEqual({ id: firstId, jsonrpc: '2.0', result: '0x' })
    expect([links.length, relay.published, engine.snapshot().pendingRequests]).toEqual([1, [], []])
  })

  test.each<[string, Parameters<typeof open>[1]]>([
    ['the client cannot open links', { openLink: undefined }],
    ['the client does not declare link mode', { metadata: linked('client', { linkMode: false }) }],
    ['the client has no universal link', { metadata: linked('client', { universal: ' ' }) }],
    ['the client has no links', { metadata: metadataOf('client') }],
    ['the peer does not declare link mode', { peer: linked('peer', { linkMode: false }) }],
    ['the peer has no universal link', { peer: linked('peer', { universal: undefined }) }],
    ['the peer has no links', { peer: metadataOf('peer') }],
    ['the peer is not known to support link mode', { known: ['https://other.example'] }],
    ['the session uses the relay', { transportType: 'relay' }],
  ])('but over the relay if %s', async (_what, change) => {
    const app = await open('app', change)
    await app.ask()
    expect([app.links, app.relay.published.length]).toEqual([[], 1])
    expect(app.relay.published).toMatchObject([{ tag: 1108, ttl: 900, topic: app.topic }])
    const wallet = await open('wallet', change)
    await wallet.peer.send(wallet.topic, wallet.requested)
    await wallet.respond()
    expect(wallet.links).toEqual([])
    expect(wallet.relay.published.slice(1)).toMatchObject([
      { tag: 1109, ttl: 900, prompt: false, topic: wallet.topic },
    ])
  })

  test.each(['javascript:alert(1)//', 'data:text/html,', 'intent://peer.example', 'peer://link'])(
    'attack: but over the relay if the peer’s universal link is %s',
    async (link) => {
      const change = { peer: linked('peer', { universal: link }), known: [link] }
      const app = await open('app', change)
      await app.ask()
      expect([app.links, app.relay.published.length]).toEqual([[], 1])
      const wallet = await open('wallet', change)
      await wallet.receive(wallet.requested)
      await wallet.respond()
      expect([wallet.links, wallet.relay.published.length]).toEqual([[], 1])
    },
  )

  test('and the command is rejected if the link cannot be opened', async () => {
    const openLink = async () => {
      throw new Error('blocked')
    }
    const { ask, engine } = await open('app', { openLink })
    await expect(ask()).rejects.toThrow('blocked')
    expect(engine.snapshot().pendingOutgoing).toEqual([])
    const wallet = await open('wallet', { openLink })
    await wallet.receive(wallet.requested)
    await expect(wallet.respond()).rejects.toThrow('blocked')
    // The wallet can respond again.
    expect(wallet.engine.snapshot().pendingRequests).toMatchObject([{ id: firstId }])
  })
})

describe('a request that was received as a link', () => {
  test.each<[string, 'VALID' | 'INVALID' | 'UNKNOWN', Parameters<typeof open>[1]]>([
    ['from the site’s own app', 'VALID', {}],
    [
      'from an app of another site',
      'INVALID',
      { peer: { ...linked('peer'), url: 'https://bank.example' } },
    ],
    ['from an app without a valid site', 'INVALID', { peer: { ...linked('peer'), url: 'peer' } }],
    ...[
      ['bank.example', 'peer'],
      ['bank:bank.example', 'peer:link'],
      ['https://bank.example', 'blob:https://bank.example/link'],
      ['xhttp:bank.example', 'xhttp:link'],
      ['httpsx:bank.example', 'httpsx:link'],
    ].map(([url = '', universal = '']): [string, 'INVALID', Parameters<typeof open>[1]] => [
      `from an app with the site ${url} and the link ${universal}`,
      'INVALID',
      { peer: { ...linked('peer', { universal }), url }, known: [universal] },
    ]),
    [
      'from the app of a site without TLS',
      'VALID',
      {
        peer: {
          ...linked('peer', { universal: 'http://localhost/link' }),
          url: 'http://localhost',
        },
        known: ['http://localhost/link'],
      },
    ],
    [
      'from an app that does not declare link mode',
      'INVALID',
      { peer: linked('peer', { linkMode: false }) },
    ],
    [
      'in a session that was created over the relay, from an app that uses links',
      'UNKNOWN',
      { createdByLink: false },
    ],
  ])('attack: %s is %s', async (_what, validation, change) => {
    const { receive, requested, engine, session, relay } = await open('wallet', change)
    expect(await receive(requested)).toBe(true)
    expect(engine.snapshot().pendingRequests[0]?.verifyContext).toEqual({
      verified: { verifyUrl: '', validation, origin: session.peer.metadata.url },
    })
    expect(relay.published).toEqual([])
  })

  test('makes the session use links, but a forged link does not', async () => {
    const { run, receive, requested, engine, topic } = await open('wallet', {
      transportType: 'relay',
    })
    const type = () => engine.snapshot().sessions[0]?.transportType
    expect(
      await run({ type: 'handleLink', url: `https://x.example?wc_ev=AAAA&topic=${topic}` }),
    ).toBe(true)
    expect(type()).toBe('relay')
    await receive(requested, 'a'.repeat(64))
    expect([type(), engine.snapshot().pendingRequests]).toEqual(['relay', []])
    await receive(requested)
    expect([type(), engine.snapshot().pendingRequests.length]).toEqual(['link_mode', 1])
  })

  test('attack: makes no session use links if its envelope is not encrypted', async () => {
    const { run, keys, topic, engine, requested } = await open('wallet', { transportType: 'relay' })
    const envelope = keys.encodePlain(JSON.stringify({ jsonrpc: '2.0', ...requested }))
    await run({ type: 'handleLink', url: `https://x.example?wc_ev=${envelope}&topic=${topic}` })
    expect(engine.snapshot()).toMatchObject({
      sessions: [{ transportType: 'relay' }],
      pendingRequests: [],
    })
  })

  test('that is encrypted with the key of a topic without a session adds no session', async () => {
    const { run, keys, peer, topic, engine } = await open('wallet')
    const symKey = createSymKey()
    const other = await keys.setSymKey(symKey)
    await peer.keys.setSymKey(symKey)
    const text = JSON.stringify({ id: firstId, jsonrpc: '2.0', method: 'wc_pairingPing' })
    const envelope = peer.keys.encode(other, text, 'base64url')
    await run({ type: 'handleLink', url: `https://x.example?wc_ev=${envelope}&topic=${other}` })
    expect(engine.snapshot().sessions).toMatchObject([{ topic }])
  })

  test('a link without a message is not handled', async () => {
    const { run } = await open('wallet')
    expect(await run({ type: 'handleLink', url: 'https://client.example/link' })).toBe(false)
  })

  test('is dropped if its envelope is not encrypted and it is not a sign-in request', async () => {
    const { run, keys, topic, engine, requested } = await open('wallet')
    const envelope = keys.encodePlain(JSON.stringify({ jsonrpc: '2.0', ...requested }))
    await run({ type: 'handleLink', url: `https://x.example?wc_ev=${envelope}&topic=${topic}` })
    expect(engine.snapshot().pendingRequests).toEqual([])
  })
})

test.each<[what: string, peer: Metadata, links: string[]]>([
  ['a new link is added', linked('other'), [universal, 'https://other.example/link']],
  ['a known link is not added again', linked('peer'), [universal]],
  ['a peer without links adds none', metadataOf('other'), [universal]],
])('of the links of peers, %s', async (_what, peer, links) => {
  let known = [universal]
  const linkModePeers = {
    get: () => known,
    set: async (value: string[]) => void (known = value),
  }
  await rememberLinkPeer({ stores: { linkModePeers } } as unknown as Context, peer)
  expect(known).toEqual(links)
})

test('attack: the links of the last 100 peers are stored', async () => {
  let known: string[] = []
  const linkModePeers = {
    get: () => known,
    set: async (value: string[]) => void (known = value),
  }
  for (let index = 1; index <= 101; index += 1)
    await rememberLinkPeer(
      { stores: { linkModePeers } } as unknown as Context,
      linked(`peer${index}`),
    )
  expect([known.length, known[0]]).toEqual([100, 'https://peer2.example/link'])
})

const topic = 'a'.repeat(64)
test.each([
  [`https://x.example/?wc_ev=abc&topic=${topic}`, { topic, message: 'abc' }],
  [`app:link?topic=${topic}&wc_ev=abc`, { topic, message: 'abc' }],
  [`https://x.example/?wc_ev=abc&topic=${topic}0`, undefined],
  [`https://x.example/?wc_ev=abc&topic=0${topic}`, undefined],
  [`https://x.example/?wc_ev=abc&topic=${'A'.repeat(64)}`, undefined],
  ['https://x.example/?wc_ev=abc', undefined],
  [`https://x.example/?topic=${topic}`, undefined],
  [`https://x.example/?wc_ev=&topic=${topic}`, undefined],
  ['hello', undefined],
  [' ', undefined],
  [undefined, undefined],
])('the message in the link %s is %o', (url, message) => {
  expect(parseLink(url)).toEqual(message)
})
