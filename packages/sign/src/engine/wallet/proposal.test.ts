import { describe, expect, test } from 'vitest'
import { createKeychain, type Keychain } from '../../crypto/createKeychain.ts'
import { hashMessage } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import {
  firstId,
  granted,
  type Json,
  metadataOf,
  now,
  openEngine,
  openWallet as open,
} from '../../testing/engines.ts'

const unverified = {
  verified: { verifyUrl: '', validation: 'UNKNOWN', origin: 'https://peer.example' },
}
const optionalNamespaces = {
  eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] },
}
const reason = { code: 5000, message: 'User rejected.' }
const missing = 'a'.repeat(64)

/** A wallet with a pending proposal. */
async function receive(params: Json = { optionalNamespaces }, options = {}) {
  const opened = await open(options)
  await opened.run({ type: 'pair', uri: opened.uri })
  const id = await opened.propose(params)
  const settleId = id + 1
  const approve = (change: object = {}) =>
    opened.run({ type: 'approve', id, settleId, namespaces: granted, ...change })
  /** As the app, derives the session's key and subscribes to the session's topic. */
  async function join() {
    const { result } = opened.answerTo(id) as { result: { responderPublicKey: string } }
    const { topic } = await opened.peer.keys.agree(
      opened.proposer.publicKey,
      result.responderPublicKey,
    )
    await opened.peer.relayer.subscribe(topic)
    await opened.relay.idle()
    return { topic, ...result }
  }
  return { ...opened, id, settleId, approve, join }
}

describe('pair', () => {
  test.each([
    ['a blank text', ' ', /^Missing or invalid. pair\(\) uri: {2}$/],
    ['a number', 5, /^Missing or invalid. pair\(\) uri: 5$/],
    ['another text', 'hello', /^Missing or invalid. pair\(\) uri: hello\. \S.*\S$/],
    [
      'a key that does not fit the topic',
      `wc:${missing}@2?relay-protocol=irn&symKey=${missing}`,
      /^Missing or invalid. pair\(\) uri#symKey$/,
    ],
  ])('rejects %s', async (_what, uri, text) => {
    const { run, engine } = await open()
    const error: unknown = await run({ type: 'pair', uri: uri as string }).catch(
      (it: unknown) => it,
    )
    expect(error).toMatchObject({
      shortMessage: expect.stringMatching(text) as string,
    })
    expect(engine.snapshot().pairings).toEqual([])
  })

  test.each([
    ['without an expiry', '', now + 300, {}],
    ['with an expiry', `&expiryTimestamp=${now + 100}`, now + 100, {}],
    [
      'with methods',
      '&methods=wc_sessionPropose,wc_sessionAuthenticate',
      now + 300,
      { methods: ['wc_sessionPropose', 'wc_sessionAuthenticate'] },
    ],
  ])('subscribes to the topic of a URI %s', async (_what, more, expiry, methods) => {
    const { run, uri, engine, pairingTopic, relayer, keys } = await open()
    const pairing = {
      topic: pairingTopic,
      expiry,
      active: false,
      relay: { protocol: 'irn' },
      ...methods,
    }
    expect(await run({ type: 'pair', uri: uri + more })).toEqual(pairing)
    expect(engine.snapshot().pairings).toEqual([pairing])
    expect([relayer.topics.has(pairingTopic), keys.has(pairingTopic)]).toEqual([true, true])
  })

  test('rejects a URI that has expired', async () => {
    const { run, uri, sleep } = await open()
    const expiring = `${uri}&expiryTimestamp=${now + 100}`
    await run({ type: 'pair', uri: expiring })
    sleep(101_000)
    await expect(run({ type: 'pair', uri: expiring })).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: 'Expired. pair() URI has expired. Please try again with a new connection URI.',
    })
  })

  test('deletes the pairing if the relay is unavailable, but not one that existed', async () => {
    const { run, uri, relay, engine, keys, pairingTopic } = await open()
    const fail = () => {
      throw new Error('offline')
    }
    relay.onCall = fail
    await expect(run({ type: 'pair', uri })).rejects.toThrow('offline')
    expect([engine.snapshot().pairings, keys.has(pairingTopic)]).toEqual([[], false])
    relay.onCall = () => undefined
    await run({ type: 'pair', uri })
    relay.onCall = fail
    await expect(run({ type: 'pair', uri })).rejects.toThrow('offline')
    expect(engine.snapshot().pairings).toHaveLength(1)
  })

  test('emits no proposal of another pairing', async () => {
    const { run, events, keys } = await receive()
    const symKey = 'd'.repeat(64)
    const topic = await keys.setSymKey(symKey)
    await run({ type: 'pair', uri: `wc:${topic}@2?relay-protocol=irn&symKey=${symKey}` })
    expect(events).toHaveLength(1)
  })

  test('§4.18.3 emits a pending proposal again, until the pairing is active', async () => {
    const { run, uri, events, id, approve } = await receive()
    expect(events).toHaveLength(1)
    await run({ type: 'pair', uri })
    expect(events).toHaveLength(2)
    expect(events[1]).toEqual(events[0])
    expect(events[0]).toMatchObject(['session_proposal', { id }])
    await approve()
    await expect(run({ type: 'pair', uri })).rejects.toMatchObject({
      code: 'sign.pairing_exists',
      shortMessage: expect.stringMatching(/^Pairing already exists: /) as string,
    })
    expect(events).toHaveLength(2)
  })
})

describe('a proposal', () => {
  const names = (length: number) => Array.from({ length }, (_, index) => `m${index}`)
  const chains = (length: number) => Array.from({ length }, (_, index) => `eip155:${index + 1}`)
  const entries = (length: number) =>
    Object.fromEntries(chains(length).map((chain) => [chain, { methods: [], events: [] }]))

  test.each<[string, object]>([
    ['500 entries', entries(500)],
    ['5,000 chains', { eip155: { chains: chains(5_000), methods: [], events: [] } }],
    [
      '500 methods and 500 events',
      { eip155: { chains: chains(1), methods: names(500), events: names(500) } },
    ],
  ])('may have %s', async (_what, optionalNamespaces) => {
    const { events } = await receive({ optionalNamespaces })
    expect(events).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['501 entries', entries(501)],
    ['5,001 chains', { ...entries(1), eip155: { chains: chains(5_000), methods: [], events: [] } }],
    ['501 methods', { eip155: { chains: chains(1), methods: names(501), events: [] } }],
    ['501 events', { eip155: { chains: chains(1), methods: [], events: names(501) } }],
  ])('attack: is rejected if it has %s', async (_what, namespaces) => {
    for (const kind of ['requiredNamespaces', 'optionalNamespaces']) {
      const { events, id, answerTo } = await receive({ [kind]: namespaces })
      expect(events).toEqual([])
      expect(answerTo(id)).toMatchObject({ error: { code: 5104 } })
    }
  })

  test('is stored and emitted', async () => {
    const { id, events, engine, proposer, pairingTopic } = await receive({
      optionalNamespaces,
      sessionProperties: { a: 1 },
      relays: [{ protocol: 'x' }],
    })
    const params = {
      id,
      pairingTopic,
      proposer,
      requiredNamespaces: {},
      optionalNamespaces,
      relays: [{ protocol: 'x' }],
      sessionProperties: { a: 1 },
      expiryTimestamp: now + 300,
    }
    expect(events).toEqual([['session_proposal', { id, params, verifyContext: unverified }]])
    expect(engine.snapshot().proposals).toEqual([{ ...params, verifyContext: unverified }])
  })

  test.each([
    [now + 100, now + 100],
    [now + 1_000, now + 300],
  ])('that expires at %i is shown until %i', async (expiryTimestamp, expiry) => {
    const { engine, pairingTopic } = await receive({ expiryTimestamp })
    const { proposals, pairings } = engine.snapshot()
    expect(proposals).toMatchObject([{ expiryTimestamp: expiry }])
    expect(pairings).toMatchObject([{ topic: pairingTopic, expiry: now + 300 }])
  })

  test('that expires before its pairing does not delete the pairing', async () => {
    const { clock, engine, relay } = await receive({ expiryTimestamp: now + 100 })
    clock.advance(100_000)
    await relay.idle()
    expect(engine.snapshot()).toMatchObject({ proposals: [], pairings: [{ active: false }] })
  })

  test('attack: does not extend a pairing without a session, with which it expires at the latest', async () => {
    const { run, uri, engine, propose, sleep, relay } = await open()
    await run({ type: 'pair', uri: `${uri}&expiryTimestamp=${now + 100}` })
    await propose({ expiryTimestamp: now + 50 })
    sleep(20_000)
    await propose({ expiryTimestamp: now + 150 })
    await relay.idle()
    expect(engine.snapshot()).toMatchObject({
      pairings: [{ expiry: now + 100 }],
      proposals: [{ expiryTimestamp: now + 50 }, { expiryTimestamp: now + 100 }],
    })
  })

  test('extends a pairing with a session, for 5 min at most', async () => {
    const { approve, engine, propose, relay, sleep } = await receive()
    await approve()
    sleep(100_000)
    await propose({ expiryTimestamp: now + 1_000 })
    await relay.idle()
    expect(engine.snapshot().pairings).toMatchObject([{ active: true, expiry: now + 400 }])
  })

  test('names the relay protocol if the app does not', async () => {
    const { engine } = await receive()
    expect(engine.snapshot().proposals).toMatchObject([{ relays: [{ protocol: 'irn' }] }])
  })

  test('that has expired is dropped', async () => {
    const { engine, events, id, answerTo } = await receive({ expiryTimestamp: now })
    expect([events, engine.snapshot().proposals, answerTo(id)]).toEqual([[], [], undefined])
  })

  test.each([
    ['namespaces as text', { optionalNamespaces: 'all' }, 5104, /connect\(\) params/],
    [
      'invalid chains',
      { optionalNamespaces: { eip155: { chains: ['1'], methods: [], events: [] } } },
      5104,
      /^Unsupported chains. connect\(\) optionalNamespaces/,
    ],
    [
      'invalid required methods',
      { requiredNamespaces: { eip155: { chains: ['eip155:1'], methods: 'all', events: [] } } },
      5104,
      /^Unsupported methods. connect\(\)/,
    ],
    [
      'empty namespaces and an invalid proposer',
      { requiredNamespaces: {}, optionalNamespaces: {}, proposer: {} },
      5104,
      /^Missing or invalid. connect\(\) params/,
    ],
    ['a property without a value', { sessionProperties: { a: null } }, 5104, /connect\(\) params/],
  ])('with %s is rejected', async (_what, params, code, message) => {
    const { id, engine, events, answerTo, relay } = await receive(params)
    expect(answerTo(id)).toMatchObject({
      error: { code, message: expect.stringMatching(message) as string },
    })
    expect(relay.published.at(-1)).toMatchObject({ tag: 1121, ttl: 300, prompt: false })
    expect([events, engine.snapshot().proposals]).toEqual([[], []])
  })

  test('without params is rejected', async () => {
    const { run, uri, peer, pairingTopic } = await open()
    await run({ type: 'pair', uri })
    expect(await peer.ask(pairingTopic, 'wc_sessionPropose', 'x')).toMatchObject({
      error: { code: 5104 },
    })
  })

  test('attack: more than 100 pending proposals of a pairing are rejected', async () => {
    const { run, uri, propose, stores, answerTo, engine, pairingTopic } = await receive()
    const [first] = stores.proposals.values()
    for (let id = 1; id <= 98; id += 1) await stores.proposals.set({ ...first!, id })
    for (let id = 101; id <= 200; id += 1)
      await stores.proposals.set({ ...first!, id, pairingTopic: missing })
    await run({ type: 'pair', uri })
    expect(answerTo(await propose())).toBeUndefined()
    expect(answerTo(await propose())).toMatchObject({ error: { code: -32_005 } })
    const own = engine.snapshot().proposals.filter((it) => it.pairingTopic === pairingTopic)
    expect(own).toHaveLength(100)
  })

  test('outside a pairing is ignored', async () => {
    const { peer, keys, relayer, events, proposer, stores } = await open()
    const topic = await keys.setSymKey('c'.repeat(64))
    await peer.keys.setSymKey('c'.repeat(64))
    await Promise.all([relayer.subscribe(topic), peer.relayer.subscribe(topic)])
    expect(await peer.ask(topic, 'wc_sessionPropose', { proposer })).toBeUndefined()
    expect([events, stores.records.values()]).toEqual([[], []])
  })

  test('is checked with the verify service, and is dropped if the pairing is deleted meanwhile', async () => {
    const checked: unknown[] = []
    let prefetched = 0
    let during = async () => {}
    const verifyContext = { verified: { verifyUrl: 'v', validation: 'VALID', origin: 'o' } }
    const { run, uri, propose, events, engine, pairingTopic, relay, peer } = await open({
      verify: {
        attest: async () => undefined,
        check: async (parameters) => {
          checked.push(parameters)
          await during()
          return verifyContext as never
        },
        prefetch: () => (prefetched += 1),
        close: () => {},
      },
    })
    await run({ type: 'pair', uri })
    expect(prefetched).toBe(1)
    await propose({}, 'jwt')
    expect(events).toMatchObject([['session_proposal', { verifyContext }]])
    expect(engine.snapshot().proposals).toMatchObject([{ verifyContext }])
    const message = relay.published[0]?.message ?? ''
    const { text } = await peer.keys.decode(pairingTopic, message)
    expect(checked).toEqual([
      {
        attestation: 'jwt',
        encryptedId: await hashMessage(message),
        decryptedId: await hashMessage(text),
        peerUrl: 'https://peer.example',
      },
    ])
    during = async () => void (await run({ type: 'disconnect', topic: pairingTopic }))
    await propose()
    expect([events.length, engine.snapshot().proposals.length]).toEqual([1, 1])
  })

  test('attack: is invalid if its site is not the attested one, even if its universal link is', async () => {
    const attested = 'https://attacker.example'
    const { run, uri, proposer, propose, engine } = await open({
      verify: {
        attest: async () => undefined,
        check: async ({ peerUrl }) => {
          const validation = new URL(peerUrl).origin === attested ? 'VALID' : 'INVALID'
          return { verified: { verifyUrl: 'v', validation, origin: attested } }
        },
        prefetch: () => {},
        close: () => {},
      },
    })
    await run({ type: 'pair', uri })
    const metadata = {
      ...metadataOf('bank'),
      redirect: { universal: `${attested}/link` },
    }
    await propose({ proposer: { ...proposer, metadata } }, 'jwt')
    expect(engine.snapshot().proposals).toMatchObject([
      { verifyContext: { verified: { validation: 'INVALID', origin: attested } } },
    ])
  })

  test.each([
    ['is not emitted if the wallet handles sign-in requests', true, true, 0],
    ['is emitted if the wallet does not handle sign-in requests', true, false, 1],
    ['is emitted if the pairing is not for a sign-in', false, true, 1],
  ])('%s', async (_what, isSignIn, listens, count) => {
    const { run, uri, propose, events } = await open()
    if (listens) await run({ type: 'listen', name: 'session_authenticate' })
    await run({ type: 'listen', name: 'session_request' })
    await run({ type: 'pair', uri: isSignIn ? `${uri}&methods=wc_sessionAuthenticate` : uri })
    await propose()
    expect(events).toHaveLength(count)
  })
})

describe('approve', () => {
  test('§4.18.4/2 settles a session, which the app acknowledges', async () => {
    const {
      id,
      settleId,
      approve,
      join,
      relay,
      peer,
      engine,
      events,
      proposer,
      stores,
      pairingTopic,
    } = await receive()
    const more = {
      sessionProperties: { a: '1' },
      scopedProperties: { eip155: { b: '2' } },
      sessionConfig: { disableDeepLink: true },
    }
    const { topic } = (await approve(more)) as { topic: string }
    await relay.idle()
    const { topic: derived, responderPublicKey } = await join()
    expect(derived).toBe(topic)
    const self = { publicKey: responderPublicKey, metadata: metadataOf('client') }
    const expected = {
      topic,
      relay: { protocol: 'irn' },
      namespaces: granted,
      expiry: now + 604_800,
      ...more,
      requiredNamespaces: {},
      optionalNamespaces,
      pairingTopic,
      acknowledged: false,
      self,
      peer: proposer,
      controller: responderPublicKey,
      transportType: 'relay',
    }
    const { sessions, proposals, pairings } = engine.snapshot()
    expect([sessions, proposals]).toEqual([[expected], []])
    expect(pairings).toMatchObject([{ active: true, peerMetadata: proposer.metadata }])
    expect(peer.requests('wc_sessionSettle')).toMatchObject([
      {
        id: settleId,
        params: {
          relay: { protocol: 'irn' },
          namespaces: granted,
          controller: self,
          expiry: now + 604_800,
          ...more,
        },
      },
    ])
    expect(relay.published.at(-1)).toMatchObject({
      correlationId: id,
      approvedChains: ['eip155:1', 'eip155:10'],
      approvedMethods: ['personal_sign'],
      approvedEvents: ['chainChanged'],
      approvedAccounts: ['eip155:1:0xa', 'eip155:10:0xa'],
      sessionProperties: more.sessionProperties,
      scopedProperties: more.scopedProperties,
    })
    expect(stores.records.get(settleId)?.message).toBeUndefined()
    await peer.send(topic, { id: settleId, result: true })
    expect(engine.snapshot().sessions).toEqual([{ ...expected, acknowledged: true }])
    expect(events.at(-1)).toEqual([
      'resolved',
      { id: settleId, result: { ...expected, acknowledged: true } },
    ])
    expect(stores.records.get(settleId)).toBeUndefined()
    // Set only on sessions that a sign-in created.
    expect(Object.keys(sessions[0] ?? {})).not.toContain('authentication')
  })

  test('merges the methods and events of all namespaces', async () => {
    const { approve, relay, engine } = await receive()
    const namespaces = {
      eip155: { accounts: ['eip155:1:0xa'], methods: ['a', 'b'], events: ['e'] },
      solana: { accounts: ['solana:1:a'], methods: ['a', 'c'], events: ['e', 'f'] },
    }
    await approve({ namespaces, relayProtocol: 'other' })
    expect(relay.published.at(-1)).toMatchObject({
      approvedMethods: ['a', 'b', 'c'],
      approvedEvents: ['e', 'f'],
    })
    const [session] = engine.snapshot().sessions
    expect(session?.relay).toEqual({ protocol: 'other' })
    for (const name of ['sessionProperties', 'scopedProperties', 'sessionConfig'])
      expect(session).not.toHaveProperty(name)
  })

  test.each<[string, object, string]>([
    ['an id as text', { id: 'one' }, 'Missing or invalid. proposal id should be a number: one'],
    ['an unknown id', { id: 7 }, "No matching key. proposal id doesn't exist: 7"],
    ['no namespaces', { namespaces: {} }, 'Missing or invalid. approve(), namespaces should be'],
    [
      'a protocol that is not text',
      { relayProtocol: 5 },
      'Missing or invalid. approve() relayProtocol: 5',
    ],
    [
      'session properties as text',
      { sessionProperties: 'x' },
      'Missing or invalid. sessionProperties should be an object',
    ],
    [
      'scoped properties without a value',
      { scopedProperties: { eip155: null } },
      'Missing or invalid. scopedProperties must contain',
    ],
    [
      'scoped properties of another namespace',
      { scopedProperties: { solana: {} } },
      'Scoped properties must be a subset of approved namespaces, received: {"solana":{}}, approved namespaces: eip155',
    ],
    [
      'namespaces that do not satisfy the required ones',
      { namespaces: { solana: { accounts: ['solana:1:a'], methods: [], events: [] } } },
      'Non conforming namespaces. approve() namespaces keys',
    ],
  ])('rejects %s', async (_what, change, text) => {
    const { approve, relay, engine } = await receive({
      requiredNamespaces: { eip155: { chains: ['eip155:1'], methods: [], events: [] } },
    })
    await expect(approve(change)).rejects.toMatchObject({
      shortMessage: expect.stringContaining(text) as string,
    })
    expect(relay.published).toHaveLength(1)
    expect(engine.snapshot()).toMatchObject({ sessions: [], proposals: [{}] })
  })

  test('keeps the proposal if the relay is unavailable, so that the wallet can try again', async () => {
    const { approve, relay, engine, keys, stores } = await receive()
    const before = stores.records.values()
    relay.onCall = (method) => {
      if (method === 'approve') throw new Error('offline')
    }
    await expect(approve()).rejects.toThrow('offline')
    expect(engine.snapshot()).toMatchObject({ sessions: [], proposals: [{}] })
    expect(stores.records.values()).toEqual(before)
    relay.onCall = () => undefined
    const { topic } = (await approve()) as { topic: string }
    expect(keys.has(topic)).toBe(true)
    await expect(approve()).rejects.toThrow('Record was recently deleted - proposal:')
  })

  test('is run once if two tabs approve', async () => {
    const { approve, relay } = await receive()
    const results = await Promise.allSettled([approve(), approve()])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(relay.published).toHaveLength(3)
  })

  test('sends nothing if the key of the session cannot be stored', async () => {
    const keys = await createKeychain({ store: createMemoryStore(), key: 'keys' })
    const agreeWithNewKeyPair: Keychain['agreeWithNewKeyPair'] = async (peerPublicKey) => ({
      ...(await keys.agreeWithNewKeyPair(peerPublicKey)),
      stored: Promise.reject(new Error('disk full')),
    })
    const options = { keys: { ...keys, agreeWithNewKeyPair } }
    const { approve, id, answerTo, relay } = await receive({ optionalNamespaces }, options)
    await expect(approve()).rejects.toThrow('disk full')
    await relay.idle()
    expect(answerTo(id)).toBeUndefined()
  })

  test('rejects an expired proposal, which is deleted', async () => {
    const { approve, sleep, events, id, engine } = await receive()
    sleep(300_000)
    await expect(approve()).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: `Expired. proposal id: ${id}`,
    })
    expect(events.slice(1)).toEqual([['proposal_expire', { id }]])
    expect(engine.snapshot().proposals).toEqual([])
  })

  test('accepts a proposal until the second in which it expires', async () => {
    const { approve, sleep } = await receive()
    sleep(299_999)
    expect(await approve()).toHaveProperty('topic')
  })

  test('reports that the app refuses the session, which is deleted', async () => {
    const { approve, join, peer, settleId, events, engine, keys, stores } = await receive()
    await approve()
    const { topic, responderPublicKey } = await join()
    events.length = 0
    const error = { code: 7000, message: 'No.' }
    await peer.send(topic, { id: settleId, error })
    expect(events).toMatchObject([
      ['resolved', { id: settleId, error: { name: 'PeerError', reason: error } }],
      ['session_delete', { topic, id: settleId, reason: error }],
    ])
    expect([engine.snapshot().sessions, keys.has(topic), keys.has(responderPublicKey)]).toEqual([
      [],
      false,
      false,
    ])
    expect(stores.records.get(settleId)).toBeUndefined()
  })

  test('ignores the acknowledgement of a session that the wallet has deleted', async () => {
    const { approve, join, peer, settleId, events, stores } = await receive()
    await approve()
    const { topic } = await join()
    await stores.sessions.delete(topic)
    events.length = 0
    await peer.send(topic, { id: settleId, result: true })
    expect(events).toEqual([])
  })

  test('reports that the app did not acknowledge within 5 minutes; the session is kept', async () => {
    const { approve, clock, settleId, events, engine, join, peer } = await receive()
    await approve()
    events.length = 0
    clock.advance(300_000)
    await expect
      .poll(() => events)
      .toMatchObject([['resolved', { id: settleId, error: { name: 'ExpiredError' } }]])
    expect(engine.snapshot().sessions).toHaveLength(1)
    const { topic } = await join()
    clock.advance(1_000)
    await peer.relayer.subscribe(topic)
    expect(events).toHaveLength(1)
    await peer.send(topic, { id: settleId, result: true })
    expect(engine.snapshot().sessions).toMatchObject([{ acknowledged: true }])
  })

  test('is sent after the next start if the relay had not stored it', async () => {
    const store = createMemoryStore()
    const { relay, engine, answerTo, run, peer, propose, uri, proposer } = await open({ store })
    await run({ type: 'pair', uri })
    const other = { ...proposer, publicKey: await peer.keys.createKeyPair() }
    const first = await propose({ proposer: other })
    const id = await propose({ optionalNamespaces })
    const settleId = id + 1
    relay.onCall = (method) => (method === 'approve' ? new Promise(() => {}) : undefined)
    void run({ type: 'approve', id, settleId, namespaces: granted })
    await expect.poll(() => engine.snapshot().sessions.length, { interval: 1 }).toBe(1)
    await engine.close()
    let fail = () => {}
    relay.onCall = (method) =>
      method === 'approve' &&
      new Promise((_resolve, reject) => (fail = () => reject(new Error('offline'))))
    // While the approval is being sent, the proposal is not shown again and cannot be rejected.
    const next = await openEngine(relay, { store })
    await relay.idle()
    next.clock.advance(1_000)
    await expect
      .poll(() => next.events, { interval: 1 })
      .toMatchObject([['session_proposal', { id: first }]])
    const rejecting = () => next.run({ type: 'reject', id, reason })
    await expect(rejecting()).rejects.toThrow('Record was recently deleted - proposal')
    await next.engine.close()
    relay.onCall = () => undefined
    const last = await openEngine(relay, { store })
    await expect.poll(() => answerTo(id), { interval: 1 }).toHaveProperty('result')
    await relay.idle()
    const { jsonrpc, result } = answerTo(id) as never as Record<
      string,
      { responderPublicKey: string }
    >
    expect(jsonrpc).toBe('2.0')
    const { topic } = await peer.keys.agree(proposer.publicKey, result?.responderPublicKey ?? '')
    await peer.relayer.subscribe(topic)
    await relay.idle()
    expect(peer.requests('wc_sessionSettle')).toMatchObject([{ id: settleId }])
    expect(last.engine.snapshot()).toMatchObject({
      sessions: [{ topic }],
      proposals: [{ id: first }],
    })
    fail()
  })

  test('is discarded if it cannot be sent after the next start; the proposal is kept', async () => {
    const store = createMemoryStore()
    const { relay, engine, approve, id, answerTo } = await receive(undefined, { store })
    relay.onCall = (method) => (method === 'approve' ? new Promise(() => {}) : undefined)
    void approve()
    await expect.poll(() => engine.snapshot().sessions.length, { interval: 1 }).toBe(1)
    await engine.close()
    relay.onCall = (method) => {
      if (method === 'approve') throw new Error('offline')
    }
    const next = await openEngine(relay, { store })
    await expect.poll(() => next.engine.snapshot().sessions, { interval: 1 }).toEqual([])
    await relay.idle()
    await next.run({ type: 'reject', id, reason })
    await relay.idle()
    expect(answerTo(id)).toMatchObject({ error: reason })
  })

  test('deletes only the sign-in requests of the same pairing', async () => {
    const { approve, stores, pairingTopic, proposer, run } = await receive()
    const authRequest = {
      id: 7,
      pairingTopic,
      expiryTimestamp: now + 300,
      requester: proposer,
      authPayload: {} as never,
      verifyContext: unverified as never,
      transportType: 'relay' as const,
    }
    await stores.authRequests.set(authRequest)
    await stores.authRequests.set({ ...authRequest, id: 8, pairingTopic: missing })
    await approve()
    expect(stores.authRequests.values().map((it) => it.id)).toEqual([8])
    await expect(run({ type: 'rejectSessionAuthenticate', id: 7, reason })).rejects.toMatchObject({
      code: 'sign.no_matching_key',
    })
  })

  test('is dropped at the next start if the proposal has expired', async () => {
    const store = createMemoryStore()
    const { approve, relay, engine, stores, id } = await receive(undefined, { store })
    relay.onCall = (method) => (method === 'approve' ? new Promise(() => {}) : undefined)
    void approve()
    await expect.poll(() => engine.snapshot().sessions.length).toBe(1)
    await stores.proposals.delete(id)
    await engine.close()
    relay.onCall = () => undefined
    const next = await openEngine(relay, { store })
    await expect.poll(() => next.engine.snapshot().sessions).toEqual([])
    expect(relay.published).toHaveLength(1)
  })
})

describe('reject', () => {
  test('sends the reason and deletes the proposal', async () => {
    const { run, id, answerTo, relay, engine } = await receive()
    await run({ type: 'reject', id, reason })
    await relay.idle()
    expect(answerTo(id)).toMatchObject({ error: reason })
    expect(relay.published.at(-1)).toMatchObject({
      tag: 1120,
      ttl: 300,
      prompt: false,
      analytics: { correlationId: id },
    })
    expect(engine.snapshot().proposals).toEqual([])
    await expect(run({ type: 'reject', id, reason })).rejects.toThrow('recently deleted')
  })

  test('deletes the proposal without a response if the app has deleted the pairing', async () => {
    const { run, id, peer, pairingTopic, engine, answerTo } = await receive()
    await peer.send(pairingTopic, { method: 'wc_pairingDelete', params: {} })
    await run({ type: 'reject', id, reason })
    expect([engine.snapshot().proposals, answerTo(id)]).toEqual([[], undefined])
  })

  test('without a reason is rejected', async () => {
    const { run, id, engine } = await receive()
    await expect(run({ type: 'reject', id, reason: undefined as never })).rejects.toThrow(
      'Missing or invalid. reject() reason: undefined',
    )
    expect(engine.snapshot().proposals).toHaveLength(1)
  })

  test('does not reject the proposals that this client sent', async () => {
    const { run, engine, keys } = await open()
    const pairing = { topic: await keys.setSymKey(missing), symKey: missing, expiry: now + 300 }
    await run({
      type: 'connect',
      id: firstId,
      pairing,
      pairingTopic: pairing.topic,
      optionalNamespaces: {},
      relays: [{ protocol: 'irn' }],
    })
    await expect(run({ type: 'reject', id: firstId, reason })).rejects.toThrow(
      `No matching key. proposal id doesn't exist: ${firstId}`,
    )
    expect(engine.snapshot().proposals).toEqual([])
  })
})

describe('after a restart', () => {
  test('§9.10.1/3 a pending proposal is emitted after 1 s, but not one that was rejected or is new', async () => {
    const store = createMemoryStore()
    const before = await receive(undefined, { store })
    const rejected = await before.propose()
    await before.engine.close()
    const next = await openEngine(before.relay, { store })
    await before.relay.idle()
    const fresh = await before.propose()
    await next.run({ type: 'reject', id: rejected, reason })
    next.events.length = 0
    next.clock.advance(999)
    await before.relay.idle()
    expect(next.events).toEqual([])
    next.clock.advance(1)
    await expect.poll(() => next.events).toMatchObject([['session_proposal', { id: before.id }]])
    expect(fresh).toBeGreaterThan(before.id)
  })

  test('a pending proposal expires', async () => {
    const store = createMemoryStore()
    const before = await receive(undefined, { store })
    await before.engine.close()
    before.clock.advance(300_000)
    const next = await openEngine(before.relay, { store, clock: before.clock })
    expect(next.events).toContainEqual(['proposal_expire', { id: before.id }])
    expect(next.engine.snapshot()).toMatchObject({ proposals: [], pairings: [] })
  })

  test('a pending proposal is emitted even if its pairing is lost', async () => {
    const store = createMemoryStore()
    const before = await receive(undefined, { store })
    await before.stores.pairings.delete(before.pairingTopic)
    await before.engine.close()
    const next = await openEngine(before.relay, { store })
    next.clock.advance(1_000)
    await expect
      .poll(() => next.events, { interval: 1 })
      .toMatchObject([['session_proposal', { id: before.id }]])
  })
})
