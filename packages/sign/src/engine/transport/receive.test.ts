import { afterEach, expect, test } from 'vitest'
import { createKeychain } from '../../crypto/createKeychain.ts'
import { createSymKey } from '../../crypto/keys.ts'
import { createRelayer } from '../../relayer/createRelayer.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { storageKeys } from '../../storage/storageKeys.ts'
import type { Clock } from '../../SignClient.ts'
import { systemClock } from '../../systemClock.ts'
import { createManualClock, type ManualClock } from '../../testing/createManualClock.ts'
import { startScriptedRelay } from '../../testing/startScriptedRelay.ts'
import { createEngine } from '../createEngine.ts'
import type { EngineEvent } from '../Engine.ts'
import { openStores } from '../state/stores.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const metadata = { name: '', description: '', url: '', icons: [] }
const [self, peer] = ['a', 'b'].map((digit) => ({ publicKey: digit.repeat(64), metadata }))

/** Creates an app with an active session, the wallet's keys, and a scripted relay. */
async function openSession(
  event: (event: EngineEvent) => void,
  beforeDecode: (encoded: string) => Promise<void> | void = () => {},
  clock: Clock = systemClock,
) {
  const scripted = await startScriptedRelay()
  ends.push(() => scripted.close())
  const store = createMemoryStore()
  const keychain = await createKeychain({ store, key: 'keys' })
  const topic = await keychain.setSymKey(createSymKey())
  const session = {
    topic,
    expiry: Math.floor(Date.now() / 1_000) + 3_600,
    acknowledged: true,
    controller: peer?.publicKey,
    namespaces: {
      eip155: {
        accounts: ['eip155:1:0xa'],
        methods: ['eth_accounts'],
        events: ['accountsChanged'],
      },
    },
    self,
    peer,
  }
  await store.setItem(storageKeys().client('session'), JSON.stringify([session]))
  const relay = await createRelayer({ relayUrl: scripted.url, keychain, store, clock })
  ends.push(() => relay.close())
  const stores = await openStores({ store, prefix: undefined, onDamaged: () => {} })
  const engine = await createEngine({
    metadata,
    relay,
    stores,
    keys: {
      ...keychain,
      async decode(...parameters) {
        await beforeDecode(parameters[1])
        return keychain.decode(...parameters)
      },
    },
    verify: undefined,
    clock,
    disableRequestQueue: false,
    openLink: undefined,
    ethCall: undefined,
    listener: { onEvent: event, onChange: () => {} },
  })
  ends.push(() => engine.close())
  // Pushes to a topic without a subscription are ignored.
  await expect.poll(() => scripted.requests.map(({ method }) => method)).toContain('irn_subscribe')
  return { topic, keychain, store, stores, engine, scripted }
}

/** Advances the clock in steps of a second until `read` returns the value. */
async function advanceUntil<value>(clock: ManualClock, read: () => value, expected: value) {
  const step = () => {
    clock.advance(1_000)
    return read()
  }
  await expect.poll(step, { interval: 5 }).toBe(expected)
}

test('each topic’s messages are handled in order, regardless of how long decryption takes', async () => {
  let release = () => {}
  const opened: string[] = []
  const reported: unknown[] = []
  const { topic, keychain, scripted } = await openSession(
    (each) => {
      if (each.type === 'event' && each.name === 'session_event')
        reported.push(each.event.params.event.data)
    },
    async (encoded) => {
      const isFirst = opened.push(encoded) === 1
      if (isFirst) await new Promise<void>((resolve) => (release = resolve))
    },
  )
  for (const id of [1, 2, 3]) {
    const params = { chainId: 'eip155:1', event: { name: 'accountsChanged', data: id } }
    const request = { id: id * 1_000, jsonrpc: '2.0', method: 'wc_sessionEvent', params }
    scripted.push(id, { topic, message: keychain.encode(topic, JSON.stringify(request)) })
  }
  await expect.poll(() => scripted.acks).toEqual([1, 2, 3])
  expect([opened.length, reported]).toEqual([1, []])
  release()
  await expect.poll(() => reported).toEqual([1, 2, 3])
})

test.each<[string, string, object]>([
  [
    'events',
    'wc_sessionEvent',
    { chainId: 'eip155:1', event: { name: 'accountsChanged', data: 1 } },
  ],
  ['pings', 'wc_sessionPing', {}],
  [
    'updates',
    'wc_sessionUpdate',
    {
      namespaces: {
        eip155: { accounts: ['eip155:1:0xb'], methods: [], events: ['accountsChanged'] },
      },
    },
  ],
])('attack: of 1,000 %s at once, 20 are handled, then 3 per second', async (_, method, params) => {
  const clock = createManualClock()
  let decrypted = 0
  let emitted = 0
  const { topic, keychain, scripted, store } = await openSession(
    ({ type }) => void (type === 'event' && (emitted += 1)),
    () => void (decrypted += 1),
    clock,
  )
  emitted = 0
  for (let id = 1; id <= 1_000; id += 1)
    scripted.push(id, {
      topic,
      message: keychain.encode(
        topic,
        JSON.stringify({ id: id * 1_000, jsonrpc: '2.0', method, params }),
      ),
    })
  // The other messages are not acknowledged, so the relay keeps them.
  await expect.poll(() => [decrypted, emitted, scripted.acks.length]).toEqual([20, 20, 20])
  const waiting = await store.getItem(storageKeys().core('inbox'))
  expect(waiting?.length).toBeLessThan(10_000)
  for (const [ms, handled] of [
    [333, 20],
    [1, 21],
    [900, 23],
    [10_000, 53],
  ] as const) {
    clock.advance(ms)
    await expect
      .poll(() => [decrypted, emitted, scripted.acks.length])
      .toEqual(Array<number>(3).fill(handled))
  }
})

test('the responses to 100 requests at once are not delayed, whatever their size', async () => {
  const resolved: number[] = []
  const { topic, keychain, engine, scripted } = await openSession(
    (each) => void (each.type === 'resolved' && resolved.push(each.id)),
    undefined,
    createManualClock(),
  )
  const ids = Array.from({ length: 100 }, (_, index) => (index + 1) * 1_000)
  const request = { method: 'eth_accounts', params: [] }
  await Promise.all(
    ids.map((id) => engine.run({ type: 'request', id, topic, chainId: 'eip155:1', request })),
  )
  for (const id of ids) {
    const text = JSON.stringify({ id, jsonrpc: '2.0', result: ['x'.repeat(20_000)] })
    scripted.push(id, { topic, message: keychain.encode(topic, text) })
  }
  await expect.poll(() => resolved).toEqual(ids)
})

test('a long-running client evicts old records', async () => {
  let pings = 0
  const clock = createManualClock()
  const { topic, keychain, stores, scripted } = await openSession(
    () => void (pings += 1),
    undefined,
    clock,
  )
  for (let id = 1; id <= 1_200; id += 1) {
    const request = { id: id * 1_000, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} }
    scripted.push(id, { topic, message: keychain.encode(topic, JSON.stringify(request)) })
    if (id % 600 === 0) await advanceUntil(clock, () => pings, id)
  }
  await expect.poll(() => stores.records.get(1_200_000)).toBeDefined()
  expect(stores.records.values().length).toBeLessThanOrEqual(1_000)
})

test('attack: 60 pings of 20 KB and an invented method leave less than 100 KB in storage', async () => {
  const clock = createManualClock()
  const { topic, keychain, store, stores, scripted } = await openSession(() => {}, undefined, clock)
  const body = 'x'.repeat(20_000)
  const send = (id: number, request: object) =>
    scripted.push(id, {
      topic,
      message: keychain.encode(
        topic,
        JSON.stringify({ id: id * 1_000, jsonrpc: '2.0', ...request }),
      ),
    })
  for (let id = 1; id <= 60; id += 1) send(id, { method: 'wc_sessionPing', params: { body } })
  send(61, { method: body, params: {} })
  send(62, { method: 'wc_sessionEvent', params: { chainId: 'eip155:1', event: { name: body } } })
  await advanceUntil(clock, () => stores.records.has(62_000), true)
  const history = (await store.getItem(storageKeys().core('history'))) ?? ''
  expect([stores.records.values().length, history.length < 100_000]).toEqual([62, true])
})

test('§5.12.7 an event that is older than the last event with the same name is dropped', async () => {
  const reported: unknown[] = []
  const { topic, keychain, stores, scripted } = await openSession((each) => {
    if (each.type === 'event' && each.name === 'session_event')
      reported.push(each.event.params.event.data)
  })
  for (const id of [2, 1, 3]) {
    const params = { chainId: 'eip155:1', event: { name: 'accountsChanged', data: id } }
    const request = { id: id * 1_000, jsonrpc: '2.0', method: 'wc_sessionEvent', params }
    scripted.push(id, { topic, message: keychain.encode(topic, JSON.stringify(request)) })
  }
  await expect.poll(() => stores.records.has(3_000)).toBe(true)
  expect(reported).toEqual([2, 3])
})

test('a request that is aborted in one tab is rejected in other tabs that wait for its response', async () => {
  const reported: EngineEvent[] = []
  const { topic, stores, engine } = await openSession((each) => void reported.push(each))
  const params = { chainId: 'eip155:1', request: { method: 'personal_sign' } }
  const request = { method: 'wc_sessionRequest', params }
  await stores.records.set({
    id: 7,
    topic,
    request,
    expiry: 2 ** 40,
    deadline: 2 ** 40,
    sent: true,
  })
  await engine.run({ type: 'abort', id: 7 })
  expect(reported).toMatchObject([
    { type: 'resolved', id: 7, outcome: { error: { code: 'sign.no_matching_key' } } },
  ])
})
