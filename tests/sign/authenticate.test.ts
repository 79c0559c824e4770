import type { SignClient } from '@gatefold/sign'
import { expect, onTestFinished, test } from 'vitest'
import { encodeRecap } from '../../packages/sign/src/auth/recap.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { createManualClock } from '../../packages/sign/src/testing/createManualClock.ts'
import { requested, granted, metadataOf, next, proposalOf, useClients } from './clients.ts'
import { createRawPeer } from './rawPeer.ts'
import { requestSignIn, sign, signer, signIn, type SignInEvent, watch } from './signIn.ts'

const relay = useClients()

/** A ReCap that grants a method of EVM chains. @see ERC-5573 */
function recapOf(method: string, chains?: readonly string[]) {
  return encodeRecap({ att: { eip155: { [`request/${method}`]: [chains ? { chains } : {}] } } })
}

test('§3.19.4 a wallet’s pending sign-in request has the specified fields', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event } = await requestSignIn(app, wallet)
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

test('§4.18.1 a signed authorization creates a session with the methods in the ReCap', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposals: number[] = []
  wallet.on('session_proposal', ({ id }) => proposals.push(id))
  const { event, approval } = await requestSignIn(app, wallet)
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

test('a sign-in over an existing pairing needs no URI', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const first = await requestSignIn(app, wallet)
  await wallet.approveSessionAuthenticate({ id: first.event.id, auths: [await sign(first.event)] })
  await first.approval()
  const pairingTopic = app.pairings()[0]?.topic ?? ''

  const event = next<SignInEvent>((listener) => watch(wallet, listener))
  const { uri, approval } = await app.authenticate({ ...signIn, pairingTopic })
  expect(uri).toBeUndefined()
  const { id, params } = await event
  expect(params.pairingTopic).toBe(pairingTopic)
  const auths = [await sign(await event)]
  const { session } = await wallet.approveSessionAuthenticate({ id, auths })
  expect(await approval()).toMatchObject({
    auths,
    session: { topic: session?.topic, pairingTopic },
  })
  expect(app.pairings()).toMatchObject([{ topic: pairingTopic, active: true }])

  await expect(app.authenticate({ ...signIn, pairingTopic: '0'.repeat(64) })).rejects.toThrow(
    'pairing topic doesn',
  )
})

test('a wallet that does not support authenticate approves the fallback proposal', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const proposed = next<{ id: number }>((listener) => wallet.on('session_proposal', listener))
  const { uri, approval } = await app.authenticate({ ...signIn, chains: ['eip155:1'] })
  await wallet.pair({ uri: uri ?? '' })
  await wallet.approve({ id: (await proposed).id, namespaces: granted })
  const { auths, session } = await approval()
  expect(auths).toBeUndefined()
  expect(session).toMatchObject({ namespaces: granted })
  expect(requested).toBeDefined()
})

test.each([
  ['domain', { domain: 'evil.example' }],
  ['nonce', { nonce: '00000000' }],
  ['aud', { aud: 'https://evil.example' }],
  ['chain', { iss: `did:pkh:eip155:137:${signer.address}` }],
  ['account', { iss: 'did:pkh:eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  ['expiry, in the past', { exp: '2020-01-01T00:00:00Z' }],
  ['time of issue, in the future', { iat: '2099-01-01T00:00:00Z' }],
  [
    'time of issue, with more lines in a comment',
    { iat: `${new Date().toUTCString()} (\nResources:\n- https://evil.example/all\n- x)` },
  ],
  ['time of issue, before the request', { iat: '2020-01-01T00:00:00Z' }],
  ['statement', { statement: 'I give all my tokens to evil.example.' }],
  [
    'statement, with an additional sentence',
    { statement: `${signIn.statement} And to evil.example.` },
  ],
  ['statement, which is empty', { statement: '' }],
  ['resource', { resources: ['https://evil.example/terms', recapOf('personal_sign')] }],
  ['list of resources, without the first', { resources: [recapOf('personal_sign')] }],
  [
    'list of resources, with one more',
    { resources: [...signIn.resources, 'https://a', 'https://b'] },
  ],
  ['method', { resources: [...signIn.resources, recapOf('eth_signTypedData_v4')] }],
  ['ReCap, which cannot be decoded', { resources: [...signIn.resources, 'urn:recap:evil'] }],
])('§8.9.1 attack: an authorization with a different %s is rejected', async (_field, lie) => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await requestSignIn(app, wallet)
  const cacao = await sign(event, (p) => ({ ...p, ...lie }))
  await expect(wallet.approveSessionAuthenticate({ id: event.id, auths: [cacao] })).rejects.toThrow(
    'Session settlement failed. Signature verification failed',
  )
  await expect(approval()).rejects.toMatchObject({ reason: { code: 7000 } })
  expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
})

test('a wallet may grant fewer methods and add the ReCap sentence that lists them', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await requestSignIn(app, wallet)
  const cacao = await sign(event, (p) => ({
    ...p,
    statement: `${p.statement} I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'personal_sign' for 'eip155'.`,
    resources: [...signIn.resources, recapOf('personal_sign')],
  }))
  await wallet.approveSessionAuthenticate({ id: event.id, auths: [cacao] })
  const { session } = await approval()
  expect(session?.namespaces).toMatchObject({ eip155: { methods: ['personal_sign'] } })
})

test('§4.18.2 a wallet rejects the request; §8.9.2 it cannot respond twice', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await requestSignIn(app, wallet)
  const reason = { code: 5000, message: 'User rejected.' }
  await wallet.rejectSessionAuthenticate({ id: event.id, reason })
  await expect(approval()).rejects.toMatchObject({ name: 'PeerError', reason })
  await expect(wallet.rejectSessionAuthenticate({ id: event.id, reason })).rejects.toThrow(
    `Could not find pending auth request with id ${event.id}`,
  )
  expect([app.pairings(), app.pendingOutgoing()]).toEqual([[], []])
})

test('if the signature is invalid, the app’s sign-in fails', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet')
  const { event, approval } = await requestSignIn(app, wallet)
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
    'throws',
    () => {
      throw new TypeError('no node for this chain')
    },
  ],
  ['returns a value that is not a string', () => Promise.resolve(1 as never)],
])('if the node %s, the signature is invalid', async (_what, ethCall) => {
  const app = relay.create('app', { ethCall })
  const wallet = relay.create('wallet', { ethCall: () => Promise.resolve('0x01') })
  const { event, approval } = await requestSignIn(app, wallet)
  const { p, h } = await sign(event)
  const contract = { ...p, iss: `did:pkh:eip155:1:0x${'11'.repeat(20)}` }
  const auths = [{ h, p: contract, s: { t: 'eip1271' as const, s: '0x1234' } }]
  await wallet.approveSessionAuthenticate({ id: event.id, auths })
  await expect(approval()).rejects.toMatchObject({ reason: { code: 7000 } })
})

test('attack: a node that does not respond does not delay a sign-in indefinitely', async () => {
  const clock = createManualClock()
  let isAsked = false
  const app = relay.create('app', {
    clock,
    ethCall() {
      isAsked = true
      return new Promise(() => {})
    },
  })
  const wallet = relay.create('wallet', { ethCall: () => Promise.resolve('0x01') })
  const { event, approval } = await requestSignIn(app, wallet)
  const { p, h } = await sign(event)
  const contract = { ...p, iss: `did:pkh:eip155:1:0x${'11'.repeat(20)}` }
  const auths = [{ h, p: contract, s: { t: 'eip1271' as const, s: '0x1234' } }]
  await wallet.approveSessionAuthenticate({ id: event.id, auths })
  await expect.poll(() => isAsked).toBe(true)
  clock.advance(5_000)
  const outcomes: unknown[] = []
  approval().catch((error: unknown) => outcomes.push(error))
  await expect.poll(() => outcomes).toMatchObject([{ reason: { code: 7000 } }])
})

test.each<[string, Record<string, string>, number | undefined]>([
  ['valid on both', { 'eip155:1': '0x01', 'eip155:10': '0x01' }, undefined],
  ['valid on one of two', { 'eip155:1': '0x01', 'eip155:10': '0x00' }, 7000],
])(
  'attack: a contract signature is accepted only if it is valid on all granted chains: %s',
  async (_what, answers, code) => {
    const calls: string[] = []
    const app = relay.create('app', {
      ethCall: async ({ chainId, gas }) => {
        calls.push(`${chainId} ${Number(gas)}`)
        return answers[chainId] ?? ''
      },
    })
    const wallet = relay.create('wallet', { ethCall: () => Promise.resolve('0x01') })
    const { event, approval } = await requestSignIn(app, wallet)
    const { p, h } = await sign(event)
    const resources = [...signIn.resources, recapOf('personal_sign', signIn.chains)]
    const contract = { ...p, resources, iss: `did:pkh:eip155:1:0x${'11'.repeat(20)}` }
    const auths = [{ h, p: contract, s: { t: 'eip1271' as const, s: '0x1234' } }]
    await wallet.approveSessionAuthenticate({ id: event.id, auths })
    const outcome = await approval().then(
      () => undefined,
      ({ reason }: { reason: { code: number } }) => reason.code,
    )
    expect(outcome).toBe(code)
    expect(calls.toSorted()).toEqual(['eip155:1 10000000', 'eip155:10 10000000'])
  },
)

test('a rejection of the fallback proposal rejects the sign-in', async () => {
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

test('a wallet whose clock is minutes behind can sign a request with nbf', async () => {
  const app = relay.create('app')
  const wallet = relay.create('wallet', { clock: createManualClock(Date.now() - 240_000) })
  const { event, approval } = await requestSignIn(app, wallet, {
    ...signIn,
    nbf: new Date().toISOString(),
  })
  await wallet.approveSessionAuthenticate({ id: event.id, auths: [await sign(event)] })
  expect((await approval()).auths).toHaveLength(1)
})

test('after a failed response, the wallet keeps the request, but no new key or topic', async () => {
  let lost = false
  class LossySocket extends WebSocket {
    override send(data: string) {
      if (!lost) super.send(data)
    }
  }
  const clock = createManualClock()
  const storage = createMemoryStore()
  const storedKeys = () =>
    Promise.all(['keychain', 'subscription'].map((it) => storage.getItem(`wc@2:core:0.3//${it}`)))
  const app = relay.create('app')
  const wallet = relay.create('wallet', { clock, storage, WebSocket: LossySocket })
  const { event, approval } = await requestSignIn(app, wallet)
  const before = await storedKeys()
  const auths = [await sign(event)]
  lost = true
  const approving = wallet.approveSessionAuthenticate({ id: event.id, auths })
  approving.catch(() => undefined)
  await expect.poll(async () => (await storedKeys())[1]).not.toBe(before[1])
  clock.advance(61_000)
  await expect(approving).rejects.toMatchObject({ name: 'RelayError' })
  expect([wallet.sessions(), await storedKeys()]).toEqual([[], before])
  lost = false
  const ticking = setInterval(() => clock.advance(50), 5)
  onTestFinished(() => clearInterval(ticking))
  const again = wallet.approveSessionAuthenticate({ id: event.id, auths })
  expect(await again).toHaveProperty('session.topic', (await approval()).session?.topic)
})

test('an expired sign-in leaves none of its keys and topics', async () => {
  const clock = createManualClock()
  const storage = createMemoryStore()
  const read = async (name: string) =>
    JSON.parse((await storage.getItem(`wc@2:core:0.3//${name}`)) ?? 'null') as object
  const app = relay.create('app', { clock, storage })
  const peer = await createRawPeer(relay.relayUrl)
  onTestFinished(() => peer.close())
  const { uri, approval } = await app.authenticate(signIn)
  // A wallet approves the fallback proposal but never sends the settlement.
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

test('after an abort, a wallet that signs or approves late keeps no session', async () => {
  const storage = createMemoryStore()
  const app = relay.create('app', { storage })
  const emitted: unknown[] = []
  app.on('session_connect', (event) => emitted.push(event))
  app.on('session_delete', (event) => emitted.push(event))

  /**
   * Requests a sign-in, waits for the wallet's event, and aborts the sign-in. @returns the event
   */
  async function abortSignIn<event>(wallet: SignClient, shown: Promise<event>) {
    const abort = new AbortController()
    const { uri, approval } = await app.authenticate({ ...signIn, signal: abort.signal })
    await wallet.pair({ uri: uri ?? '' })
    const event = await shown
    abort.abort(new Error('closed'))
    await expect(approval()).rejects.toThrow('closed')
    return event
  }

  const signing = relay.create('signing')
  const ended = next<object>((listener) => signing.on('session_delete', listener))
  const event = await abortSignIn(
    signing,
    next<SignInEvent>((listener) => watch(signing, listener)),
  )
  const auths = [await sign(event)]
  const { session } = await signing.approveSessionAuthenticate({ id: event.id, auths })
  const reason = { code: 5000, message: 'User rejected.' }
  expect(await ended).toMatchObject({ topic: session?.topic, reason })

  const approving = relay.create('approving')
  const { id } = await abortSignIn(approving, proposalOf(approving))
  const { acknowledged } = await approving.approve({ id, namespaces: granted })
  await expect(acknowledged()).rejects.toMatchObject({ reason })

  await expect.poll(() => app.pairings()).toEqual([])
  expect([signing.sessions(), approving.sessions(), app.sessions(), emitted]).toEqual([
    [],
    [],
    [],
    [],
  ])
  const read = async (name: string) =>
    JSON.parse((await storage.getItem(`wc@2:core:0.3//${name}`)) ?? 'null') as object
  await expect.poll(() => read('subscription')).toEqual([])
  await expect
    .poll(async () => Object.keys(await read('keychain')))
    .toEqual(['client_ed25519_seed'])
})
