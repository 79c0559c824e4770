import { describe, expect, test } from 'vitest'
import { createKeychain, type Keychain } from '../../crypto/createKeychain.ts'
import { createSymKey, hashKey, hashMessage } from '../../crypto/keys.ts'
import { formatPairingUri } from '../../pairingUri.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { createMemoryRelay } from '../../testing/createMemoryRelay.ts'
import {
  type Client,
  createPeer,
  granted,
  metadataOf,
  now,
  openEngine,
} from '../../testing/engines.ts'
import {
  authPayload,
  eventsOf,
  id,
  nothing,
  openSignIn,
  proposalId,
  requestSignIn,
  sign,
  stateOf,
  withSession,
} from '../../testing/signIn.ts'

describe('a sign-in request', () => {
  test('is sent with a fallback proposal', async () => {
    const { relay, wallet, app, topic, requester } = await requestSignIn()
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
    const { relay, authenticate, wallet } = await requestSignIn()
    await authenticate()
    expect(relay.published).toHaveLength(2)
    const again = await openSignIn()
    await again.authenticate({ methods: ['personal_sign'] })
    expect(again.app.stores.proposals.values()[0]?.optionalNamespaces['eip155']?.methods).toEqual([
      'personal_sign',
    ])
    expect(wallet.events).toHaveLength(1)
  })

  test('can use an existing pairing, and extends its expiry; an unknown pairing is rejected', async () => {
    const { relay, app, wallet, topic, authenticate, approve } = await requestSignIn()
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
    const { relay, app, authenticate } = await openSignIn()
    relay.onCall = () => {
      throw new Error('offline')
    }
    await expect(authenticate()).rejects.toThrow('offline')
    expect(stateOf(app)).toEqual(nothing)
    expect(app.engine.snapshot().pairings).toEqual([])
  })

  test('rejects with the relay’s error if it is deleted meanwhile', async () => {
    const { relay, app, authenticate } = await openSignIn()
    relay.onCall = async () => {
      await app.stores.records.delete(id)
      throw new Error('offline')
    }
    await expect(authenticate()).rejects.toThrow('offline')
  })

  test('is not published if it is aborted before', async () => {
    const { relay, app, authenticate } = await openSignIn()
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
    const { relay, approve, topic } = await requestSignIn({ app: { verify } })
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
    const { app, wallet, requester } = await requestSignIn()
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
    const { relay, wallet, authenticate, topic } = await requestSignIn()
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
    const { wallet, relay, authenticate, uri } = await openSignIn()
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
      const { app, approve } = await requestSignIn({
        payload: withSession,
        [side]: { keys: { ...keys, agree } },
      })
      await expect(approve()).rejects.toThrow('disk full')
      expect(app.events).toEqual([])
    },
  )

  test('attack: is not ended by a response on the topic of its pairing', async () => {
    const { app, wallet, relay, topic, approve } = await requestSignIn()
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
    const { wallet, relay, app, topic } = await requestSignIn({ wallet: { verify } })
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

describe('after an abort', () => {
  test('a session that the wallet creates late is deleted', async () => {
    const { app, wallet, approve, relay } = await requestSignIn({ payload: withSession })
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
    const { app, approve, relay } = await requestSignIn()
    await app.run({ type: 'abort', id })
    const count = relay.published.length
    await approve()
    expect([stateOf(app), app.events, relay.published.length]).toEqual([nothing, [], count + 1])
  })

  test('the fallback proposal cannot be approved', async () => {
    const { app, wallet, relay } = await requestSignIn()
    await app.run({ type: 'abort', id })
    await wallet.run({ type: 'approve', id: proposalId, settleId: id + 70, namespaces: granted })
    await relay.idle()
    expect([stateOf(app).sessions, stateOf(wallet).sessions]).toEqual([0, 0])
  })
})

test('a pending sign-in request is emitted again 1 s after a restart', async () => {
  const store = createMemoryStore()
  const { wallet, relay, app } = await requestSignIn({ wallet: { store } })
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
