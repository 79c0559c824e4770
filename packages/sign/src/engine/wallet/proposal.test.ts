import { describe, expect, test } from 'vitest'
import { hashMessage } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { metadataOf, now, openEngine, openWallet as open } from '../../testing/engines.ts'
import {
  unverified,
  optionalNamespaces,
  reason,
  missing,
  receiveProposal,
} from '../../testing/receiveProposal.ts'

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
    const { run, events, keys } = await receiveProposal()
    const symKey = 'd'.repeat(64)
    const topic = await keys.setSymKey(symKey)
    await run({ type: 'pair', uri: `wc:${topic}@2?relay-protocol=irn&symKey=${symKey}` })
    expect(events).toHaveLength(1)
  })

  test('§4.18.3 emits a pending proposal again, until the pairing is active', async () => {
    const { run, uri, events, id, approve } = await receiveProposal()
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
    const { events } = await receiveProposal({ optionalNamespaces })
    expect(events).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['501 entries', entries(501)],
    ['5,001 chains', { ...entries(1), eip155: { chains: chains(5_000), methods: [], events: [] } }],
    ['501 methods', { eip155: { chains: chains(1), methods: names(501), events: [] } }],
    ['501 events', { eip155: { chains: chains(1), methods: [], events: names(501) } }],
  ])('attack: is rejected if it has %s', async (_what, namespaces) => {
    for (const kind of ['requiredNamespaces', 'optionalNamespaces']) {
      const { events, id, answerTo } = await receiveProposal({ [kind]: namespaces })
      expect(events).toEqual([])
      expect(answerTo(id)).toMatchObject({ error: { code: 5104 } })
    }
  })

  test('is stored and emitted', async () => {
    const { id, events, engine, proposer, pairingTopic } = await receiveProposal({
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
    const { engine, pairingTopic } = await receiveProposal({ expiryTimestamp })
    const { proposals, pairings } = engine.snapshot()
    expect(proposals).toMatchObject([{ expiryTimestamp: expiry }])
    expect(pairings).toMatchObject([{ topic: pairingTopic, expiry: now + 300 }])
  })

  test('that expires before its pairing does not delete the pairing', async () => {
    const { clock, engine, relay } = await receiveProposal({ expiryTimestamp: now + 100 })
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
    const { approve, engine, propose, relay, sleep } = await receiveProposal()
    await approve()
    sleep(100_000)
    await propose({ expiryTimestamp: now + 1_000 })
    await relay.idle()
    expect(engine.snapshot().pairings).toMatchObject([{ active: true, expiry: now + 400 }])
  })

  test('names the relay protocol if the app does not', async () => {
    const { engine } = await receiveProposal()
    expect(engine.snapshot().proposals).toMatchObject([{ relays: [{ protocol: 'irn' }] }])
  })

  test('that has expired is dropped', async () => {
    const { engine, events, id, answerTo } = await receiveProposal({ expiryTimestamp: now })
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
    const { id, engine, events, answerTo, relay } = await receiveProposal(params)
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
    const { run, uri, propose, stores, answerTo, engine, pairingTopic } = await receiveProposal()
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

describe('after a restart', () => {
  test('§9.10.1/3 a pending proposal is emitted after 1 s, but not one that was rejected or is new', async () => {
    const store = createMemoryStore()
    const before = await receiveProposal(undefined, { store })
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
    const before = await receiveProposal(undefined, { store })
    await before.engine.close()
    before.clock.advance(300_000)
    const next = await openEngine(before.relay, { store, clock: before.clock })
    expect(next.events).toContainEqual(['proposal_expire', { id: before.id }])
    expect(next.engine.snapshot()).toMatchObject({ proposals: [], pairings: [] })
  })

  test('a pending proposal is emitted even if its pairing is lost', async () => {
    const store = createMemoryStore()
    const before = await receiveProposal(undefined, { store })
    await before.stores.pairings.delete(before.pairingTopic)
    await before.engine.close()
    const next = await openEngine(before.relay, { store })
    next.clock.advance(1_000)
    await expect
      .poll(() => next.events, { interval: 1 })
      .toMatchObject([['session_proposal', { id: before.id }]])
  })
})
