import { expect, test } from 'vitest'
import { wrapPlain } from '../../crypto/envelope.ts'
import type { SignEvents } from '../../SignClient.ts'
import { now, openWallet } from '../../testing/engines.ts'
import type { Context } from '../Context.ts'
import { onAuthenticate } from './wallet.ts'

const bank = { domain: 'bank.example', aud: 'https://bank.example/login' }

const site = { name: 'Bank', description: '', url: 'https://bank.example', icons: [] }

/** A wallet whose verify service returns `validation` and `origin`. */
function create(validation: 'VALID' | 'INVALID' | 'UNKNOWN', origin: string, metadata = site) {
  const emitted: SignEvents['session_authenticate'][] = []
  let peers: string[] = []
  const context = {
    metadata,
    openLink: async () => {},
    clock: { now: Date.now },
    stores: {
      pairings: { has: () => true },
      authRequests: { values: () => [], set: async () => {} },
      linkModePeers: { get: () => peers, set: async (now: string[]) => void (peers = now) },
    },
    verify: { check: async () => ({ verified: { verifyUrl: '', validation, origin } }) },
    event: (_name: string, event: SignEvents['session_authenticate']) => emitted.push(event),
  } as unknown as Context
  const receive = (
    terms: { domain: string; aud: string },
    from: { transport: 'relay' | 'link_mode'; metadata: typeof site },
  ) =>
    onAuthenticate(context, {
      id: 1,
      topic: 'b'.repeat(64),
      params: {
        authPayload: {
          chains: ['eip155:1'],
          nonce: '0123456789abcdef',
          iat: new Date().toISOString(),
          ...terms,
        },
        requester: { publicKey: 'a'.repeat(64), metadata: from.metadata },
        expiryTimestamp: Date.now(),
      },
      text: '',
      message: '',
      attestation: undefined,
      transport: from.transport,
      isEncrypted: true,
    })
  return { emitted, receive, peers: () => peers }
}

test.each([
  ['false for another site', 'INVALID', 'https://evil.example', bank, false],
  [
    'true for the page’s own site, although its metadata names another one',
    'INVALID',
    'https://evil.example',
    { domain: 'evil.example', aud: 'https://evil.example/login' },
    true,
  ],
  ['true for the page’s site', 'VALID', 'https://bank.example', bank, true],
  [
    'false for the page’s domain with another site’s URI',
    'VALID',
    'https://bank.example',
    { ...bank, aud: 'https://evil.example' },
    false,
  ],
  ['undefined for an unverified page', 'UNKNOWN', 'https://evil.example', bank, undefined],
] as const)(
  'attack: domainMatches of a sign-in is %s',
  async (_what, validation, origin, terms, domainMatches) => {
    const { emitted, receive } = create(validation, origin)
    await receive(terms, { transport: 'relay', metadata: site })
    expect(emitted[0]?.verifyContext.verified.domainMatches).toBe(domainMatches)
  },
)

const otherApp = 'https://evil.example'
const ownApp = 'https://bank.example'
const linked = (universal: string) => ({ ...site, redirect: { universal, linkMode: true } })

test.each([
  ['unknown if it claims the link of the site’s own app', ownApp, undefined],
  ['false if it claims the link of another app', otherApp, false],
])('attack: domainMatches of a sign-in by link is %s', async (_what, universal, domainMatches) => {
  const { emitted, receive } = create('UNKNOWN', '', {
    ...linked(ownApp),
    url: 'https://wallet.example',
  })
  await receive(bank, { transport: 'link_mode', metadata: linked(universal) })
  const verified = emitted[0]?.verifyContext.verified
  expect(verified?.validation).toBe(domainMatches === false ? 'INVALID' : 'UNKNOWN')
  expect(verified?.domainMatches).toBe(domainMatches)
})

test.each([
  ['domain', { domain: 'bank.example\n\nURI: https://evil.example' }],
  ['URI', { aud: 'https://bank.example\nResources:\n- https://evil.example' }],
  ['expiry, or another text than a time', { exp: 'Fri, 02 Jan 2026 00:00:00 GMT (tomorrow)' }],
])('attack: a sign-in request with a line break in its %s is refused', async (_what, change) => {
  const { emitted, receive } = create('UNKNOWN', '')
  await receive({ ...bank, ...change }, { transport: 'relay', metadata: site })
  expect(emitted).toEqual([])
})

test.each(['link_mode', 'relay'] as const)(
  'attack: a sign-in that is not approved does not store the link of its sender (%s)',
  async (transport) => {
    const { receive, peers } = create('VALID', ownApp)
    await receive(bank, { transport, metadata: linked(ownApp) })
    expect(peers()).toEqual([])
  },
)

/** A wallet that has scanned a code, and the params of a sign-in request. */
async function pair() {
  const client = await openWallet()
  await client.run({ type: 'pair', uri: client.uri })
  const requestOf = (chains: readonly string[], expiryTimestamp = now + 3_600) => ({
    authPayload: { ...bank, chains, nonce: '0123456789abcdef', iat: '2023-11-14T22:13:20Z' },
    requester: client.proposer,
    expiryTimestamp,
  })
  const ask = (params: object) =>
    client.peer.ask(client.pairingTopic, 'wc_sessionAuthenticate', params)
  return { ...client, requestOf, ask }
}

test('attack: a sign-in request expires after seven days at the latest', async () => {
  const { requestOf, ask, stores } = await pair()
  await ask(requestOf(['eip155:1'], 9e15))
  expect(stores.authRequests.values()).toMatchObject([{ expiryTimestamp: now + 604_800 }])
})

test('attack: a sign-in request names at most 100 chains, each once', async () => {
  const { requestOf, ask, stores } = await pair()
  const chains = Array.from({ length: 101 }, (_, index) => `eip155:${index + 1}`)
  await ask(requestOf(chains))
  expect(stores.authRequests.values()).toEqual([])
  const [, ...hundred] = chains
  await ask(requestOf([...hundred, ...hundred]))
  expect(stores.authRequests.values()).toMatchObject([{ authPayload: { chains: hundred } }])
})

test('attack: of unencrypted sign-in requests, 100 are stored, whatever their topics are', async () => {
  const { ask, run, requestOf, stores } = await pair()
  // An encrypted one does not count with them.
  await ask(requestOf(['eip155:1']))
  for (let id = 1; id <= 101; id += 1) {
    const request = { id, jsonrpc: '2.0', method: 'wc_sessionAuthenticate' }
    const envelope = wrapPlain(JSON.stringify({ ...request, params: requestOf(['eip155:1']) }))
    const topic = `${id}`.padStart(64, '0')
    await run({ type: 'handleLink', url: `https://w.example?topic=${topic}&wc_ev=${envelope}` })
  }
  expect(stores.authRequests.values()).toHaveLength(101)
})
