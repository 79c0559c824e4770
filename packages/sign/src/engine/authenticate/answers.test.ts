import { describe, expect, test } from 'vitest'
import { createSymKey, hashKey } from '../../crypto/keys.ts'
import type { Cacao } from '../../Session.ts'
import { createPeer, granted, metadataOf, now } from '../../testing/engines.ts'
import {
  authPayload,
  eventsOf,
  forged,
  id,
  nothing,
  openSignIn,
  proposalId,
  requestSignIn,
  sign,
  signer,
  stateOf,
  withSession,
} from '../../testing/signIn.ts'

describe('an approval', () => {
  test('without a session reports the signatures', async () => {
    const { approve, app, wallet, relay, requester } = await requestSignIn()
    const key = requester()
    expect(await approve()).toEqual({ session: undefined })
    expect(app.events).toEqual([
      ['resolved', { id, result: { auths: [sign(authPayload)], session: undefined } }],
    ])
    expect(relay.published.at(-1)).toMatchObject({
      topic: await hashKey(key),
      tag: 1117,
      ttl: 3_600,
      prompt: false,
      analytics: { correlationId: id },
    })
    // Official clients accept no other alphabet over the relay.
    expect(relay.published.at(-1)?.message).toMatch(/^[A-Za-z0-9+/]+=*$/)
    expect([stateOf(app), stateOf(wallet)]).toEqual([nothing, nothing])
    for (const client of [app, wallet])
      expect(client.engine.snapshot().pairings).toMatchObject([
        { active: true, peerMetadata: { name: client === app ? 'wallet' : 'app' } },
      ])
    expect(app.keys.has(key)).toBe(false)
    expect(app.relayer.topics.has(await hashKey(key))).toBe(false)
    await expect(approve()).rejects.toThrow(`Could not find pending auth request with id ${id}`)
  })

  test('§4.18.1 creates the session that the ReCap grants', async () => {
    const { approve, app, wallet, topic, relay, requester } = await requestSignIn({
      payload: withSession,
    })
    const key = requester()
    const { session } = (await approve()) as { session: { topic: string } }
    const namespaces = {
      eip155: {
        chains: ['eip155:1', 'eip155:10'],
        accounts: [`eip155:1:${signer}`, `eip155:10:${signer}`],
        methods: ['personal_sign'],
        events: ['chainChanged', 'accountsChanged'],
      },
    }
    const [ofApp] = app.engine.snapshot().sessions
    const [ofWallet] = wallet.engine.snapshot().sessions
    const shared = {
      topic: session.topic,
      acknowledged: true,
      expiry: now + 604_800,
      namespaces,
      requiredNamespaces: {},
      optionalNamespaces: {},
      relay: { protocol: 'irn' },
      pairingTopic: topic,
      transportType: 'relay',
      controller: ofWallet?.self.publicKey,
    }
    const appSide = { publicKey: key, metadata: metadataOf('app') }
    const walletSide = { publicKey: ofWallet?.self.publicKey, metadata: metadataOf('wallet') }
    expect(ofApp).toEqual({ ...shared, self: appSide, peer: walletSide })
    expect(ofWallet).toEqual({
      ...shared,
      self: walletSide,
      peer: appSide,
      authentication: [sign(withSession)],
    })
    expect(session).toEqual(ofWallet)
    expect(wallet.keys.has(ofWallet?.self.publicKey ?? '')).toBe(true)
    expect(app.events).toEqual([
      ['session_connect', { session: ofApp }],
      ['resolved', { id, result: { auths: [sign(withSession)], session: ofApp } }],
    ])
    // The session works in both directions.
    await app.run({
      type: 'request',
      id: id + 50,
      topic: session.topic,
      chainId: 'eip155:10',
      request: { method: 'personal_sign' },
    })
    await relay.idle()
    expect(wallet.engine.snapshot().pendingRequests).toMatchObject([{ id: id + 50 }])
    await app.run({ type: 'ping', id: id + 51, topic: session.topic })
    await relay.idle()
    expect(eventsOf(wallet, 'session_ping')).toHaveLength(1)
    await wallet.run({ type: 'ping', id: id + 52, topic: session.topic })
    await relay.idle()
    expect(eventsOf(app, 'session_ping')).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['no signatures', []],
    ['a signature instead of a list', sign(authPayload)],
    ['an invalid signature', [{ ...forged, h: {} }]],
  ])('with %s is rejected', async (_what, auths) => {
    const { approve, wallet, relay } = await requestSignIn()
    await expect(approve(auths as Cacao[])).rejects.toMatchObject({
      shortMessage: `Missing or invalid. approveSessionAuthenticate() auths: ${JSON.stringify(auths)}`,
    })
    expect([stateOf(wallet).authRequests, relay.published.length]).toEqual([1, 2])
  })

  test('with a forged signature fails on both sides', async () => {
    const { approve, app, wallet, relay } = await requestSignIn()
    await expect(approve([sign(authPayload), forged])).rejects.toMatchObject({
      shortMessage: expect.stringContaining('Signature verification failed') as string,
    })
    await relay.idle()
    expect(relay.published.at(-1)).toMatchObject({ tag: 1117, ttl: 3_600 })
    expect(eventsOf(app, 'resolved')).toMatchObject([
      ['resolved', { id, error: { reason: { code: 7000 } } }],
    ])
    expect([stateOf(app), stateOf(wallet)]).toEqual([nothing, nothing])
  })

  test.each([
    ['publish', withSession],
    ['subscribe', withSession],
    ['publish', authPayload],
  ])('can be repeated with new keys if the relay did not %s', async (failing, payload) => {
    const { approve, wallet, relay, app } = await requestSignIn({ payload })
    const keys = async () => (await wallet.store.getItem('wc@2:core:0.3//keychain')) ?? ''
    const before = [await keys(), ...wallet.relayer.topics]
    relay.onCall = (method) => {
      if (method === failing) throw new Error('offline')
    }
    await expect(approve()).rejects.toThrow('offline')
    expect(stateOf(wallet)).toMatchObject({ sessions: 0, authRequests: 1 })
    expect([await keys(), ...wallet.relayer.topics]).toEqual(before)
    relay.onCall = () => undefined
    await approve()
    const count = payload === withSession ? 1 : 0
    expect([stateOf(app).sessions, stateOf(wallet).sessions]).toEqual([count, count])
    expect(eventsOf(app, 'resolved')).toHaveLength(1)
  })

  test('leaves no key if it creates no session, and deletes only the proposal of its pairing', async () => {
    const { approve, wallet } = await requestSignIn()
    const keys = async () => (await wallet.store.getItem('wc@2:core:0.3//keychain')) ?? ''
    const before = await keys()
    const [proposal] = wallet.stores.proposals.values()
    await wallet.stores.proposals.set({ ...proposal!, id: 9, pairingTopic: 'b'.repeat(64) })
    await approve()
    expect(await keys()).toBe(before)
    expect(wallet.stores.proposals.values().map((it) => it.id)).toEqual([9])
  })

  test('deletes no proposal that the app sent on another pairing', async () => {
    const { app, wallet, pairing, uri, authenticate, approve, relay } = await openSignIn()
    const symKey = createSymKey()
    const other = { ...pairing, symKey, topic: await hashKey(symKey) }
    await app.run({
      type: 'connect',
      id: id - 5_000,
      pairing: other,
      pairingTopic: other.topic,
      optionalNamespaces: {},
      relays: [{ protocol: 'irn' }],
    })
    await wallet.run({ type: 'pair', uri })
    await authenticate()
    await relay.idle()
    await approve()
    expect(app.stores.proposals.values().map((it) => it.id)).toEqual([id - 5_000])
  })

  test('works after the pairing has been deleted, and does not restore it', async () => {
    const { approve, wallet, app, topic } = await requestSignIn()
    await wallet.run({ type: 'disconnect', topic })
    await approve()
    expect(wallet.engine.snapshot().pairings).toEqual([])
    expect(eventsOf(app, 'resolved')).toHaveLength(1)
  })

  test('is run once if two tabs respond', async () => {
    const { approve } = await requestSignIn()
    const results = await Promise.allSettled([approve(), approve()])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a rejection', () => {
  test('§4.18.2 of the request is reported', async () => {
    const { app, wallet, relay, requester, topic } = await requestSignIn()
    const key = requester()
    const reason = { code: 5000, message: 'No.' }
    await expect(
      wallet.run({ type: 'rejectSessionAuthenticate', id, reason: {} as never }),
    ).rejects.toThrow('Missing or invalid. rejectSessionAuthenticate() reason: {}')
    await wallet.run({ type: 'rejectSessionAuthenticate', id, reason })
    await relay.idle()
    expect(relay.published.at(-1)).toMatchObject({ tag: 1118, ttl: 300, prompt: false })
    expect(app.events).toMatchObject([['resolved', { id, error: { reason } }]])
    expect([stateOf(app), stateOf(wallet)]).toEqual([nothing, nothing])
    expect([app.keys.has(key), app.keys.has(topic)]).toEqual([false, false])
    expect(app.relayer.topics.size).toBe(0)
    const stored = JSON.parse((await wallet.store.getItem('wc@2:core:0.3//keychain')) ?? '{}')
    expect(Object.keys(stored as object)).toEqual([topic])
    await expect(
      wallet.run({ type: 'rejectSessionAuthenticate', id, reason }),
    ).rejects.toMatchObject({ code: 'sign.no_matching_key' })
  })

  test('of the fallback proposal is ignored if the request is deleted meanwhile', async () => {
    const { app, wallet, relay } = await requestSignIn()
    await app.stores.records.delete(id)
    const reason = { code: 5000, message: 'No.' }
    await wallet.run({ type: 'reject', id: proposalId, reason })
    await relay.idle()
    expect(app.events).toEqual([])
  })

  test('of the fallback proposal is reported', async () => {
    const { app, wallet, relay, requester } = await requestSignIn()
    const key = requester()
    const reason = { code: 5000, message: 'No.' }
    await wallet.run({ type: 'reject', id: proposalId, reason })
    await relay.idle()
    expect(eventsOf(app, 'resolved')).toMatchObject([['resolved', { id, error: { reason } }]])
    expect([stateOf(app), stateOf(wallet)]).toEqual([nothing, nothing])
    expect(app.keys.has(key)).toBe(false)
  })

  test('of an id that is not a number, or of this client’s own request, is not possible', async () => {
    const { app, wallet } = await requestSignIn()
    const reason = { code: 5000, message: 'No.' }
    for (const given of [String(id), undefined])
      await expect(
        wallet.run({ type: 'rejectSessionAuthenticate', id: given as never, reason }),
      ).rejects.toThrow(`Could not find pending auth request with id ${given}`)
    await expect(app.run({ type: 'rejectSessionAuthenticate', id, reason })).rejects.toThrow(
      `Could not find pending auth request with id ${id}`,
    )
  })
})

describe('a wallet without sign-in', () => {
  test('approves the fallback proposal', async () => {
    const { app, wallet, relay, requester } = await requestSignIn()
    const key = requester()
    const approved = await wallet.run({
      type: 'approve',
      id: proposalId,
      settleId: id + 70,
      namespaces: granted,
    })
    await relay.idle()
    const [session] = app.engine.snapshot().sessions
    expect(approved).toEqual({ topic: session?.topic })
    expect(eventsOf(app, 'resolved')).toEqual([
      ['resolved', { id, result: { auths: undefined, session } }],
    ])
    expect(app.keys.has(key)).toBe(true)
    expect(app.relayer.topics.has(await hashKey(key))).toBe(false)
    expect([stateOf(app), stateOf(wallet)]).toMatchObject([
      { ...nothing, sessions: 1 },
      { ...nothing, sessions: 1 },
    ])
    await expect(
      wallet.run({ type: 'approveSessionAuthenticate', id, auths: [sign(authPayload)] }),
    ).rejects.toThrow('Could not find')
  })

  test('may respond that the method is unknown, before it approves', async () => {
    const { app, wallet, relay, requester } = await requestSignIn()
    await wallet.run({
      type: 'rejectSessionAuthenticate',
      id,
      reason: { code: 10001, message: 'Unsupported wc_ method.' },
    })
    await relay.idle()
    expect([app.events, stateOf(app).sent, app.keys.has(requester())]).toEqual([[], 2, true])
  })
})

describe('a response with', () => {
  /** An app that has received `result` in response to its request, and the peer that sent it. */
  async function respond(result: unknown) {
    const { app, relay, topic, authenticate, requester, pairing } = await openSignIn()
    await authenticate()
    const peer = await createPeer(relay)
    await peer.keys.setSymKey(pairing.symKey)
    const publicKey = await peer.keys.createKeyPair()
    const receiverPublicKey = requester()
    const text = JSON.stringify({ id, jsonrpc: '2.0', result })
    const message = await peer.keys.encodeFor({ publicKey, receiverPublicKey, text })
    const publishing = { ttl: 300, tag: 1117, prompt: false }
    await peer.relayer.publish(await hashKey(receiverPublicKey), message, publishing)
    await relay.idle()
    return { app, peer, topic, publicKey }
  }
  const responder = { publicKey: 'b'.repeat(64), metadata: metadataOf('wallet') }

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['no signatures', { cacaos: [], responder }],
    ['more than 100 signatures', { cacaos: Array.from({ length: 101 }, () => forged), responder }],
    ['an invalid responder', { cacaos: [sign(authPayload)], responder: {} }],
  ])('%s is ignored', async (_what, result) => {
    const { app } = await respond(result)
    expect([app.events, stateOf(app).sent]).toEqual([[], 2])
  })

  test('a forged signature fails the sign-in', async () => {
    const { app } = await respond({ cacaos: [sign(authPayload), forged], responder })
    await expect
      .poll(() => app.events, { interval: 1 })
      .toMatchObject([
        [
          'resolved',
          {
            id,
            error: {
              reason: { code: 7000, message: expect.stringContaining('verification') as string },
            },
          },
        ],
      ])
    expect(stateOf(app)).toEqual(nothing)
  })
})
