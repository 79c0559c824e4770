import { describe, expect, test } from 'vitest'
import { createKeychain, type Keychain } from '../../crypto/createKeychain.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import {
  firstId,
  granted,
  metadataOf,
  now,
  openEngine,
  openWallet as open,
} from '../../testing/engines.ts'
import {
  unverified,
  optionalNamespaces,
  reason,
  missing,
  receiveProposal,
} from '../../testing/receiveProposal.ts'

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
    } = await receiveProposal()
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
    const { approve, relay, engine } = await receiveProposal()
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
    const { approve, relay, engine } = await receiveProposal({
      requiredNamespaces: { eip155: { chains: ['eip155:1'], methods: [], events: [] } },
    })
    await expect(approve(change)).rejects.toMatchObject({
      shortMessage: expect.stringContaining(text) as string,
    })
    expect(relay.published).toHaveLength(1)
    expect(engine.snapshot()).toMatchObject({ sessions: [], proposals: [{}] })
  })

  test('keeps the proposal if the relay is unavailable, so that the wallet can try again', async () => {
    const { approve, relay, engine, keys, stores } = await receiveProposal()
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
    const { approve, relay } = await receiveProposal()
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
    const { approve, id, answerTo, relay } = await receiveProposal({ optionalNamespaces }, options)
    await expect(approve()).rejects.toThrow('disk full')
    await relay.idle()
    expect(answerTo(id)).toBeUndefined()
  })

  test('rejects an expired proposal, which is deleted', async () => {
    const { approve, sleep, events, id, engine } = await receiveProposal()
    sleep(300_000)
    await expect(approve()).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: `Expired. proposal id: ${id}`,
    })
    expect(events.slice(1)).toEqual([['proposal_expire', { id }]])
    expect(engine.snapshot().proposals).toEqual([])
  })

  test('accepts a proposal until the second in which it expires', async () => {
    const { approve, sleep } = await receiveProposal()
    sleep(299_999)
    expect(await approve()).toHaveProperty('topic')
  })

  test('reports that the app refuses the session, which is deleted', async () => {
    const { approve, join, peer, settleId, events, engine, keys, stores } = await receiveProposal()
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
    const { approve, join, peer, settleId, events, stores } = await receiveProposal()
    await approve()
    const { topic } = await join()
    await stores.sessions.delete(topic)
    events.length = 0
    await peer.send(topic, { id: settleId, result: true })
    expect(events).toEqual([])
  })

  test('reports that the app did not acknowledge within 5 minutes; the session is kept', async () => {
    const { approve, clock, settleId, events, engine, join, peer } = await receiveProposal()
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
    const { relay, engine, approve, id, answerTo } = await receiveProposal(undefined, { store })
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
    const { approve, stores, pairingTopic, proposer, run } = await receiveProposal()
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
    const { approve, relay, engine, stores, id } = await receiveProposal(undefined, { store })
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
    const { run, id, answerTo, relay, engine } = await receiveProposal()
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
    const { run, id, peer, pairingTopic, engine, answerTo } = await receiveProposal()
    await peer.send(pairingTopic, { method: 'wc_pairingDelete', params: {} })
    await run({ type: 'reject', id, reason })
    expect([engine.snapshot().proposals, answerTo(id)]).toEqual([[], undefined])
  })

  test('without a reason is rejected', async () => {
    const { run, id, engine } = await receiveProposal()
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
