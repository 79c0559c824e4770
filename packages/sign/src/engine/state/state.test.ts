import { describe, expect, test } from 'vitest'
import { hashKey } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { storageKeys } from '../../storage/storageKeys.ts'
import { createMemoryRelay } from '../../testing/createMemoryRelay.ts'
import { granted, metadataOf, now, openEngine, openSession, seed } from '../../testing/engines.ts'
// Loaded before the tests, because mutants in code that runs on import would only run the first test that loads it.
import './importOfficialRecords.ts'

const [mine, theirs] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string]
const topicOf = (digit: string) => digit.repeat(64)
const participant = (publicKey: string) => ({ publicKey, metadata: metadataOf('x') })
const eip155 = { chains: ['eip155:1'], methods: ['m'], events: ['e'] }

const session = (change: object = {}) => ({
  topic: topicOf('1'),
  pairingTopic: '',
  relay: { protocol: 'irn' },
  expiry: now + 1_000,
  acknowledged: true,
  controller: theirs,
  namespaces: granted,
  requiredNamespaces: {},
  optionalNamespaces: {},
  self: participant(mine),
  peer: participant(theirs),
  transportType: 'relay',
  ...change,
})
const proposal = (change: object = {}) => ({
  id: 5,
  pairingTopic: topicOf('2'),
  expiryTimestamp: now + 300,
  requiredNamespaces: {},
  optionalNamespaces: { eip155 },
  relays: [{ protocol: 'irn' }],
  proposer: participant(theirs),
  ...change,
})
const verifyContext = {
  verified: { verifyUrl: 'v', validation: 'VALID', origin: 'o', isScam: true },
}
const request = (change: object = {}) => ({
  id: 6,
  topic: topicOf('1'),
  params: {
    chainId: 'eip155:1',
    request: { method: 'm', params: [1], expiryTimestamp: now + 300 },
  },
  verifyContext,
  ...change,
})
const authPayload = {
  type: 'caip122',
  chains: ['eip155:1'],
  domain: 'a.example',
  aud: 'https://a.example',
  version: '1',
  nonce: 'n',
  iat: '2026-01-01T00:00:00Z',
}
const authRequest = (change: object = {}) => ({
  id: 7,
  pairingTopic: topicOf('2'),
  expiryTimestamp: now + 300,
  requester: participant(theirs),
  authPayload,
  verifyContext,
  transportType: 'relay',
  ...change,
})
const pairing = (change: object = {}) => ({
  topic: topicOf('2'),
  expiry: now + 300,
  active: true,
  relay: { protocol: 'irn' },
  ...change,
})
const record = (change: object = {}) => ({
  id: 8,
  topic: topicOf('1'),
  request: { method: 'wc_sessionRequest', params: request().params },
  expiry: now + 1_000,
  sent: true,
  ...change,
})
const cacao = {
  h: { t: 'caip122' },
  p: {
    iss: 'did:pkh:eip155:1:0xa',
    domain: 'a',
    aud: 'a',
    version: '1',
    nonce: 'n',
    iat: '2026-01-01T00:00:00Z',
  },
  s: { t: 'eip191', s: '0x00' },
}

/** Opens an engine with stored entries. Its keychain contains the key of `mine`. */
async function open(
  entries: Record<string, readonly unknown[]>,
  options: Parameters<typeof openEngine>[1] = {},
) {
  const store = createMemoryStore()
  await store.setItem(
    storageKeys().core('keychain'),
    JSON.stringify({
      [mine]: topicOf('c'),
      [topicOf('1')]: topicOf('d'),
      [topicOf('2')]: topicOf('d'),
    }),
  )
  await seed(store, entries)
  const relay = createMemoryRelay()
  return { relay, ...(await openEngine(relay, { ...options, store })) }
}

describe('stored entries', () => {
  const unknown = { verified: { verifyUrl: '', validation: 'UNKNOWN', origin: '' } }
  test.each<[name: string, entry: object, restored?: object]>([
    ['sessions', session()],
    [
      'sessions',
      session({
        transportType: 'link_mode',
        sessionProperties: { a: 1 },
        scopedProperties: { b: 1 },
        sessionConfig: { c: 1 },
        authentication: [cacao],
      }),
    ],
    [
      'sessions',
      session({
        pairingTopic: undefined,
        relay: undefined,
        requiredNamespaces: undefined,
        optionalNamespaces: undefined,
        transportType: undefined,
      }),
      session(),
    ],
    [
      'sessions',
      session({ peer: { publicKey: theirs, metadata: { name: 5, icons: 'x', redirect: 'y' } } }),
      session({
        peer: { publicKey: theirs, metadata: { name: '', description: '', url: '', icons: [] } },
      }),
    ],
    [
      'sessions',
      session({
        peer: {
          publicKey: theirs,
          metadata: {
            ...metadataOf('x'),
            verifyUrl: 'v',
            redirect: { native: 'n', universal: 'u', linkMode: true },
          },
        },
      }),
    ],
    ['proposals', proposal()],
    ['proposals', proposal({ relays: undefined, requiredNamespaces: undefined }), proposal()],
    [
      'proposals',
      proposal({ optionalNamespaces: undefined }),
      proposal({ optionalNamespaces: {} }),
    ],
    ['proposals', proposal({ verifyContext, sessionProperties: { a: 1 }, withdrawn: true })],
    ['requests', request()],
    [
      'requests',
      request({
        verifyContext: { verified: { ...verifyContext.verified, validation: 'INVALID' } },
      }),
    ],
    ['requests', request({ verifyContext: undefined }), request({ verifyContext: unknown })],
    ['authRequests', authRequest()],
    ['authRequests', authRequest({ transportType: 'link_mode' })],
    [
      'authRequests',
      authRequest({ verifyContext: 5, transportType: undefined }),
      authRequest({ verifyContext: unknown }),
    ],
    [
      'authRequests',
      authRequest({ authPayload: { ...authPayload, type: undefined, version: undefined } }),
      authRequest(),
    ],
    ['pairings', pairing()],
    ['pairings', pairing({ relay: undefined }), pairing()],
    ['pairings', pairing({ methods: ['a'], peerMetadata: metadataOf('x') })],
    ['records', record({ deadline: now + 5, eventHash: mine, message: 'm', responseTopic: mine })],
    ['records', record({ chainId: 'eip155:1', response: { result: 1 }, withdrawn: true })],
    ['records', record({ response: { error: { code: 1, message: 'x', data: 'y' } } })],
    ['records', record({ unsent: true, sent: false })],
  ])('of %s survive a restart: %o', async (name, entry, restored = entry) => {
    const { stores } = await open({ [name]: [entry] })
    const values = stores[name as 'sessions'].values()
    expect(JSON.parse(JSON.stringify(values))).toEqual([JSON.parse(JSON.stringify(restored))])
  })

  test.each<[name: string, entry: object]>([
    ['sessions', session({ topic: 'short' })],
    ['sessions', session({ topic: `${topicOf('1')}0` })],
    ['sessions', session({ topic: `0${topicOf('1')}` })],
    ['sessions', session({ expiry: -1 })],
    ['sessions', session({ expiry: 1.5 })],
    ['sessions', session({ namespaces: {} })],
    ['sessions', session({ namespaces: { eip155: { ...granted.eip155, accounts: ['0xa'] } } })],
    ['sessions', session({ namespaces: { eip155: { ...granted.eip155, accounts: ['a:b:c d'] } } })],
    ['sessions', session({ namespaces: { eip: granted.eip155 } })],
    ['sessions', session({ namespaces: { eip155: { ...granted.eip155, chains: ['solana:1'] } } })],
    ['sessions', session({ namespaces: { eip155: { ...granted.eip155, chains: ['1'] } } })],
    ['sessions', session({ namespaces: { eip155: { ...granted.eip155, methods: [''] } } })],
    ['sessions', session({ sessionProperties: { a: null } })],
    ['sessions', session({ transportType: 'other' })],
    ['sessions', session({ peer: {} })],
    ['sessions', session({ authentication: [{ ...cacao, h: { t: 'x' } }] })],
    ['sessions', session({ authentication: [{ ...cacao, s: { t: 'x', s: '0x00' } }] })],
    ['sessions', session({ authentication: [{ ...cacao, s: { t: 'eip191', s: '00' } }] })],
    ['sessions', session({ authentication: [{ ...cacao, s: { t: 'eip191', s: '0x0' } }] })],
    ['sessions', session({ authentication: [{ ...cacao, s: { t: 'eip191', s: '0x00 ' } }] })],
    ['sessions', session({ authentication: [{ ...cacao, p: { ...cacao.p, version: '2' } }] })],
    ['sessions', session({ authentication: [{ ...cacao, p: { ...cacao.p, iss: 'eip155:1:a' } }] })],
    [
      'sessions',
      session({ authentication: [{ ...cacao, p: { ...cacao.p, iss: 'did:pkh:eip155:1:a b' } }] }),
    ],
    [
      'sessions',
      session({ authentication: [{ ...cacao, p: { ...cacao.p, iss: ' did:pkh:eip155:1:a' } }] }),
    ],
    ['proposals', proposal({ id: 0 })],
    ['proposals', proposal({ id: 1.5 })],
    ['proposals', proposal({ relays: [{ protocol: '' }] })],
    ['proposals', proposal({ optionalNamespaces: { '': eip155 } })],
    ['requests', request({ params: { chainId: 'eip155', request: { method: 'm' } } })],
    ['requests', request({ params: { chainId: 'eip155:1', request: { method: '' } } })],
    ['authRequests', authRequest({ authPayload: { ...authPayload, chains: [] } })],
    ['authRequests', authRequest({ authPayload: { ...authPayload, type: 'x' } })],
    ['authRequests', authRequest({ authPayload: { ...authPayload, version: '2' } })],
    ['authRequests', authRequest({ authPayload: { ...authPayload, nonce: '' } })],
    ['pairings', pairing({ active: 'yes' })],
    ['records', record({ response: { error: { code: 1.5, message: 'x' } } })],
    ['records', record({ request: { method: '' } })],
  ])('of %s are dropped if they are damaged: %o', async (name, entry) => {
    const { stores } = await open({ [name]: [entry] })
    expect(stores[name as 'sessions'].values()).toEqual([])
  })
})

describe('the snapshot', () => {
  test('contains received proposals and sign-in requests, and sent requests', async () => {
    const own = participant(mine)
    const { engine } = await open({
      proposals: [
        proposal(),
        proposal({ id: 15, proposer: own }),
        proposal({
          id: 16,
          verifyContext,
          sessionTopic: topicOf('3'),
          responderPublicKey: mine,
          authenticateId: 9,
        }),
      ],
      authRequests: [authRequest(), authRequest({ id: 17, requester: own })],
      records: [
        record({ sent: false }),
        record({ id: 18, deadline: now + 7 }),
        record({ id: 19, request: { method: 'wc_sessionPing', params: {} } }),
        record({ id: 20 }),
      ],
    })
    const { proposals, authRequests, pendingOutgoing } = engine.snapshot()
    const origin = proposal().proposer.metadata.url
    const unverified = { verified: { verifyUrl: '', validation: 'UNKNOWN', origin } }
    expect(proposals).toEqual([
      { ...proposal(), verifyContext: unverified },
      { ...proposal({ id: 16 }), verifyContext },
    ])
    expect(authRequests.map(({ id }) => id)).toEqual([7])
    const { chainId } = request().params
    const sent = { topic: topicOf('1'), chainId, request: { method: 'm', params: [1] } }
    expect(pendingOutgoing).toEqual([
      { ...sent, id: 18, expiryTimestamp: now + 7 },
      { ...sent, id: 20, expiryTimestamp: now + 1_000 },
    ])
  })

  test('is replaced when something changes, and the change is reported', async () => {
    const { engine, changes } = await open({ sessions: [session()] })
    const before = engine.snapshot()
    expect(engine.snapshot()).toBe(before)
    await Promise.resolve()
    const count = changes()
    await engine.run({ type: 'disconnect', topic: topicOf('1') })
    expect(engine.snapshot()).not.toBe(before)
    expect(changes()).toBeGreaterThan(count)
  })
})

test('after a restart, only received sign-in requests are emitted again, and none that is new', async () => {
  const { clock, events, stores } = await open({
    authRequests: [authRequest(), authRequest({ id: 17, requester: participant(mine) })],
  })
  await stores.authRequests.set({ ...stores.authRequests.get(7)!, id: 18 })
  clock.advance(1_000)
  expect(events).toEqual([['session_authenticate', expect.objectContaining({ id: 7 })]])
})

describe('§4.18.6 when they expire, the engine deletes', () => {
  test.each<[what: string, entries: Record<string, object[]>, dueMs: number, events: unknown[]]>([
    [
      'sessions',
      { sessions: [session()] },
      1_000_000,
      [['session_expire', { topic: topicOf('1') }]],
    ],
    [
      'proposals',
      { proposals: [proposal()] },
      300_000,
      [
        ['resolved', expect.anything()],
        ['proposal_expire', { id: 5 }],
      ],
    ],
    [
      'requests',
      { requests: [request()] },
      300_000,
      [
        ['session_request', expect.anything()],
        ['session_request_expire', { id: 6 }],
      ],
    ],
    [
      'requests without an expiry',
      {
        requests: [
          request({
            id: (now - 100) * 1_000_000,
            params: { chainId: 'eip155:1', request: { method: 'm' } },
          }),
        ],
      },
      800_000,
      [
        ['session_request', expect.anything()],
        ['session_request_expire', { id: (now - 100) * 1_000_000 }],
      ],
    ],
    [
      'sign-in requests',
      { authRequests: [authRequest()] },
      300_000,
      [
        ['session_authenticate', expect.anything()],
        ['session_request_expire', { id: 7 }],
      ],
    ],
    ['pairings', { pairings: [pairing()] }, 300_000, []],
    [
      'sent requests',
      { records: [record({ deadline: now + 300 })] },
      300_000,
      [['resolved', { id: 8, error: expect.objectContaining({ code: 'sign.expired' }) }]],
    ],
  ])('%s', async (what, entries, dueMs, emitted) => {
    const { clock, events, stores, keys, relay } = await open(entries)
    const name = Object.keys(entries)[0] as 'sessions'
    clock.advance(dueMs - 1)
    await Promise.resolve()
    expect(stores[name].values()).toHaveLength(1)
    clock.advance(1)
    await relay.idle()
    expect([stores[name].values(), events]).toEqual([[], emitted])
    expect(keys.has(topicOf('1'))).toBe(what !== 'sessions')
    expect(keys.has(topicOf('2'))).toBe(what !== 'pairings')
  })

  test('entries that expired before the start; only records of pending requests expire', async () => {
    const kept = [
      record({ id: 11, response: { result: 1 }, deadline: now }),
      record({ id: 12, sent: false, deadline: now }),
      record({ id: 13, request: { method: 'wc_sessionPropose' }, deadline: now }),
      record({ id: 14 }),
    ]
    const { events, engine, stores, clock } = await open({
      sessions: [session({ topic: topicOf('3'), expiry: now })],
      pairings: [pairing({ expiry: now - 5 })],
      records: [record({ deadline: now }), ...kept],
    })
    expect(events.map(([name]) => name)).toEqual(['session_expire', 'resolved'])
    expect(engine.snapshot()).toMatchObject({ sessions: [], pairings: [] })
    expect(stores.records.values().map(({ id }) => id)).toEqual([11, 12, 13, 14])
    // Only the timer that emits restored entries is left.
    expect(clock.pending()).toBe(1)
  })

  test('a session that was extended, at its new expiry', async () => {
    const { run, clock, engine, topic, relay } = await openSession('wallet')
    await run({ type: 'extend', id: 5, topic })
    await Promise.resolve()
    clock.advance(1_000_000)
    expect(engine.snapshot().sessions).toHaveLength(1)
    // Longer than the longest timer.
    clock.advance(604_800_000 - 1_000_000 - 1)
    expect(engine.snapshot().sessions).toHaveLength(1)
    // The first run waits for the deletion of the sent request.
    for (let turn = 0; turn < 2; turn += 1) {
      clock.advance(1)
      await relay.idle()
    }
    expect(engine.snapshot().sessions).toEqual([])
  })

  test('nothing after the engine is closed', async () => {
    const { engine, clock, stores, events } = await open({ sessions: [session()] })
    await engine.close()
    expect(clock.pending()).toBe(0)
    clock.advance(1_000_000)
    expect([stores.sessions.values().length, events]).toEqual([1, []])
  })
})

describe('a client that is closed', () => {
  test('changes no stored state', async () => {
    const { engine, stores, keys, topic, relayer, changes } = await openSession('wallet')
    const count = changes()
    await engine.close()
    const namespaces = { eip155: { ...granted.eip155, accounts: ['eip155:1:0xb'] } }
    await engine.run({ type: 'update', id: 5, topic, namespaces })
    await engine.run({ type: 'disconnect', topic })
    expect(stores.sessions.values()).toMatchObject([{ namespaces: granted }])
    expect([keys.has(topic), relayer.topics.has(topic)]).toEqual([true, true])
    expect([stores.records.values(), changes()]).toEqual([[], count])
  })
})

describe('the records of an official client, which do not show who sent them', () => {
  const isWalletSession = session({ controller: mine })
  const ofProposal = (publicKey: string, change: object = {}) => ({
    method: 'wc_sessionPropose',
    params: { proposer: { publicKey }, expiryTimestamp: now + 5, ...change },
  })
  const ofSignIn = (publicKey: string, change: object = {}) => ({
    method: 'wc_sessionAuthenticate',
    params: { requester: { publicKey }, expiryTimestamp: now + 5, ...change },
  })
  const ofRequest = (params: object) => ({ method: 'wc_sessionRequest', params })
  test.each<[string, object, object, object]>([
    ['a sent proposal', ofProposal(mine), session(), { sent: true, deadline: now + 5 }],
    ['a received proposal', ofProposal(theirs), session(), { sent: false, deadline: now + 5 }],
    ['a received sign-in request', ofSignIn(theirs), session(), { sent: false, deadline: now + 5 }],
    ['a request of an app', record().request, session(), { sent: true, deadline: now + 300 }],
    [
      'a request to a wallet',
      record().request,
      isWalletSession,
      { sent: false, deadline: now + 300 },
    ],
    ...['wc_sessionSettle', 'wc_sessionUpdate', 'wc_sessionExtend', 'wc_sessionEvent'].flatMap(
      (method): [string, object, object, object][] => [
        [`${method} of a wallet`, { method }, isWalletSession, { sent: true }],
        [`${method} to an app`, { method }, session(), { sent: false }],
      ],
    ),
    ['a ping', { method: 'wc_sessionPing' }, session(), {}],
    ['a request without params', { method: 'wc_sessionRequest' }, session(), {}],
    [
      'a request of an unknown session',
      { method: 'wc_sessionEvent' },
      session({ topic: topicOf('9') }),
      {},
    ],
    ['a request without an expiry', ofRequest({ request: {} }), session(), {}],
    ['a request without a call', ofRequest({}), session(), {}],
    ['a proposal without params', { method: 'wc_sessionPropose' }, session(), {}],
    ['a proposal without a proposer', ofProposal(mine, { proposer: undefined }), session(), {}],
    ['a proposal without a public key', ofProposal(mine, { proposer: {} }), session(), {}],
    ['a proposal without an expiry', ofProposal(mine, { expiryTimestamp: '5' }), session(), {}],
    ['a sign-in request without params', { method: 'wc_sessionAuthenticate' }, session(), {}],
    ['a sign-in request without a requester', ofSignIn(mine, { requester: {} }), session(), {}],
    [
      'a sign-in request without an expiry',
      ofSignIn(mine, { expiryTimestamp: '5' }),
      session(),
      {},
    ],
  ])(
    'are imported with their sender, if it can be found: %s',
    async (_what, sent, of, expected) => {
      const imported = record({ request: sent, sent: undefined })
      const { stores } = await open({ sessions: [of], records: [imported] })
      const { id, topic, request: _request, expiry: _expiry, ...rest } = stores.records.get(8)!
      expect(rest).toEqual(expected)
      expect([id, topic]).toEqual([8, topicOf('1')])
    },
  )

  test('are imported: a sent sign-in request, whose response has another topic', async () => {
    const imported = record({ request: ofSignIn(mine), sent: undefined })
    const { stores, relayer } = await open({ records: [imported] })
    const responseTopic = await hashKey(mine)
    expect(stores.records.get(8)).toMatchObject({ sent: true, deadline: now + 5, responseTopic })
    expect(relayer.topics.has(responseTopic)).toBe(true)
  })

  test('are not imported if they have a response, or were imported before', async () => {
    const { stores } = await open({
      sessions: [session()],
      records: [
        record({ sent: undefined, response: { result: 1 } }),
        record({ id: 9, sent: false }),
        record({ id: 10, sent: undefined }),
      ],
    })
    expect(stores.records.values().map(({ sent }) => sent)).toEqual([undefined, false, true])
  })
})

test('at the start, a client subscribes to all topics on which it may receive messages', async () => {
  const { relayer } = await open({
    sessions: [session()],
    pairings: [pairing()],
    proposals: [proposal({ sessionTopic: topicOf('3') }), proposal({ id: 25 })],
    records: [
      record({ topic: topicOf('4') }),
      record({ id: 26, topic: topicOf('5'), responseTopic: topicOf('6') }),
      record({ id: 27, topic: topicOf('7'), response: { result: 1 } }),
      record({ id: 28, topic: topicOf('8'), sent: false }),
    ],
  })
  expect([...relayer.topics].sort()).toEqual(['1', '2', '3', '4', '6'].map(topicOf))
})

describe('the deletion of', () => {
  test('a session deletes only its own requests and keys', async () => {
    const other = topicOf('2')
    const { run, stores, events, keys } = await open({
      sessions: [session()],
      requests: [request(), request({ id: 31, topic: other })],
      records: [record(), record({ id: 32, topic: other })],
    })
    events.length = 0
    await run({ type: 'disconnect', topic: topicOf('1') })
    expect(stores.requests.values().map(({ id }) => id)).toEqual([31])
    expect(stores.records.values().map(({ id }) => id)).toEqual([32])
    expect([keys.has(mine), keys.has(other)]).toEqual([false, true])
    await expect(
      run({ type: 'respond', topic: topicOf('1'), response: { id: 6, jsonrpc: '2.0', result: 1 } }),
    ).rejects.toThrow('recently deleted - session')
  })

  test('a proposal keeps the key of a session that uses it', async () => {
    const sent = proposal({ proposer: participant(mine), expiryTimestamp: now })
    const { keys, stores } = await open({ sessions: [session()], proposals: [sent] })
    expect([stores.proposals.values(), keys.has(mine)]).toEqual([[], true])
    const alone = await open({
      sessions: [session({ self: participant(theirs) })],
      proposals: [sent],
      records: [record({ id: 5, topic: topicOf('4') })],
    })
    expect([alone.keys.has(mine), alone.stores.records.values()]).toEqual([false, []])
  })

  test('a proposal keeps the key of the sign-in request that was sent with it', async () => {
    const { keys } = await open({
      proposals: [
        proposal({ proposer: participant(mine), expiryTimestamp: now, authenticateId: 8 }),
      ],
      records: [record()],
    })
    expect(keys.has(mine)).toBe(true)
  })

  test('a received proposal keeps the records of the same id, and all keys', async () => {
    const { stores, keys } = await open({
      proposals: [proposal({ expiryTimestamp: now, sessionTopic: topicOf('1') })],
      records: [record({ id: 5, sent: false })],
    })
    expect([stores.proposals.values().length, stores.records.values().length]).toEqual([0, 1])
    expect([keys.has(topicOf('1')), keys.has(topicOf('2'))]).toEqual([true, true])
  })

  test('a session makes the engine emit the request of the next session', async () => {
    const { run, clock, events } = await open({
      sessions: [session(), session({ topic: topicOf('2') })],
      requests: [request(), request({ id: 31, topic: topicOf('2') })],
    })
    clock.advance(1_000)
    const ids = () =>
      events.flatMap(([name, event]) =>
        name === 'session_request' ? [(event as { id: number }).id] : [],
      )
    expect(ids()).toEqual([6])
    await run({ type: 'disconnect', topic: topicOf('1') })
    clock.advance(1_000)
    expect(ids()).toEqual([6, 31])
  })

  test('a pairing makes later commands fail with the reason', async () => {
    const { run } = await open({ pairings: [pairing()] })
    await run({ type: 'disconnect', topic: topicOf('2') })
    await expect(run({ type: 'ping', id: 5, topic: topicOf('2') })).rejects.toThrow(
      'recently deleted - pairing',
    )
  })
})
