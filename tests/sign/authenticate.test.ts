import {
  type Cacao,
  formatAuthMessage,
  type SignClient,
  type SignClientOptions,
  type SignEvents,
} from '@gatefold/sign'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { createKeychain } from '../../packages/sign/src/crypto/createKeychain.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import { asked, granted, metadataOf, next, proposalOf, settle, useClients } from './clients.ts'
import { createRawPeer } from './rawPeer.ts'

const signer = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)
const iss = `did:pkh:eip155:1:${signer.address}`
const signIn = {
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'f0e1d2c3b4a5968778695a4b',
  statement: 'Welcome.',
  resources: ['https://app.example/terms'],
  methods: ['personal_sign', 'eth_sendTransaction'],
}

const relay = useClients()

type Asked = Parameters<Parameters<typeof watch>[1]>[0]

function watch(wallet: SignClient, listener: (event: SignEvents['session_authenticate']) => void) {
  return wallet.on('session_authenticate', listener)
}

/** Signs what is asked; `change` makes a wallet that lies before it signs. */
async function sign(
  { params }: Asked,
  change: (p: Cacao['p']) => Cacao['p'] = (p) => p,
): Promise<Cacao> {
  const { chains: _chains, type: _type, ...fields } = params.authPayload
  const p = change({ ...fields, iss })
  const message = formatAuthMessage({ ...params.authPayload, ...p }, p.iss)
  return { h: { t: 'caip122' }, p, s: { t: 'eip191', s: await signer.signMessage({ message }) } }
}

async function ask(
  app: SignClient,
  wallet: SignClient,
  parameters: Parameters<SignClient['authenticate']>[0] = signIn,
) {
  const event = next<Asked>((listener) => watch(wallet, listener))
  const { uri, approval } = await app.authenticate(parameters)
  await wallet.pair({ uri: uri ?? '' })
  return { event: await event, approval }
}

test('§3.19.4 what a wallet holds of a request to sign in', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event } = await ask(app, wallet)
  const { id, params, verifyContext } = event
  const { chains, domain, uri: aud, nonce, statement } = signIn
  expect(params).toEqual({
    id,
    pairingTopic: wallet.pairings()[0]?.topic,
    expiryTimestamp: expect.closeTo(Date.now() / 1_000 + 3_600, -2),
    requester: {
      publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      metadata: expect.objectContaining(metadataOf('app')),
    },
    authPayload: {
      type: 'caip122',
      version: '1',
      chains,
      domain,
      aud,
      nonce,
      statement,
      iat: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      resources: [...signIn.resources, expect.stringMatching(/^urn:recap:/)],
    },
    verifyContext: {
      verified: { verifyUrl: '', validation: 'UNKNOWN', origin: metadataOf('app').url },
    },
    transportType: 'relay',
  })
  expect(verifyContext).toEqual(params.verifyContext)
  expect(wallet.pendingAuthRequests()).toEqual([params])
})

test('§4.18.1 a signed authorization makes a session with the methods of its ReCap', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposals: number[] = []
  wallet.on('session_proposal', ({ id }) => proposals.push(id))
  const { event, approval } = await ask(app, wallet)
  expect(event.params.authPayload.resources).toMatchObject([
    'https://app.example/terms',
    expect.stringMatching(/^urn:recap:/),
  ])
  const cacao = await sign(event)
  const { session } = await wallet.approveSessionAuthenticate({ id: event.id, auths: [cacao] })
  const approved = await approval()
  expect(approved.auths).toEqual([cacao])
  expect(approved.session?.topic).toBe(session?.topic)
  expect(approved.session?.namespaces).toMatchObject({
    eip155: {
      accounts: [`eip155:1:${signer.address}`],
      methods: ['eth_sendTransaction', 'personal_sign'],
    },
  })
  expect([proposals, wallet.proposals(), wallet.pendingAuthRequests()]).toEqual([[], [], []])

  const request = next<{ id: number }>((listener) => wallet.on('session_request', listener))
  const topic = session?.topic ?? ''
  const answer = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [] },
  })
  await wallet.respond({
    topic,
    response: { id: (await request).id, jsonrpc: '2.0', result: '0x' },
  })
  expect(await answer).toBe('0x')
})

test('a wallet that knows no authenticate takes the proposal beside it', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposed = next<{ id: number }>((listener) => wallet.on('session_proposal', listener))
  const { uri, approval } = await app.authenticate({ ...signIn, chains: ['eip155:1'] })
  await wallet.pair({ uri: uri ?? '' })
  await wallet.approve({ id: (await proposed).id, namespaces: granted })
  const { auths, session } = await approval()
  expect(auths).toBeUndefined()
  expect(session).toMatchObject({ namespaces: granted })
  expect(asked).toBeDefined()
})

test.each([
  ['domain', { domain: 'evil.example' }],
  ['nonce', { nonce: '00000000' }],
  ['aud', { aud: 'https://evil.example' }],
  ['chain', { iss: `did:pkh:eip155:137:${signer.address}` }],
  ['account', { iss: 'did:pkh:eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  ['end', { exp: '2020-01-01T00:00:00Z' }],
  ['time', { iat: '2099-01-01T00:00:00Z' }],
])('§8.9.1 an authorization for another %s is refused', async (_field, lie) => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await ask(app, wallet)
  const cacao = await sign(event, (p) => ({ ...p, ...lie }))
  await expect(wallet.approveSessionAuthenticate({ id: event.id, auths: [cacao] })).rejects.toThrow(
    'Session settlement failed. Signature verification failed',
  )
  await expect(approval()).rejects.toMatchObject({ reason: { code: 7000 } })
  expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
})

test('§4.18.2 a wallet says no; §8.9.2 it cannot answer twice', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await ask(app, wallet)
  const reason = { code: 5000, message: 'User rejected.' }
  await wallet.rejectSessionAuthenticate({ id: event.id, reason })
  await expect(approval()).rejects.toMatchObject({ name: 'PeerError', reason })
  await expect(wallet.rejectSessionAuthenticate({ id: event.id, reason })).rejects.toThrow(
    `Could not find pending auth request with id ${event.id}`,
  )
  expect([app.pairings(), app.pendingOutgoing()]).toEqual([[], []])
})

test('a signature that does not hold ends the sign-in: the app has been told', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await ask(app, wallet)
  const { id } = event
  const good = await sign(event)
  const bad = { ...good, s: { t: 'eip191' as const, s: '0x12' } }
  await expect(wallet.approveSessionAuthenticate({ id, auths: [bad] })).rejects.toThrow(
    'Session settlement failed.',
  )
  await expect(approval()).rejects.toMatchObject({ reason: { code: 7000 } })
  await expect(wallet.approveSessionAuthenticate({ id, auths: [good] })).rejects.toThrow(
    'Could not find pending auth request',
  )
  expect([wallet.sessions(), wallet.pendingAuthRequests()]).toEqual([[], []])
})

test.each<[string, () => Promise<string>]>([
  [
    'throws at once',
    () => {
      throw new TypeError('no node for this chain')
    },
  ],
  ['answers with no text', () => Promise.resolve(1 as never)],
])('a node that %s verifies nothing: the app hears so', async (_what, ethCall) => {
  const app = relay.create('app', { ethCall })
  const wallet = relay.create('wallet', { ethCall: () => Promise.resolve('0x01') })
  const { event, approval } = await ask(app, wallet)
  const { p, h } = await sign(event)
  const contract = { ...p, iss: `did:pkh:eip155:1:0x${'11'.repeat(20)}` }
  const auths = [{ h, p: contract, s: { t: 'eip1271' as const, s: '0x1234' } }]
  await wallet.approveSessionAuthenticate({ id: event.id, auths })
  await expect(approval()).rejects.toMatchObject({ reason: { code: 7000 } })
})

test('what is said to the proposal beside a sign-in is said to both', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposed = proposalOf(wallet)
  const { uri, approval } = await app.authenticate(signIn)
  await wallet.pair({ uri: uri ?? '' })
  const { id } = await proposed
  await expect.poll(() => wallet.pendingAuthRequests()).toHaveLength(1)
  const reason = { code: 5000, message: 'User rejected.' }
  await wallet.reject({ id, reason })
  await expect(approval()).rejects.toMatchObject({ reason })
  expect([wallet.pendingAuthRequests(), wallet.proposals()]).toEqual([[], []])
})

test('a wallet whose clock is minutes behind signs what is good from now on', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet', { clock: createManualClock(Date.now() - 240_000) })
  const { event, approval } = await ask(app, wallet, { ...signIn, nbf: new Date().toISOString() })
  await wallet.approveSessionAuthenticate({ id: event.id, auths: [await sign(event)] })
  expect((await approval()).auths).toHaveLength(1)
})

test('a wallet that cannot reach the relay keeps the request, and no key or topic of its try', async () => {
  let lost = false
  class Losing extends WebSocket {
    override send(data: string) {
      if (!lost) super.send(data)
    }
  }
  const clock = createManualClock()
  const storage = createMemoryStore()
  const kept = () =>
    Promise.all(['keychain', 'subscription'].map((it) => storage.getItem(`wc@2:core:0.3//${it}`)))
  const app = relay.create('app')
  const wallet = relay.create('wallet', { clock, storage, WebSocket: Losing })
  const { event, approval } = await ask(app, wallet)
  const before = await kept()
  const auths = [await sign(event)]
  lost = true
  const approving = wallet.approveSessionAuthenticate({ id: event.id, auths })
  approving.catch(() => undefined)
  await expect.poll(async () => (await kept())[1]).not.toBe(before[1])
  clock.advance(61_000)
  await expect(approving).rejects.toMatchObject({ name: 'RelayError' })
  expect([wallet.sessions(), await kept()]).toEqual([[], before])
  lost = false
  const passing = setInterval(() => clock.advance(50), 5)
  onTestFinished(() => clearInterval(passing))
  const again = wallet.approveSessionAuthenticate({ id: event.id, auths })
  expect(await again).toHaveProperty('session.topic', (await approval()).session?.topic)
})

test('a sign-in that nobody answers leaves no key and no topic', async () => {
  const clock = createManualClock()
  const storage = createMemoryStore()
  const read = async (name: string) =>
    JSON.parse((await storage.getItem(`wc@2:core:0.3//${name}`)) ?? 'null') as object
  const app = relay.create('app', { clock, storage })
  const peer = await createRawPeer(relay.relayUrl)
  onTestFinished(() => peer.close())
  const { uri, approval } = await app.authenticate(signIn)
  // A wallet takes the proposal beside it, and then says no more.
  const { topic } = await peer.answerProposal(uri ?? '')
  await expect.poll(() => read('keychain')).toHaveProperty(topic)
  clock.advance(301_000)
  await expect.poll(() => read('keychain')).not.toHaveProperty(topic)
  clock.advance(3_300_000)
  await expect(approval()).rejects.toMatchObject({ name: 'ExpiredError' })
  await expect.poll(() => read('subscription')).toEqual([])
  await expect
    .poll(async () => Object.keys(await read('keychain')))
    .toEqual(['client_ed25519_seed'])
})

test('a visitor who gives up: a wallet that signs late, or takes the proposal, keeps no session', async () => {
  const storage = createMemoryStore()
  const app = relay.create('app', { storage })
  const told: unknown[] = []
  app.on('session_connect', (event) => told.push(event))
  app.on('session_delete', (event) => told.push(event))

  /** What the wallet is shown; by then nobody waits for it. */
  async function giveUp<event>(wallet: SignClient, shown: Promise<event>) {
    const abort = new AbortController()
    const { uri, approval } = await app.authenticate({ ...signIn, signal: abort.signal })
    await wallet.pair({ uri: uri ?? '' })
    const event = await shown
    abort.abort(new Error('closed'))
    await expect(approval()).rejects.toThrow('closed')
    return event
  }

  const signs = relay.create('signs')
  const ended = next<object>((listener) => signs.on('session_delete', listener))
  const event = await giveUp(
    signs,
    next<Asked>((listener) => watch(signs, listener)),
  )
  const auths = [await sign(event)]
  const { session } = await signs.approveSessionAuthenticate({ id: event.id, auths })
  const reason = { code: 5000, message: 'User rejected.' }
  expect(await ended).toMatchObject({ topic: session?.topic, reason })

  const takes = relay.create('takes')
  const { id } = await giveUp(takes, proposalOf(takes))
  const { acknowledged } = await takes.approve({ id, namespaces: granted })
  await expect(acknowledged()).rejects.toMatchObject({ reason })

  await expect.poll(() => app.pairings()).toEqual([])
  expect([signs.sessions(), takes.sessions(), app.sessions(), told]).toEqual([[], [], [], []])
  const read = async (name: string) =>
    JSON.parse((await storage.getItem(`wc@2:core:0.3//${name}`)) ?? 'null') as object
  await expect.poll(() => read('subscription')).toEqual([])
  await expect
    .poll(async () => Object.keys(await read('keychain')))
    .toEqual(['client_ed25519_seed'])
})

test('link mode: a link that nobody opens is no request, one that anybody made changes nothing', async () => {
  const linked = (name: string) => ({
    ...metadataOf(name),
    redirect: { universal: `https://${name}.example/open`, linkMode: true },
  })
  const known = JSON.stringify(['https://wallet.example/open'])
  const storage = createMemoryStore([['WALLETCONNECT_LINK_MODE_APPS', known]])
  const app = relay.create('app', {
    storage,
    metadata: linked('app'),
    openLink: () => Promise.reject(new Error('no app takes it')),
  })
  const wallet = relay.create('wallet', { metadata: linked('wallet') })
  const { topic } = await settle(app, wallet)
  await app.handleLink(`https://app.example/open?topic=${topic}&wc_ev=AAAA`)
  expect(app.sessions()[0]?.transportType).toBe('relay')
  await app.handleLink(
    `https://app.example/open?topic=${topic}&wc_ev=${await sealed(storage, topic)}`,
  )
  expect(app.sessions()[0]?.transportType).toBe('link_mode')
  const asking = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [] },
  })
  await expect(asking).rejects.toThrow('no app takes it')
  expect(app.pendingOutgoing()).toEqual([])
})

/** A ping of the wallet, as it stands in a link. */
async function sealed(store: ReturnType<typeof createMemoryStore>, topic: string) {
  const keychain = await createKeychain({ store, key: 'wc@2:core:0.3//keychain' })
  const ping = { id: Date.now() * 1_000, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} }
  return keychain.encode(topic, JSON.stringify(ping), 'base64url')
}

test('link mode: known to each other, both talk in links alone', async () => {
  const opened: Record<'app' | 'wallet', string[]> = { app: [], wallet: [] }
  const create = (name: 'app' | 'wallet', options: Partial<SignClientOptions> = {}) =>
    relay.create(name, {
      metadata: {
        ...metadataOf(name),
        redirect: { universal: `https://${name}.example/open`, linkMode: true },
      },
      openLink: (url) => void opened[name].push(url),
      ...options,
    })
  const app = create('app')
  const wallet = create('wallet')
  const first = await ask(app, wallet)
  await wallet.approveSessionAuthenticate({
    id: first.event.id,
    auths: [await sign(first.event)],
  })
  await first.approval()
  expect(opened).toEqual({ app: [], wallet: [] })

  const event = next<Asked>((listener) => watch(wallet, listener))
  const { uri, approval } = await app.authenticate({
    ...signIn,
    walletUniversalLink: 'https://wallet.example/open',
  })
  expect(uri).toMatch(/^https:\/\/wallet\.example\/open\?wc_ev=An/)
  expect(await wallet.handleLink(uri ?? '')).toBe(true)
  const asked = await event
  expect(asked.params).toMatchObject({ transportType: 'link_mode' })
  await wallet.approveSessionAuthenticate({ id: asked.id, auths: [await sign(asked)] })
  await app.handleLink(opened.wallet.shift() ?? '')
  const { session } = await approval()
  const topic = session?.topic ?? ''
  expect(session?.transportType).toBe('link_mode')

  const request = next<{ id: number }>((listener) => wallet.on('session_request', listener))
  const answer = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [] },
  })
  await expect.poll(() => opened.app).toHaveLength(1)
  await wallet.handleLink(opened.app.shift() ?? '')
  const { id, verifyContext } = (await request) as never as {
    id: number
    verifyContext: { verified: { validation: string } }
  }
  expect(verifyContext.verified.validation).toBe('VALID')
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlinked' } })
  await app.handleLink(opened.wallet.shift() ?? '')
  expect(await answer).toBe('0xlinked')
  expect(await app.handleLink('https://app.example/open?page=2')).toBe(false)
})
