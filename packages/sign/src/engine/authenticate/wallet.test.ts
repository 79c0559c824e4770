import { expect, test } from 'vitest'
import type { SignEvents } from '../../SignClient.ts'
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

test.each([
  ['true if the link comes from the site’s own app', ownApp, true],
  ['false if the link comes from an app that only claims to be the site’s', otherApp, false],
])('attack: domainMatches of a sign-in by link is %s', async (_what, universal, domainMatches) => {
  const redirect = { universal, linkMode: true }
  const metadata = {
    name: 'Bank',
    description: '',
    url: 'https://bank.example',
    icons: [],
    redirect,
  }
  const { emitted, receive } = create('UNKNOWN', '', { ...metadata, url: 'https://wallet.example' })
  await receive(bank, { transport: 'link_mode', metadata })
  expect(emitted[0]?.verifyContext.verified).toMatchObject({
    validation: domainMatches ? 'VALID' : 'INVALID',
    domainMatches,
  })
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

test.each([
  ['link_mode', [ownApp]],
  ['relay', []],
] as const)(
  'attack: only a sign-in by link stores the link of its sender (%s)',
  async (transport, links) => {
    const { receive, peers } = create('VALID', ownApp)
    const metadata = { ...site, redirect: { universal: ownApp, linkMode: true } }
    await receive(bank, { transport, metadata })
    expect(peers()).toEqual(links)
  },
)
