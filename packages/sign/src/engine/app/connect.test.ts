import { describe, expect, test } from 'vitest'
import { createKeychain, type Keychain } from '../../crypto/createKeychain.ts'
import { createSymKey, hashMessage } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { createMemoryRelay } from '../../testing/createMemoryRelay.ts'
import {
  createPeer,
  firstId,
  granted,
  type Json,
  metadataOf,
  now,
  openEngine,
} from '../../testing/engines.ts'

const jsonrpc = '2.0'
const id = firstId
const optionalNamespaces = {
  eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] },
}
const controllerMetadata = metadataOf('peer')

/** An app, and a wallet that has scanned the URI of a new pairing. */
async function open(options: Parameters<typeof openEngine>[1] = {}) {
  const relay = createMemoryRelay()
  const peer = await createPeer(relay)
  const client = await openEngine(relay, options)
  const symKey = createSymKey()
  const topic = await peer.keys.setSymKey(symKey)
  await peer.relayer.subscribe(topic)
  const pairing = { topic, symKey, expiry: now + 200 }
  const connect = (change: object = {}) =>
    client.run({
      type: 'connect',
      id,
      pairing,
      pairingTopic: topic,
      optionalNamespaces,
      relays: [{ protocol: 'irn' }],
      ...change,
    })
  const proposer = () => {
    const { params = {} } = peer.requests('wc_sessionPropose')[0] ?? {}
    return (params as { proposer?: { publicKey: string } }).proposer?.publicKey ?? ''
  }
  /** As the wallet, responds to the proposal with a key. */
  const answer = (responderPublicKey: unknown) =>
    peer.send(topic, { id, result: { relay: { protocol: 'irn' }, responderPublicKey } })
  /** As the wallet, approves the proposal. @returns a function that settles the session */
  async function approve() {
    const publicKey = await peer.keys.createKeyPair()
    const { topic: sessionTopic } = await peer.keys.agree(publicKey, proposer())
    await peer.relayer.subscribe(sessionTopic)
    await answer(publicKey)
    const settle = (change: Json = {}, settleId?: number) =>
      peer.ask(
        sessionTopic,
        'wc_sessionSettle',
        {
          relay: { protocol: 'irn' },
          controller: { publicKey, metadata: controllerMetadata },
          namespaces: granted,
          expiry: now + 604_800,
          ...change,
        },
        settleId,
      )
    return { publicKey, sessionTopic, settle }
  }
  return { ...client, relay, peer, topic, pairing, connect, proposer, answer, approve }
}

/** An app that has sent a proposal. */
async function propose(options: Parameters<typeof openEngine>[1] = {}, change: object = {}) {
  const opened = await open(options)
  await opened.connect(change)
  await opened.relay.idle()
  return opened
}

describe('connect', () => {
  test('sends a proposal', async () => {
    const { relay, peer, proposer, engine, topic, keys, relayer, stores } = await propose(
      {},
      { sessionProperties: { a: 1 }, scopedProperties: { eip155: { b: 2 } } },
    )
    expect(peer.requests('wc_sessionPropose')).toEqual([
      {
        id,
        jsonrpc,
        method: 'wc_sessionPropose',
        params: {
          id,
          pairingTopic: topic,
          requiredNamespaces: {},
          optionalNamespaces,
          relays: [{ protocol: 'irn' }],
          proposer: { publicKey: proposer(), metadata: metadataOf('client') },
          expiryTimestamp: now + 300,
          sessionProperties: { a: 1 },
          scopedProperties: { eip155: { b: 2 } },
        },
      },
    ])
    expect(relay.published).toMatchObject([{ topic, correlationId: id, attestation: undefined }])
    expect(engine.snapshot()).toMatchObject({
      proposals: [],
      pairings: [{ topic, active: false, expiry: now + 300, relay: { protocol: 'irn' } }],
      pendingOutgoing: [],
    })
    expect([keys.has(proposer()), relayer.topics.has(topic)]).toEqual([true, true])
    expect(stores.records.get(id)).toMatchObject({ sent: true, deadline: now + 300 })
  })

  test('does not send properties that are not given, and sends a proposal only once', async () => {
    const { connect, peer, relay } = await propose()
    const [sent] = peer.requests('wc_sessionPropose')
    expect(Object.keys(sent?.params ?? {})).not.toContain('sessionProperties')
    expect(Object.keys(sent?.params ?? {})).not.toContain('scopedProperties')
    await connect()
    expect(relay.published).toHaveLength(1)
  })

  test('deletes the proposal and the pairing if the relay is unavailable', async () => {
    const { connect, relay, stores, engine, topic, keys } = await open()
    relay.onCall = () => {
      throw new Error('offline')
    }
    await expect(connect()).rejects.toThrow('offline')
    expect(engine.snapshot().pairings).toEqual([])
    expect([stores.proposals.values(), stores.records.values(), keys.has(topic)]).toEqual([
      [],
      [],
      false,
    ])
  })

  test('resends a proposal that the relay did not store, with the same key', async () => {
    const store = createMemoryStore()
    const { connect, relay, engine, stores, proposer } = await open({ store })
    let called = 0
    relay.onCall = (method) =>
      method === 'propose' && (called += 1) > 0 ? new Promise(() => {}) : undefined
    void connect().catch(() => undefined)
    await expect.poll(() => called).toBe(1)
    const [stored] = stores.proposals.values()
    await engine.close()
    relay.onCall = () => undefined
    const next = await openEngine(relay, { store })
    await next.run({
      type: 'connect',
      id,
      pairing: undefined,
      pairingTopic: stored?.pairingTopic ?? '',
      optionalNamespaces,
      relays: [{ protocol: 'irn' }],
    })
    await relay.idle()
    expect(proposer()).toBe(stored?.proposer.publicKey)
    expect(next.stores.records.get(id)?.unsent).toBeUndefined()
  })

  test('does not shorten the expiry of an existing pairing', async () => {
    const { connect, relay, topic, stores, approve, engine } = await propose()
    await (await approve()).settle()
    await stores.pairings.set({ ...stores.pairings.get(topic)!, expiry: now + 1_000 })
    await connect({ id: id + 50_000, pairing: undefined, pairingTopic: topic })
    await relay.idle()
    expect(engine.snapshot().pairings).toMatchObject([{ expiry: now + 1_000 }])
  })

  test('uses an existing pairing and extends its expiry; rejects an unknown pairing', async () => {
    const { connect, relay, topic, stores, peer, approve, engine } = await propose()
    await (await approve()).settle()
    await stores.pairings.set({ ...stores.pairings.get(topic)!, expiry: now + 100 })
    const second = { id: id + 50_000, pairing: undefined, pairingTopic: topic }
    await connect(second)
    await relay.idle()
    expect(engine.snapshot().pairings).toMatchObject([{ active: true, expiry: now + 300 }])
    // A rejection does not delete a pairing that was active.
    await peer.send(topic, { id: second.id, error: { code: 1, message: 'No.' } })
    expect(engine.snapshot().pairings).toHaveLength(1)
    const missing = 'a'.repeat(64)
    await expect(
      connect({ id: id + 60_000, pairing: undefined, pairingTopic: missing }),
    ).rejects.toThrow(`No matching key. pairing topic doesn't exist: ${missing}`)
    await expect(
      connect({ id: id + 60_000, pairing: undefined, pairingTopic: ' ' }),
    ).rejects.toThrow('Missing or invalid. pairing topic should be a string:  ')
  })

  test('rejects with the relay’s error if the proposal is deleted meanwhile', async () => {
    const { connect, relay, stores } = await open()
    relay.onCall = async () => {
      await stores.proposals.delete(id)
      throw new Error('offline')
    }
    await expect(connect()).rejects.toThrow('offline')
  })

  test('does not resend a proposal whose record is lost', async () => {
    const { connect, relay, stores } = await propose()
    await stores.records.delete(id)
    await connect()
    expect(relay.published).toHaveLength(1)
  })

  test('does not publish a proposal that is aborted meanwhile', async () => {
    const { connect, run, relay, stores, engine } = await open()
    const connecting = connect()
    await run({ type: 'abort', id })
    await connecting
    expect(relay.published).toEqual([])
    expect([stores.proposals.values(), engine.snapshot().pairings]).toEqual([[], []])
  })
})

describe('the attestation of a proposal', () => {
  const verifyWith = (attest: () => Promise<string | undefined>) => {
    const asked: unknown[] = []
    const verify = {
      attest: (parameters: unknown) => {
        asked.push(parameters)
        return attest()
      },
      check: async () => ({}) as never,
      prefetch: () => {},
      close: () => {},
    }
    return { verify, asked }
  }

  test('is sent with the proposal if it arrives in time', async () => {
    const { verify, asked } = verifyWith(async () => 'jwt')
    const { connect, relay, peer, topic } = await open({ verify })
    // The socket opens only when the attestation has arrived.
    relay.onCall = () => expect.poll(() => asked.length).toBe(1)
    await connect()
    await relay.idle()
    expect(relay.published).toMatchObject([{ attestation: 'jwt' }])
    const message = relay.published[0]?.message ?? ''
    const { text } = await peer.keys.decode(topic, message)
    expect(asked).toEqual([
      { encryptedId: await hashMessage(message), decryptedId: await hashMessage(text) },
    ])
  })

  test.each([
    ['is sent with the same proposal again if it arrives later', 'jwt', false, [undefined, 'jwt']],
    ['is not sent if the proposal was rejected meanwhile', 'jwt', true, [undefined, undefined]],
    ['is not sent if there is none', undefined, false, [undefined]],
  ])('%s', async (_what, attestation, rejects, sent) => {
    let resolve = (_value: string | undefined) => {}
    const { verify, asked } = verifyWith(() => new Promise((next) => (resolve = next)))
    const { relay, peer, topic } = await propose({ verify })
    await expect.poll(() => asked.length, { interval: 1 }).toBe(1)
    if (rejects) await peer.send(topic, { id, error: { code: 1, message: 'No.' } })
    resolve(attestation)
    await relay.idle()
    expect(relay.published.map((each) => each.attestation)).toEqual(sent)
    const again = relay.published.filter((each) => each.attestation === 'jwt')
    const publishing = { tag: 1100, ttl: 300, prompt: true, topic }
    expect(again).toMatchObject(
      again.map(() => ({ message: relay.published[0]?.message, ...publishing })),
    )
  })
})

describe('the response to a proposal', () => {
  test('§4.18.4/1 is followed by the settlement of a session', async () => {
    const { approve, engine, topic, events, stores, proposer, relayer, keys, relay } =
      await propose()
    const { settle, sessionTopic, publicKey } = await approve()
    expect(relayer.topics.has(sessionTopic)).toBe(true)
    expect(engine.snapshot()).toMatchObject({ sessions: [], proposals: [] })
    expect(engine.snapshot().pairings).toMatchObject([{ active: true, expiry: now + 300 }])
    const more = { sessionProperties: { a: 1 }, sessionConfig: { b: 2 } }
    const settled = await settle(more, id + 7_000)
    expect(settled).toEqual({ id: id + 7_000, jsonrpc, result: true })
    expect(relay.published.at(-1)).toMatchObject({ tag: 1103, ttl: 300, prompt: false })
    const session = {
      topic: sessionTopic,
      relay: { protocol: 'irn' },
      namespaces: granted,
      expiry: now + 604_800,
      ...more,
      acknowledged: true,
      pairingTopic: topic,
      requiredNamespaces: {},
      optionalNamespaces,
      controller: publicKey,
      self: { publicKey: proposer(), metadata: metadataOf('client') },
      peer: { publicKey, metadata: controllerMetadata },
      transportType: 'relay',
    }
    expect(events).toEqual([
      ['session_connect', { session }],
      ['resolved', { id, result: session }],
    ])
    expect(engine.snapshot().sessions).toEqual([session])
    expect(engine.snapshot().pairings).toMatchObject([{ peerMetadata: controllerMetadata }])
    expect([stores.proposals.values(), stores.records.get(id)]).toEqual([[], undefined])
    expect([proposer(), sessionTopic].map((tag) => keys.has(tag))).toEqual([true, true])
    // After a crash of the app, the wallet repeats the settlement.
    events.length = 0
    expect(await settle({}, id + 8_000)).toMatchObject({ result: true })
    expect(relay.published.at(-1)).toMatchObject({ tag: 1103, ttl: 300, prompt: false })
    expect(stores.records.has(id + 8_000)).toBe(true)
    expect([events, engine.snapshot().sessions]).toEqual([[], [session]])
  })

  test('may reject it', async () => {
    const { peer, topic, events, engine, stores, keys, proposer, relayer } = await propose()
    const error = { code: 5000, message: 'No.' }
    await peer.send(topic, { id, error })
    expect(events).toMatchObject([
      ['resolved', { id, error: { name: 'PeerError', reason: error } }],
    ])
    expect([engine.snapshot().pairings, stores.proposals.values()]).toEqual([[], []])
    expect([stores.records.values(), relayer.topics.size]).toEqual([[], 0])
    expect([proposer(), topic].map((tag) => keys.has(tag))).toEqual([false, false])
    await peer.send(topic, { id, error })
    expect(events).toHaveLength(1)
  })

  test.each([
    ['without a key', undefined],
    ['with an invalid key', 'a'],
    ['with a key of low order', '0'.repeat(64)],
  ])('%s is ignored; another wallet can still respond', async (_what, key) => {
    const { answer, approve, events, engine } = await propose()
    await answer(key)
    expect(events).toEqual([])
    const { settle, sessionTopic } = await approve()
    await settle()
    expect(engine.snapshot().sessions).toMatchObject([{ topic: sessionTopic }])
  })

  test('without a result is ignored', async () => {
    const { peer, topic, events, relay } = await propose()
    await peer.send(topic, { id, result: null })
    await relay.idle()
    expect(events).toEqual([])
  })

  test('settles the proposal to which it belongs', async () => {
    const { approve, connect, stores, engine, topic, events } = await propose()
    const proposal = stores.proposals.get(id)!
    await connect({ id: id + 50_000, pairing: undefined, pairingTopic: topic })
    // The other proposal is the first now.
    await stores.proposals.delete(id)
    await stores.proposals.set(proposal)
    await (await approve()).settle()
    expect(engine.snapshot().sessions).toHaveLength(1)
    expect(events.at(-1)).toMatchObject(['resolved', { id }])
  })

  test('of a second wallet is ignored', async () => {
    const { approve, events, engine, peer, topic } = await propose()
    const first = await approve()
    const second = await approve()
    await peer.send(topic, { id, error: { code: 1, message: 'No.' } })
    expect(events).toEqual([])
    expect(await second.settle()).toBeUndefined()
    await first.settle()
    expect(engine.snapshot().sessions).toMatchObject([{ topic: first.sessionTopic }])
  })

  test('is not handled if the key of the session cannot be stored', async () => {
    const keys = await createKeychain({ store: createMemoryStore(), key: 'keys' })
    const agree: Keychain['agree'] = async (...parameters) => ({
      ...(await keys.agree(...parameters)),
      stored: Promise.reject(new Error('disk full')),
    })
    const { approve } = await propose({ keys: { ...keys, agree } })
    await expect(approve()).rejects.toThrow('disk full')
  })

  test('fails the proposal if the app cannot subscribe to the session', async () => {
    const { answer, peer, relay, events, engine } = await propose()
    relay.onCall = (method) => {
      if (method === 'subscribe') throw new Error('offline')
    }
    await answer(await peer.keys.createKeyPair())
    await expect
      .poll(() => events)
      .toMatchObject([['resolved', { id, error: { name: 'RelayError', details: 'offline' } }]])
    expect(engine.snapshot()).toMatchObject({ sessions: [] })
  })

  test('must arrive within 5 minutes; otherwise the proposal expires', async () => {
    const { clock, events, stores, engine } = await propose()
    clock.advance(299_999)
    expect(stores.proposals.values()).toHaveLength(1)
    clock.advance(1)
    await expect
      .poll(() => events)
      .toMatchObject([
        ['resolved', { id, error: { name: 'ExpiredError', message: 'Proposal expired' } }],
        ['proposal_expire', { id }],
      ])
    expect([stores.proposals.values(), engine.snapshot().pairings]).toEqual([[], []])
  })
})

describe('a settlement is refused', () => {
  test.each<[string, Json]>([
    ['without namespaces', { namespaces: {} }],
    [
      'with a key that differs from that in the response',
      { controller: { publicKey: 'a'.repeat(64) } },
    ],
    ['that has expired', { expiry: now }],
    [
      'with a namespace that was not proposed',
      { namespaces: { solana: { accounts: ['solana:1:a'], methods: [], events: [] } } },
    ],
  ])('%s', async (_what, change) => {
    const { approve, events, engine, stores, relayer, keys, relay } = await propose()
    const { settle, sessionTopic } = await approve()
    const controller = change['controller'] as object | undefined
    const terms = controller
      ? { controller: { ...controller, metadata: controllerMetadata } }
      : change
    expect(await settle(terms)).toMatchObject({ error: { code: 1005 } })
    expect(relay.published.at(-1)).toMatchObject({ tag: 1103, ttl: 300, prompt: false })
    expect(events).toMatchObject([
      ['resolved', { id, error: { name: 'PeerError', reason: { code: 1005 } } }],
    ])
    expect([engine.snapshot().sessions, stores.proposals.values()]).toEqual([[], []])
    expect([relayer.topics.has(sessionTopic), keys.has(sessionTopic)]).toEqual([false, false])
  })

  test('of an aborted proposal, so that no wallet keeps a session', async () => {
    const { approve, run, events, engine } = await propose()
    await run({ type: 'abort', id })
    expect(events).toEqual([])
    const { settle } = await approve()
    expect(engine.snapshot().pairings).toMatchObject([{ active: false }])
    expect(await settle()).toMatchObject({ error: { code: 5000, message: 'User rejected.' } })
    expect(engine.snapshot()).toMatchObject({ sessions: [], pairings: [] })
  })

  test('of a proposal that is aborted while the session’s key is derived', async () => {
    const keys = await createKeychain({ store: createMemoryStore(), key: 'keys' })
    const agree: Keychain['agree'] = async (...parameters) => {
      await run({ type: 'abort', id })
      return keys.agree(...parameters)
    }
    const { approve, run, events, engine } = await propose({ keys: { ...keys, agree } })
    const { settle } = await approve()
    expect(await settle()).toMatchObject({ error: { code: 5000 } })
    expect(engine.snapshot()).toMatchObject({ sessions: [], pairings: [] })
    expect(events.map(([name]) => name)).not.toContain('session_connect')
  })

  test('without a response by a client that does not have the proposal', async () => {
    const { approve, stores, events, engine } = await propose()
    const { settle } = await approve()
    await stores.proposals.delete(id)
    expect(await settle({}, id + 7_000)).toBeUndefined()
    expect([events, engine.snapshot().sessions, stores.records.has(id + 7_000)]).toEqual([
      [],
      [],
      false,
    ])
  })

  test('without a response by a wallet, for a session that it settled', async () => {
    const { approve, stores, engine } = await propose()
    const { settle } = await approve()
    await settle()
    const [session] = engine.snapshot().sessions
    await stores.sessions.set({ ...session!, controller: session!.self.publicKey })
    expect(await settle({}, id + 7_000)).toBeUndefined()
    expect(stores.records.has(id + 7_000)).toBe(false)
  })
})

test('an aborted proposal expires without an event', async () => {
  const { clock, events, stores, run, engine } = await propose()
  await run({ type: 'abort', id })
  clock.advance(300_000)
  await expect.poll(() => stores.proposals.values()).toEqual([])
  await expect.poll(() => engine.snapshot().pairings).toEqual([])
  expect(events).toEqual([])
})

test('a proposal survives a restart between the response and the settlement', async () => {
  const store = createMemoryStore()
  const { approve, engine, relay, peer } = await propose({ store })
  const { sessionTopic, publicKey } = await approve()
  await engine.close()
  const next = await openEngine(relay, { store })
  expect(next.relayer.topics.has(sessionTopic)).toBe(true)
  await peer.ask(sessionTopic, 'wc_sessionSettle', {
    controller: { publicKey, metadata: controllerMetadata },
    namespaces: granted,
    expiry: now + 604_800,
  })
  expect(next.events).toMatchObject([
    ['session_connect', {}],
    ['resolved', { id }],
  ])
})
