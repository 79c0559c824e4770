import * as Address from 'ox/Address'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import { describe, expect, test } from 'vitest'
import { formatAuthMessage } from '../../auth/message.ts'
import { encodeRecap } from '../../auth/recap.ts'
import { createKeychain, type Keychain } from '../../crypto/createKeychain.ts'
import { createSymKey, hashKey, hashMessage } from '../../crypto/keys.ts'
import { formatPairingUri } from '../../pairingUri.ts'
import type { AuthPayload, Cacao, Metadata } from '../../Session.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { createMemoryRelay } from '../../testing/createMemoryRelay.ts'
import {
  type Client,
  createPeer,
  firstId,
  granted,
  metadataOf,
  now,
  openEngine,
  startMs,
} from '../../testing/engines.ts'

const id = firstId
const proposalId = firstId + 1
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const signer = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }))
const recap = encodeRecap({
  att: { eip155: { 'request/personal_sign': [{ chains: ['eip155:1', 'eip155:10'] }] } },
})
const authPayload: AuthPayload = {
  type: 'caip122',
  version: '1',
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  aud: 'https://app.example/login',
  nonce: 'f0e1d2c3',
  iat: new Date(startMs).toISOString(),
}
const withSession: AuthPayload = { ...authPayload, resources: [recap] }

function sign({ type: _type, chains: _chains, ...fields }: AuthPayload): Cacao {
  const p = { ...fields, iss: `did:pkh:eip155:1:${signer}` }
  const payload = PersonalMessage.getSignPayload(Hex.fromString(formatAuthMessage(p, p.iss)))
  const s = Signature.toHex(Secp256k1.sign({ payload, privateKey }))
  return { h: { t: 'caip122' }, p, s: { t: 'eip191', s } }
}

const forged: Cacao = { ...sign(authPayload), s: { t: 'eip191', s: `0x${'00'.repeat(65)}` } }

type Options = {
  payload?: AuthPayload
  expiry?: number
  app?: Parameters<typeof openEngine>[1]
  wallet?: Parameters<typeof openEngine>[1]
}

/** An app and a wallet without a pairing. */
async function open({ payload = authPayload, expiry = 3_600, ...options }: Options = {}) {
  const relay = createMemoryRelay()
  const app = await openEngine(relay, { metadata: metadataOf('app'), ...options.app })
  const wallet = await openEngine(relay, { metadata: metadataOf('wallet'), ...options.wallet })
  await wallet.run({ type: 'listen', name: 'session_authenticate' })
  const symKey = createSymKey()
  const topic = await hashKey(symKey)
  const pairing = { topic, symKey, expiry: now + 300 }
  const uri = formatPairingUri({
    topic,
    symKey,
    relay: { protocol: 'irn' },
    methods: ['wc_sessionAuthenticate'],
  })
  const authenticate = (change: object = {}) =>
    app.run({
      type: 'authenticate',
      id,
      proposalId,
      pairing,
      pairingTopic: topic,
      methods: ['eth_call'],
      authPayload: payload,
      expiry,
      ...change,
    })
  const approve = async (auths: readonly Cacao[] = [sign(payload)]) => {
    const result = await wallet.run({ type: 'approveSessionAuthenticate', id, auths })
    await relay.idle()
    return result
  }
  const requester = () => {
    const { params } = app.stores.records.get(id)?.request ?? {}
    return (params as { requester: { publicKey: string } }).requester.publicKey
  }
  return { relay, app, wallet, topic, pairing, uri, authenticate, approve, requester }
}

/** A wallet that has received the sign-in request of an app. */
async function request(options: Options = {}) {
  const opened = await open(options)
  await opened.wallet.run({ type: 'pair', uri: opened.uri })
  await opened.authenticate()
  await opened.relay.idle()
  return opened
}

const eventsOf = ({ events }: Client, name: string) => events.filter(([it]) => it === name)
const stateOf = ({ stores }: Client) => ({
  sessions: stores.sessions.values().length,
  proposals: stores.proposals.values().length,
  authRequests: stores.authRequests.values().length,
  sent: stores.records.values().filter(({ sent }) => sent).length,
})
const nothing = { sessions: 0, proposals: 0, authRequests: 0, sent: 0 }

describe('a sign-in request', () => {
  test('is sent with a fallback proposal', async () => {
    const { relay, wallet, app, topic, requester } = await request()
    const key = requester()
    const client = { publicKey: key, metadata: metadataOf('app') }
    const responseTopic = await hashKey(key)
    expect(app.relayer.topics).toEqual(new Set([responseTopic, topic]))
    expect(relay.published).toMatchObject([
      { topic, tag: 1116, ttl: 3_600, prompt: true, analytics: { correlationId: id } },
      { topic, correlationId: proposalId },
    ])
    const verifyContext = {
      verified: { verifyUrl: '', validation: 'UNKNOWN', origin: 'https://app.example' },
    }
    const params = {
      id,
      pairingTopic: topic,
      expiryTimestamp: now + 3_600,
      requester: client,
      authPayload,
      verifyContext,
      transportType: 'relay',
    }
    expect(wallet.events).toEqual([['session_authenticate', { id, params, verifyContext }]])
    expect(wallet.engine.snapshot()).toMatchObject({
      authRequests: [params],
      proposals: [
        {
          id: proposalId,
          pairingTopic: topic,
          proposer: client,
          expiryTimestamp: now + 300,
          requiredNamespaces: {},
          relays: [{ protocol: 'irn' }],
          optionalNamespaces: {
            eip155: {
              chains: ['eip155:1', 'eip155:10'],
              methods: ['personal_sign', 'eth_call'],
              events: ['chainChanged', 'accountsChanged'],
            },
          },
        },
      ],
    })
    expect(app.engine.snapshot()).toMatchObject({
      authRequests: [],
      proposals: [],
      pairings: [
        {
          topic,
          active: false,
          relay: { protocol: 'irn' },
          methods: ['wc_sessionAuthenticate'],
        },
      ],
    })
    const record = app.stores.records.get(id)
    expect([record?.unsent, record?.deadline]).toEqual([undefined, now + 3_600])
  })

  test('is sent once, and its fallback proposal lists personal_sign once', async () => {
    const { relay, authenticate, wallet } = await request()
    await authenticate()
    expect(relay.published).toHaveLength(2)
    const again = await open()
    await again.authenticate({ methods: ['personal_sign'] })
    expect(again.app.stores.proposals.values()[0]?.optionalNamespaces['eip155']?.methods).toEqual([
      'personal_sign',
    ])
    expect(wallet.events).toHaveLength(1)
  })

  test('can use an existing pairing, and extends its expiry; an unknown pairing is rejected', async () => {
    const { relay, app, wallet, topic, authenticate, approve } = await request()
    await approve()
    await app.stores.pairings.set({ ...app.stores.pairings.get(topic)!, expiry: now + 100 })
    const again = { id: id + 50_000, proposalId: proposalId + 50_000, pairing: undefined }
    await authenticate(again)
    await relay.idle()
    expect(app.engine.snapshot().pairings).toMatchObject([
      { topic, active: true, expiry: now + 300 },
    ])
    expect(eventsOf(wallet, 'session_authenticate')).toHaveLength(2)
    const pairingTopic = 'a'.repeat(64)
    await expect(authenticate({ ...again, id: id + 60_000, pairingTopic })).rejects.toThrow(
      `No matching key. pairing topic doesn't exist: ${pairingTopic}`,
    )
  })

  test('leaves no stored state if the relay is unavailable', async () => {
    const { relay, app, authenticate } = await open()
    relay.onCall = () => {
      throw new Error('offline')
    }
    await expect(authenticate()).rejects.toThrow('offline')
    expect(stateOf(app)).toEqual(nothing)
    expect(app.engine.snapshot().pairings).toEqual([])
  })

  test('rejects with the relay’s error if it is deleted meanwhile', async () => {
    const { relay, app, authenticate } = await open()
    relay.onCall = async () => {
      await app.stores.records.delete(id)
      throw new Error('offline')
    }
    await expect(authenticate()).rejects.toThrow('offline')
  })

  test('is not published if it is aborted before', async () => {
    const { relay, app, authenticate } = await open()
    const sending = authenticate()
    await app.run({ type: 'abort', id })
    expect(await sending).toBeUndefined()
    expect([relay.published, stateOf(app)]).toEqual([[], nothing])
  })

  test.each([
    ['is published again with an attestation that arrives later', 'jwt', false],
    ['is published once if there is no attestation', undefined, false],
    ['is published once if the wallet has responded', 'jwt', true],
  ])('%s', async (_what, attestation, responds) => {
    const waiting: ((value: string | undefined) => void)[] = []
    const verify = {
      attest: () => new Promise<string | undefined>((resolve) => waiting.push(resolve)),
      check: async () => ({}) as never,
      prefetch: () => {},
      close: () => {},
    }
    const { relay, approve, topic } = await request({ app: { verify } })
    await expect.poll(() => waiting.length, { interval: 1 }).toBe(2)
    if (responds) await approve()
    for (const resolve of waiting) resolve(attestation)
    await relay.idle()
    const attested = relay.published.filter((it) => it.attestation === 'jwt')
    expect(new Set(attested.map(({ tag }) => tag))).toEqual(
      new Set(attestation && !responds ? [1100, 1116] : []),
    )
    const [first] = relay.published
    for (const it of attested.filter(({ tag }) => tag === 1116))
      expect(it).toMatchObject({ topic, ttl: 3_600, prompt: true, message: first?.message })
  })

  test('expires on both sides, and each side reports it once', async () => {
    const { app, wallet, requester } = await request()
    const key = requester()
    const keyTopic = await hashKey(key)
    app.clock.advance(300_000)
    await expect.poll(() => app.stores.proposals.values(), { interval: 1 }).toEqual([])
    // The fallback proposal expires first.
    expect(eventsOf(app, 'resolved')).toEqual([])
    app.clock.advance(3_300_000)
    wallet.clock.advance(3_600_000)
    // Entries expire one after another.
    const after = (client: Client, name: string) => () => {
      client.clock.advance(1)
      return eventsOf(client, name)
    }
    await expect
      .poll(after(app, 'resolved'), { interval: 1 })
      .toMatchObject([['resolved', { id, error: { name: 'ExpiredError' } }]])
    await expect
      .poll(after(wallet, 'session_request_expire'), { interval: 1 })
      .toEqual([['session_request_expire', { id }]])
    await expect.poll(() => stateOf(app), { interval: 1 }).toEqual(nothing)
    expect([app.keys.has(key), app.relayer.topics.has(keyTopic)]).toEqual([false, false])
    await expect(
      wallet.run({ type: 'approveSessionAuthenticate', id, auths: [sign(authPayload)] }),
    ).rejects.toThrow(`Could not find pending auth request with id ${id}`)
  })

  test.each([
    ['without params', undefined, undefined],
    ['without chains', { authPayload: { ...authPayload, chains: [] } }, 1001],
  ])('%s is refused', async (_what, change, code) => {
    const relay = createMemoryRelay()
    const wallet = await openEngine(relay)
    const peer = await createPeer(relay)
    const symKey = createSymKey()
    const topic = await peer.keys.setSymKey(symKey)
    const publicKey = await peer.keys.createKeyPair()
    await wallet.run({
      type: 'pair',
      uri: formatPairingUri({ topic, symKey, relay: { protocol: 'irn' } }),
    })
    const requester = { publicKey, metadata: metadataOf('app') }
    const params = change && { requester, expiryTimestamp: now + 300, ...change }
    await peer.send(topic, { id, method: 'wc_sessionAuthenticate', params })
    await expect.poll(() => wallet.stores.records.has(id), { interval: 1 }).toBe(true)
    const responses = await Promise.all(
      relay.published.slice(1).map(async (it) => {
        const { text } = await peer.keys.decode(it.topic, it.message, { publicKey })
        return { ...it, ...(JSON.parse(text) as object) }
      }),
    )
    expect(responses).toMatchObject(
      code
        ? [
            {
              topic: await hashKey(publicKey),
              tag: 1119,
              ttl: 300,
              id,
              error: { code, message: 'Invalid method. authenticate() params' },
            },
          ]
        : [],
    )
    expect(wallet.events).toEqual([])
  })

  test('attack: is not stored if 100 are pending on its pairing, or if its pairing does not exist', async () => {
    const { relay, wallet, authenticate, topic } = await request()
    const [first] = wallet.stores.authRequests.values()
    const fill = async (count: number, from: number, pairingTopic: string) => {
      for (let index = 0; index < count; index += 1)
        await wallet.stores.authRequests.set({ ...first!, id: from + index, pairingTopic })
    }
    await fill(100, 1, 'b'.repeat(64))
    await fill(98, 1_000, topic)
    await authenticate({ id: id + 10, proposalId: id + 11 })
    await relay.idle()
    expect(wallet.stores.authRequests.has(id + 10)).toBe(true)
    await authenticate({ id: id + 12, proposalId: id + 13 })
    await relay.idle()
    await expect.poll(() => relay.published.at(-1)?.tag, { interval: 1 }).toBe(1119)
    expect(wallet.stores.authRequests.has(id + 12)).toBe(false)
    // After the wallet has deleted its pairing, but not its subscription.
    await wallet.stores.pairings.delete(topic)
    const count = relay.published.length
    await authenticate({ id: id + 14, proposalId: id + 15 })
    await relay.idle()
    expect(relay.published).toHaveLength(count + 2)
    expect(wallet.stores.records.has(id + 14)).toBe(false)
  })

  test('that has expired is dropped', async () => {
    const { wallet, relay, authenticate, uri } = await open()
    wallet.sleep(3_600_000)
    await wallet.run({ type: 'pair', uri })
    await authenticate()
    await relay.idle()
    expect(stateOf(wallet).authRequests).toBe(0)
  })

  test.each(['app', 'wallet'] as const)(
    'is not completed if the key of the session cannot be stored by the %s',
    async (side) => {
      const keys = await createKeychain({ store: createMemoryStore(), key: 'keys' })
      const agree: Keychain['agree'] = async (...parameters) => ({
        ...(await keys.agree(...parameters)),
        stored: Promise.reject(new Error('disk full')),
      })
      const { app, approve } = await request({
        payload: withSession,
        [side]: { keys: { ...keys, agree } },
      })
      await expect(approve()).rejects.toThrow('disk full')
      expect(app.events).toEqual([])
    },
  )

  test('attack: is not ended by a response on the topic of its pairing', async () => {
    const { app, wallet, relay, topic, approve } = await request()
    const error = { code: 5000, message: 'No.' }
    const message = wallet.keys.encode(topic, JSON.stringify({ id, jsonrpc: '2.0', error }))
    await wallet.relayer.publish(topic, message, { ttl: 300, tag: 1117, prompt: false })
    await relay.idle()
    expect(app.events).toEqual([])
    await approve()
    expect(app.events.at(-1)).toMatchObject(['resolved', { id, result: {} }])
  })

  test('is checked with the verify service', async () => {
    const checked: unknown[] = []
    const verified = { verifyUrl: 'v', validation: 'VALID' as const, origin: 'https://app.example' }
    const verify = {
      attest: async () => undefined,
      check: async (parameters: unknown) => {
        checked.push(parameters)
        return { verified }
      },
      prefetch: () => {},
      close: () => {},
    }
    const { wallet, relay, app, topic } = await request({ wallet: { verify } })
    expect(eventsOf(wallet, 'session_authenticate')).toMatchObject([
      [
        'session_authenticate',
        { verifyContext: { verified: { ...verified, domainMatches: true } } },
      ],
    ])
    const message = relay.published[0]?.message ?? ''
    const { text } = await app.keys.decode(topic, message)
    expect(checked[0]).toEqual({
      attestation: undefined,
      encryptedId: await hashMessage(message),
      decryptedId: await hashMessage(text),
      peerUrl: 'https://app.example',
    })
  })
})

describe('an approval', () => {
  test('without a session reports the signatures', async () => {
    const { approve, app, wallet, relay, requester } = await request()
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
    const { approve, app, wallet, topic, relay, requester } = await request({
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
    const { approve, wallet, relay } = await request()
    await expect(approve(auths as Cacao[])).rejects.toMatchObject({
      shortMessage: `Missing or invalid. approveSessionAuthenticate() auths: ${JSON.stringify(auths)}`,
    })
    expect([stateOf(wallet).authRequests, relay.published.length]).toEqual([1, 2])
  })

  test('with a forged signature fails on both sides', async () => {
    const { approve, app, wallet, relay } = await request()
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
    const { approve, wallet, relay, app } = await request({ payload })
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
    const { approve, wallet } = await request()
    const keys = async () => (await wallet.store.getItem('wc@2:core:0.3//keychain')) ?? ''
    const before = await keys()
    const [proposal] = wallet.stores.proposals.values()
    await wallet.stores.proposals.set({ ...proposal!, id: 9, pairingTopic: 'b'.repeat(64) })
    await approve()
    expect(await keys()).toBe(before)
    expect(wallet.stores.proposals.values().map((it) => it.id)).toEqual([9])
  })

  test('deletes no proposal that the app sent on another pairing', async () => {
    const { app, wallet, pairing, uri, authenticate, approve, relay } = await open()
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
    const { approve, wallet, app, topic } = await request()
    await wallet.run({ type: 'disconnect', topic })
    await approve()
    expect(wallet.engine.snapshot().pairings).toEqual([])
    expect(eventsOf(app, 'resolved')).toHaveLength(1)
  })

  test('is run once if two tabs respond', async () => {
    const { approve } = await request()
    const results = await Promise.allSettled([approve(), approve()])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})

describe('a rejection', () => {
  test('§4.18.2 of the request is reported', async () => {
    const { app, wallet, relay, requester, topic } = await request()
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
    const { app, wallet, relay } = await request()
    await app.stores.records.delete(id)
    const reason = { code: 5000, message: 'No.' }
    await wallet.run({ type: 'reject', id: proposalId, reason })
    await relay.idle()
    expect(app.events).toEqual([])
  })

  test('of the fallback proposal is reported', async () => {
    const { app, wallet, relay, requester } = await request()
    const key = requester()
    const reason = { code: 5000, message: 'No.' }
    await wallet.run({ type: 'reject', id: proposalId, reason })
    await relay.idle()
    expect(eventsOf(app, 'resolved')).toMatchObject([['resolved', { id, error: { reason } }]])
    expect([stateOf(app), stateOf(wallet)]).toEqual([nothing, nothing])
    expect(app.keys.has(key)).toBe(false)
  })

  test('of an id that is not a number, or of this client’s own request, is not possible', async () => {
    const { app, wallet } = await request()
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
    const { app, wallet, relay, requester } = await request()
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
    const { app, wallet, relay, requester } = await request()
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
    const { app, relay, topic, authenticate, requester, pairing } = await open()
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

describe('after an abort', () => {
  test('a session that the wallet creates late is deleted', async () => {
    const { app, wallet, approve, relay } = await request({ payload: withSession })
    await app.run({ type: 'abort', id })
    expect(app.events).toEqual([])
    await approve()
    await expect
      .poll(() => eventsOf(wallet, 'session_delete'), { interval: 1 })
      .toMatchObject([['session_delete', { reason: { code: 5000, message: 'User rejected.' } }]])
    await relay.idle()
    expect([stateOf(app), stateOf(wallet).sessions]).toEqual([nothing, 0])
    expect(app.events).toEqual([])
    const stored = JSON.parse((await app.store.getItem('wc@2:core:0.3//keychain')) ?? '{}')
    expect(stored).toEqual({})
  })

  test('signatures that arrive late are dropped', async () => {
    const { app, approve, relay } = await request()
    await app.run({ type: 'abort', id })
    const count = relay.published.length
    await approve()
    expect([stateOf(app), app.events, relay.published.length]).toEqual([nothing, [], count + 1])
  })

  test('the fallback proposal cannot be approved', async () => {
    const { app, wallet, relay } = await request()
    await app.run({ type: 'abort', id })
    await wallet.run({ type: 'approve', id: proposalId, settleId: id + 70, namespaces: granted })
    await relay.idle()
    expect([stateOf(app).sessions, stateOf(wallet).sessions]).toEqual([0, 0])
  })
})

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
    const opened = await open({
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

test('a pending sign-in request is emitted again 1 s after a restart', async () => {
  const store = createMemoryStore()
  const { wallet, relay, app } = await request({ wallet: { store } })
  await wallet.engine.close()
  const next = await openEngine(relay, { store })
  next.clock.advance(999)
  expect(next.events).toEqual([])
  next.clock.advance(1)
  await expect
    .poll(() => eventsOf(next, 'session_authenticate'), { interval: 1 })
    .toEqual(eventsOf(wallet, 'session_authenticate'))
  await app.engine.close()
})
