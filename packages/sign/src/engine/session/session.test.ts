import { describe, expect, test } from 'vitest'
import { createSymKey, hashMessage } from '../../crypto/keys.ts'
import { reasons } from '../../reasons.ts'
import {
  firstId,
  granted,
  type Json,
  now,
  openEngine,
  openSession as open,
} from '../../testing/engines.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'

const week = 604_800
const { eip155 } = granted
const other = { eip155: { ...eip155, accounts: ['eip155:1:0xb', 'eip155:10:0xb'] } }
const solana = { accounts: ['solana:1:a'], methods: [], events: ['solanaChanged'] }
const event = (name: unknown, chainId = 'eip155:1') => ({ chainId, event: { name, data: 7 } })
const update = (namespaces: unknown) => ({ namespaces })
const required = { eip155: { chains: ['eip155:10'], methods: [], events: [] } }

/** Tags of responses, and their lifetimes in seconds. @see docs/contracts/relay.md#client-methods */
const publishing: Record<string, object | undefined> = {
  wc_sessionUpdate: { tag: 1105, ttl: 86_400, prompt: false },
  wc_sessionExtend: { tag: 1107, ttl: 86_400, prompt: false },
  wc_sessionPing: { tag: 1115, ttl: 86_400, prompt: false },
  wc_sessionEvent: { tag: 1111, ttl: 300, prompt: false },
}

type Change = NonNullable<Parameters<typeof open>[1]>['session']
type Row = [what: string, method: string, params: unknown, side?: 'app' | 'wallet', change?: Change]

describe('accepts', () => {
  test.each<[...Row, emitted: unknown[]]>([
    [
      'an update',
      'wc_sessionUpdate',
      update(other),
      'app',
      {},
      [['session_update', update(other)]],
    ],
    [
      'an update that satisfies the required namespaces',
      'wc_sessionUpdate',
      update(other),
      'app',
      { requiredNamespaces: required },
      [['session_update', update(other)]],
    ],
    [
      'an update to any namespace if none was proposed',
      'wc_sessionUpdate',
      update({ solana: { accounts: ['solana:1:a'], methods: [], events: [] } }),
      'app',
      { optionalNamespaces: {} },
      [
        [
          'session_update',
          update({ solana: { accounts: ['solana:1:a'], methods: [], events: [] } }),
        ],
      ],
    ],
    [
      'an update whose key is a required chain',
      'wc_sessionUpdate',
      update({ 'eip155:1': { ...eip155, accounts: ['eip155:1:0xb'] } }),
      'app',
      {
        optionalNamespaces: {},
        requiredNamespaces: { 'eip155:1': { methods: [], events: [] } },
      },
      [['session_update', update({ 'eip155:1': { ...eip155, accounts: ['eip155:1:0xb'] } })]],
    ],
    ['an extension as an app', 'wc_sessionExtend', {}, 'app', {}, [['session_extend']]],
    ['an extension as a wallet', 'wc_sessionExtend', {}, 'wallet', {}, [['session_extend']]],
    ['a ping', 'wc_sessionPing', {}, 'app', {}, [['session_ping']]],
    [
      'an event',
      'wc_sessionEvent',
      event('chainChanged'),
      'app',
      {},
      [['session_event', event('chainChanged')]],
    ],
  ])('%s', async (_what, method, params, side = 'app', change = {}, emitted) => {
    const { peer, topic, events, engine, relay } = await open(side, { session: change })
    const id = firstId + 5_000
    expect(await peer.ask(topic, method, params, id)).toEqual(
      method === 'wc_sessionEvent' ? undefined : { id, jsonrpc: '2.0', result: true },
    )
    expect(events).toEqual(
      emitted.map((each) => {
        const [name, params] = each as [string, unknown]
        return [name, params === undefined ? { topic, id } : { topic, id, params }]
      }),
    )
    // The first message is the peer's request. The second one is the response, if any.
    expect(relay.published.slice(1)).toMatchObject(
      method === 'wc_sessionEvent' ? [] : [publishing[method]],
    )
    const [session] = engine.snapshot().sessions
    const isUpdate = method === 'wc_sessionUpdate'
    const { namespaces } = isUpdate ? (params as { namespaces: object }) : { namespaces: granted }
    const expiry = method === 'wc_sessionExtend' ? now + week : now + 1_000
    expect(session).toMatchObject({ namespaces, expiry })
  })
})

describe('refuses', () => {
  test.each<[code: number, ...Row]>([
    [3003, 'an update from an app', 'wc_sessionUpdate', update(other), 'wallet'],
    [
      3003,
      'an update from an app that official wallets store as the controller',
      'wc_sessionUpdate',
      update(other),
      'app',
      { authentication: [] },
    ],
    [1003, 'an update without namespaces', 'wc_sessionUpdate', update({})],
    [1003, 'an update without params', 'wc_sessionUpdate', undefined],
    [
      1003,
      'an update to a namespace that was not proposed',
      'wc_sessionUpdate',
      update({ ...other, solana: { accounts: ['solana:1:a'], methods: [], events: [] } }),
    ],
    [
      1003,
      'an update to a namespace that was not required',
      'wc_sessionUpdate',
      update({ ...other, solana: { accounts: ['solana:1:a'], methods: [], events: [] } }),
      'app',
      { optionalNamespaces: {}, requiredNamespaces: required },
    ],
    [
      1003,
      'an update without a required chain',
      'wc_sessionUpdate',
      update({ eip155: { ...eip155, accounts: ['eip155:1:0xa'] } }),
      'app',
      { requiredNamespaces: required },
    ],
    [1002, 'an event without a name', 'wc_sessionEvent', event(undefined)],
    [1002, 'an event without params', 'wc_sessionEvent', undefined],
    [3005, 'an event for another chain', 'wc_sessionEvent', event('chainChanged', 'eip155:5')],
    [3002, 'an event that was not approved', 'wc_sessionEvent', event('message')],
    [
      3002,
      'an event that was approved only on other chains',
      'wc_sessionEvent',
      event('chainChanged', 'solana:1'),
      'app',
      { namespaces: { eip155, solana } },
    ],
    [
      3002,
      'an event on a chain whose namespace has other events',
      'wc_sessionEvent',
      event('solanaChanged'),
      'app',
      { namespaces: { eip155, solana } },
    ],
    [3002, 'an event from an app', 'wc_sessionEvent', event('chainChanged'), 'wallet'],
    [10001, 'an unknown method', 'wc_sessionSurprise', {}],
    [10001, 'a method that is named like an object property', 'constructor', {}],
  ])('with code %i %s', async (code, _what, method, params, side = 'app', change = {}) => {
    const { peer, topic, events, engine, relay } = await open(side, { session: change })
    const before = engine.snapshot()
    expect(await peer.ask(topic, method, params)).toMatchObject({ error: { code } })
    expect(relay.published.at(-1)).toMatchObject(
      (Object.hasOwn(publishing, method) && publishing[method]) || {
        tag: 0,
        ttl: 86_400,
        prompt: false,
      },
    )
    expect(events).toEqual([])
    expect(engine.snapshot()).toEqual(before)
  })

  test.each([
    ['wc_sessionUpdate', update(other)],
    ['wc_sessionExtend', {}],
    ['wc_sessionEvent', event('chainChanged')],
  ])('%s from the second in which the session expires', async (method, params) => {
    const { peer, topic, sleep, events } = await open('app')
    sleep(999_000)
    await peer.ask(topic, method, params, firstId)
    expect(events).toHaveLength(1)
    const again = await open('app')
    again.sleep(1_000_000)
    expect(await again.peer.ask(again.topic, method, params)).toMatchObject({
      error: { code: 7001 },
    })
    expect(again.relay.published.at(-1)).toMatchObject(publishing[method] ?? {})
    expect(again.events).toEqual([])
  })
})

test.each([
  ['wc_sessionUpdate', update(other), 1003],
  ['wc_sessionExtend', {}, 1004],
  ['wc_sessionEvent', event('chainChanged'), undefined],
])(
  '§5.12.7 an older %s than the last one is not applied; one of the same millisecond is',
  async (method, params, code) => {
    const { peer, topic, events, stores } = await open('app', {
      session: { namespaces: { eip155: { ...eip155, events: ['chainChanged', 'other'] } } },
    })
    const at = (ms: number, random = 0) => firstId + ms * 1_000 + random
    // Other messages do not count.
    await peer.ask(topic, 'wc_sessionPing', {}, at(900))
    await peer.ask(topic, 'wc_sessionEvent', event('other'), at(901))
    await stores.records.set({
      id: at(902),
      topic,
      request: { method },
      expiry: now + 1_000,
      sent: true,
    })
    await stores.records.set({
      id: at(903),
      topic: 'a'.repeat(64),
      request: { method },
      eventHash: await hashMessage('chainChanged'),
      expiry: now + 1_000,
      sent: false,
    })
    events.length = 0
    await peer.ask(topic, method, params, at(5, 500))
    await peer.ask(topic, method, params, at(7))
    await peer.ask(topic, method, params, at(5, 501))
    expect(events).toHaveLength(2)
    const late = await peer.ask(topic, method, params, at(6, 999))
    expect((late?.['error'] as Json | undefined)?.['code']).toBe(code)
    await peer.ask(topic, method, params, at(7, 1))
    expect(events).toHaveLength(3)
    // A duplicate has no effect either.
    await peer.ask(topic, method, params, at(7, 1))
    expect(events).toHaveLength(3)
  },
)

test.each([
  ['wc_sessionUpdate', update(other), 1003],
  ['wc_sessionExtend', {}, 1004],
])(
  'attack: an older %s than the last one is refused, although the record of the last one is gone',
  async (method, params, code) => {
    const { peer, topic, events, stores } = await open('app')
    await peer.ask(topic, method, params, firstId + 2_000)
    await stores.records.delete(firstId + 2_000)
    events.length = 0
    expect(await peer.ask(topic, method, params, firstId)).toMatchObject({ error: { code } })
    expect(events).toEqual([])
  },
)

test('attack: an extension that the relay returns to its sender is refused', async () => {
  const { run, relay, peer, topic, engine, events, sleep } = await open('wallet')
  const id = firstId + 5
  await run({ type: 'extend', id, topic })
  await relay.idle()
  const [own] = relay.published
  await peer.send(topic, { id, result: true })
  await run({ type: 'collect', id })
  const before = engine.snapshot().sessions
  expect(before).toEqual([expect.not.objectContaining({ lastExtendId: id })])
  events.length = 0
  sleep(1_000)
  await peer.relayer.publish(topic, own?.message ?? '', { ttl: 300, tag: 1106, prompt: false })
  await relay.idle()
  expect([engine.snapshot().sessions, events]).toEqual([before, []])
})

test.each([
  'wc_sessionUpdate',
  'wc_sessionExtend',
  'wc_sessionPing',
  'wc_sessionDelete',
  'wc_sessionEvent',
])(
  '%s on a topic without a session is ignored, and is handled if it is repeated after the session is settled',
  async (method) => {
    const { peer, keys, relayer, relay, session, events, stores } = await open('app')
    const symKey = createSymKey()
    const topic = await keys.setSymKey(symKey)
    await peer.keys.setSymKey(symKey)
    await Promise.all([relayer.subscribe(topic), peer.relayer.subscribe(topic)])
    const params = { ...event('chainChanged'), ...update(other) }
    expect(await peer.ask(topic, method, params, firstId)).toBeUndefined()
    expect(events).toEqual([])
    await stores.sessions.set({ ...session, topic })
    await peer.ask(topic, method, params, firstId)
    await relay.idle()
    expect(events).toHaveLength(1)
  },
)

test.each([
  ['a reason', { code: 5, message: 'Bye.', data: 'x' }, { code: 5, message: 'Bye.', data: 'x' }],
  ['an invalid reason', { code: 'x' }, undefined],
])('a deletion with %s ends the session without a response', async (_what, params, reason) => {
  const { peer, topic, session, keys, relayer, events, engine } = await open('app')
  const id = firstId
  expect(await peer.ask(topic, 'wc_sessionDelete', params, id)).toBeUndefined()
  expect(events).toEqual([['session_delete', reason ? { topic, id, reason } : { topic, id }]])
  expect(engine.snapshot().sessions).toEqual([])
  expect([topic, session.self.publicKey].map((tag) => keys.has(tag))).toEqual([false, false])
  expect(relayer.topics.has(topic)).toBe(false)
})

describe('ping', () => {
  test.each<[string, Json, object]>([
    ['a result', { result: true }, { result: undefined }],
    [
      'an error',
      { error: { code: 5, message: 'No.' } },
      { error: { name: 'PeerError', reason: { code: 5, message: 'No.' } } },
    ],
  ])('§9.10.1/1 reports %s 500 ms after the response', async (_what, response, outcome) => {
    const { peer, topic, clock, events, stores, run, relay } = await open('app')
    await run({ type: 'ping', id: 5, topic })
    await relay.idle()
    expect(peer.requests('wc_sessionPing')).toMatchObject([{ id: 5, params: {} }])
    await peer.send(topic, { id: 5, ...response })
    // The first response deletes the ping's record, so a second response has no effect.
    await peer.send(topic, { id: 5, result: 'again' })
    expect(stores.records.values()).toEqual([])
    clock.advance(499)
    expect(events).toEqual([])
    clock.advance(1)
    expect(events).toMatchObject([['resolved', { id: 5, ...outcome }]])
  })

  test('pings a pairing', async () => {
    const { topic, peer, relay, run, events, clock } = await openPairing()
    await run({ type: 'ping', id: 5, topic })
    await relay.idle()
    expect(peer.requests('wc_pairingPing')).toMatchObject([{ id: 5 }])
    await peer.send(topic, { id: 5, result: true })
    clock.advance(500)
    expect(events).toEqual([['resolved', { id: 5, result: undefined }]])
  })
})

/** A client with a session and a pairing. */
async function openPairing() {
  const opened = await open('app')
  const symKey = createSymKey()
  const topic = await opened.keys.setSymKey(symKey)
  await opened.peer.keys.setSymKey(symKey)
  await opened.stores.pairings.set({
    topic,
    expiry: now + 300,
    active: true,
    relay: { protocol: 'irn' },
  })
  await Promise.all([opened.relayer.subscribe(topic), opened.peer.relayer.subscribe(topic)])
  return { ...opened, topic, sessionTopic: opened.topic }
}

describe('a pairing', () => {
  test('responds to pings', async () => {
    const { peer, topic, events, relay } = await openPairing()
    expect(await peer.ask(topic, 'wc_pairingPing', {}, firstId)).toMatchObject({ result: true })
    expect(relay.published.at(-1)).toMatchObject({ tag: 1003, ttl: 30, prompt: false })
    expect(events).toEqual([['session_ping', { topic, id: firstId }]])
  })

  test('is deleted by the peer, with what was received on its topic', async () => {
    const { peer, topic, sessionTopic, engine, keys, relayer, stores } = await openPairing()
    await peer.ask(topic, 'wc_pairingPing', {}, firstId)
    await peer.ask(sessionTopic, 'wc_sessionPing', {}, firstId + 1)
    expect(await peer.ask(topic, 'wc_pairingDelete')).toBeUndefined()
    expect(engine.snapshot()).toMatchObject({ pairings: [], sessions: [{}] })
    expect([keys.has(topic), relayer.topics.has(topic)]).toEqual([false, false])
    expect(stores.records.values().map(({ id }) => id)).toEqual([firstId + 1])
  })

  test('ignores messages about pairings on the topic of a session', async () => {
    const { peer, sessionTopic, events, engine, stores } = await openPairing()
    expect(await peer.ask(sessionTopic, 'wc_pairingPing')).toBeUndefined()
    expect(await peer.ask(sessionTopic, 'wc_pairingDelete')).toBeUndefined()
    expect([events, engine.snapshot().sessions.length]).toEqual([[], 1])
    // A flood of them does not fill the storage.
    expect(stores.records.values()).toEqual([])
  })
})

describe('disconnect', () => {
  test('deletes a session and notifies the peer', async () => {
    const { topic, peer, relay, run, events, engine, stores, keys } = await open('app')
    await run({ type: 'disconnect', topic })
    await relay.idle()
    const [sent] = peer.requests('wc_sessionDelete')
    const reason = reasons.USER_DISCONNECTED
    expect(sent?.params).toEqual(reason)
    expect(relay.published).toMatchObject([
      { tag: 1112, ttl: 86_400, prompt: false, analytics: { correlationId: sent?.id } },
    ])
    expect(events).toEqual([['session_delete', { topic, id: sent?.id, reason, local: true }]])
    expect([engine.snapshot().sessions, stores.records.values()]).toEqual([[], []])
    expect(keys.has(topic)).toBe(false)
  })

  test('deletes a pairing and notifies the peer with the given reason', async () => {
    const { topic, sessionTopic, peer, relay, run, events, engine } = await openPairing()
    const reason = { code: 9, message: 'Enough.' }
    await run({ type: 'disconnect', topic, reason })
    await relay.idle()
    expect(peer.requests('wc_pairingDelete').map(({ params }) => params)).toEqual([reason])
    expect(relay.published).toMatchObject([{ tag: 1000, ttl: 86_400, prompt: false }])
    expect(events).toEqual([])
    const { pairings, sessions } = engine.snapshot()
    expect([pairings, sessions.map((it) => it.topic)]).toEqual([[], [sessionTopic]])
  })

  test('deletes the session even if the relay is unavailable, and notifies the peer after the next start', async () => {
    const store = createMemoryStore()
    const { topic, relay, peer, run, engine } = await open('app', { store })
    relay.onCall = () => {
      throw new Error('offline')
    }
    await expect(run({ type: 'disconnect', topic })).rejects.toThrow('offline')
    expect(engine.snapshot().sessions).toEqual([])
    await engine.close()
    relay.onCall = () => undefined
    const next = await openEngine(relay, { store })
    await expect.poll(() => peer.requests('wc_sessionDelete')).toHaveLength(1)
    await expect.poll(() => next.stores.records.values()).toEqual([])
    expect(relay.published).toMatchObject([{ tag: 1112, ttl: 86_400 }])
  })

  test.each([
    ['a code of 0', { code: 0, message: 'x' }],
    ['no code', { message: 'x' }],
    ['a code that is not a number', { code: NaN, message: 'x' }],
    ['no message', { code: 1 }],
    ['null', null],
  ])('rejects a reason with %s', async (_what, reason) => {
    const { topic, relay, run, engine } = await open('app')
    await expect(run({ type: 'disconnect', topic, reason: reason as never })).rejects.toMatchObject(
      { shortMessage: `Missing or invalid. disconnect() reason: ${JSON.stringify(reason)}` },
    )
    expect([relay.published, engine.snapshot().sessions.length]).toEqual([[], 1])
  })
})

describe('a command on', () => {
  const missing = 'a'.repeat(64)
  test.each<[string, (topic: string) => unknown, string]>([
    ['a blank topic', () => ' ', 'session or pairing topic should be a string:  '],
    ['an unknown topic', () => missing, `session or pairing topic doesn't exist: ${missing}`],
  ])('%s is rejected', async (_what, read, text) => {
    const { topic, run } = await open('app')
    await expect(run({ type: 'ping', id: 5, topic: read(topic) as string })).rejects.toThrow(text)
  })

  test('an expired pairing is rejected', async () => {
    const { topic, sleep, run } = await openPairing()
    sleep(299_000)
    await run({ type: 'ping', id: 5, topic })
    sleep(1_000)
    await expect(run({ type: 'ping', id: 6, topic })).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: `Expired. pairing topic: ${topic}`,
    })
  })

  test('an expired session is rejected, and the session is deleted', async () => {
    const { topic, sleep, run, events, engine } = await open('app')
    sleep(999_000)
    await run({ type: 'ping', id: 5, topic })
    sleep(1_000)
    await expect(run({ type: 'ping', id: 6, topic })).rejects.toMatchObject({
      name: 'ExpiredError',
      shortMessage: `Expired. session topic: ${topic}`,
    })
    expect(events.at(-1)).toEqual(['session_expire', { topic }])
    expect(engine.snapshot().sessions).toEqual([])
    for (const type of ['ping', 'extend'] as const)
      await expect(run({ type, id: 7, topic })).rejects.toThrow(
        `Record was recently deleted - session: ${topic}`,
      )
  })

  test('a session whose key is lost is rejected, and the session is deleted', async () => {
    const { topic, keys, run, engine } = await open('app')
    await keys.remove(topic)
    await expect(run({ type: 'extend', id: 6, topic })).rejects.toThrow(
      `session topic does not exist in keychain: ${topic}`,
    )
    expect(engine.snapshot().sessions).toEqual([])
  })

  test.each([
    [5 as never, 'Missing or invalid. session topic should be a string: 5'],
    [missing, `No matching key. session topic doesn't exist: ${missing}`],
  ])('%s instead of a session is rejected', async (topic, text) => {
    const { run } = await open('app')
    await expect(run({ type: 'extend', id: 6, topic })).rejects.toMatchObject({
      shortMessage: text,
    })
  })
})
