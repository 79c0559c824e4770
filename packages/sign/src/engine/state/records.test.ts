import { describe, expect, test } from 'vitest'
import { createSymKey } from '../../crypto/keys.ts'
import { wrapPlain } from '../../crypto/envelope.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { createMemoryRelay } from '../../testing/createMemoryRelay.ts'
import { firstId, now, openEngine, openSession, openWallet, seed } from '../../testing/engines.ts'

type Wallet = Awaited<ReturnType<typeof openSession>>

const record = (id: number, change: object = {}) => ({
  id,
  topic: 'a'.repeat(64),
  request: { method: 'wc_sessionPing' },
  expiry: now + 1_000,
  sent: false,
  ...change,
})

/** Sends pings whose ids are greater than any other. */
async function sendPings({ peer }: Pick<Wallet, 'peer'>, topic: string, count: number) {
  for (let index = 1; index <= count; index += 1)
    await peer.ask(topic, 'wc_sessionPing', {}, 2 * firstId + index * 1_000)
}

/** Adds a session, or a pairing, of another peer. @returns its topic */
async function addTopic({ stores, keys, peer, relayer }: Wallet, kind: 'session' | 'pairing') {
  const symKey = createSymKey()
  const topic = await keys.setSymKey(symKey)
  await peer.keys.setSymKey(symKey)
  await relayer.subscribe(topic)
  const [session] = stores.sessions.values()
  if (kind === 'session') await stores.sessions.set({ ...session!, topic })
  else
    await stores.pairings.set({ topic, expiry: now + 300, active: false, relay: { protocol: 'x' } })
  return topic
}

describe('the records that a start keeps are', () => {
  const many = (count: number, change: object = {}) =>
    Array.from({ length: count }, (_, index) => record(index + 1, change))
  /** Records with greater ids. */
  const others = (count: number, change: object) =>
    many(count, change).map((it) => ({ ...it, id: it.id + 1_000 }))

  test.each([
    ['100 that were received', many(100), 100, 1],
    ['of 102 that were received, the 100 with the greatest ids', many(102).toReversed(), 100, 102],
    [
      'of 102 with a response, the last 100',
      many(102, { sent: true, response: { result: 1 } }),
      100,
      3,
    ],
    [
      '100 that were received, and 100 with a response',
      [...many(102), ...others(102, { sent: true, response: { result: 1 } })],
      200,
      3,
    ],
    ['100 of each topic', [...many(102), ...others(102, { topic: 'b'.repeat(64) })], 200, 3],
    ['all without a response', many(600, { sent: true }), 600, 1],
    ['none of a topic without a key', many(101, { topic: 'c'.repeat(64) }), 0, undefined],
    ['all if there are at most 100', many(100, { topic: 'c'.repeat(64) }), 100, 1],
  ])('%s', async (_what, records, count, first) => {
    const store = createMemoryStore([
      [
        'wc@2:core:0.3//keychain',
        JSON.stringify({ ['a'.repeat(64)]: 'd'.repeat(64), ['b'.repeat(64)]: 'd'.repeat(64) }),
      ],
    ])
    await seed(store, { records })
    const { stores } = await openEngine(createMemoryRelay(), { store })
    const ids = stores.records.values().map(({ id }) => id)
    expect([ids.length, ids[0]]).toEqual([count, first])
  })
})

test('a running client evicts 100 records as soon as a topic has more than 200', async () => {
  const client = await openSession('app')
  const { topic, stores } = client
  await sendPings(client, topic, 200)
  expect(stores.records.values()).toHaveLength(200)
  await client.peer.ask(topic, 'wc_sessionPing', {}, 3 * firstId)
  expect(stores.records.values()).toHaveLength(100)
  expect(stores.records.has(3 * firstId)).toBe(true)
})

test('attack: a peer’s messages evict no records of other topics', async () => {
  const wallet = await openSession('wallet')
  const other = await addTopic(wallet, 'session')
  await wallet.peer.ask(other, 'wc_sessionPing', {}, firstId)
  await sendPings(wallet, wallet.topic, 201)
  expect(wallet.stores.records.has(firstId)).toBe(true)
})

test('a running client keeps 200 records of a topic, however many there are of others', async () => {
  const client = await openSession('app')
  const other = await addTopic(client, 'session')
  await client.peer.ask(other, 'wc_sessionPing', {}, firstId)
  await sendPings(client, client.topic, 200)
  expect(client.stores.records.values()).toHaveLength(201)
})

describe('a message that is older than 100 messages on its topic', () => {
  /** Sends a ping with id 500 to a client with records. @returns whether the client responds */
  async function isAnswered(from: number, count: number, change: object = {}) {
    const { stores, peer, topic } = await openSession('wallet')
    const records = Array.from({ length: count }, (_, index) =>
      record(from + 2 * index, { topic, ...change }),
    )
    for (const each of records) await stores.records.set(each)
    return (await peer.ask(topic, 'wc_sessionPing', {}, 500)) !== undefined
  }

  test('attack: is dropped, because its record may have been evicted', async () => {
    expect(await isAnswered(501, 100)).toBe(false)
  })

  test.each([
    ['only 99 messages are newer', 501, 99, {}],
    ['half of the 100 messages are older', 401, 100, {}],
    ['the others are on another topic', 501, 100, { topic: 'b'.repeat(64) }],
    ['the others were sent by this client', 501, 100, { sent: true }],
  ])('is handled if %s', async (_what, from, count, change) => {
    expect(await isAnswered(from, count, change)).toBe(true)
  })
})

test('attack: a message that is repeated after its record was evicted is dropped', async () => {
  const wallet = await openSession('wallet')
  const { peer, topic, events } = wallet
  await peer.ask(topic, 'wc_sessionPing', {}, firstId)
  await sendPings(wallet, topic, 201)
  events.length = 0
  await peer.ask(topic, 'wc_sessionPing', {}, firstId)
  expect([wallet.stores.records.has(firstId), events]).toEqual([false, []])
})

describe('after its record was evicted,', () => {
  const requester = (publicKey: string) => ({ publicKey, metadata: { name: 'evil' } })
  const authPayload = {
    chains: ['eip155:1'],
    domain: 'a.example',
    aud: 'https://a.example',
    nonce: '12345678',
    iat: '2023-11-14T22:13:20Z',
  }

  test.each([
    [
      'proposal',
      'proposals',
      'pairing',
      'wc_sessionPropose',
      (key: string) => ({ proposer: requester(key) }),
    ],
    [
      'request',
      'requests',
      'session',
      'wc_sessionRequest',
      (key: string) => ({
        chainId: 'eip155:1',
        request: { method: 'personal_sign', params: [key] },
      }),
    ],
    [
      'sign-in request',
      'authRequests',
      'pairing',
      'wc_sessionAuthenticate',
      (key: string) => ({ authPayload, requester: requester(key), expiryTimestamp: now + 300 }),
    ],
  ] as const)(
    'attack: the id of a pending %s cannot be used on another topic',
    async (_what, store, kind, method, params) => {
      const wallet = await openSession('wallet')
      const { peer, stores } = wallet
      const [honest, evil] = [await addTopic(wallet, kind), await addTopic(wallet, kind)]
      await peer.ask(honest, method, params('a'.repeat(64)), firstId)
      const pending = stores[store].values()
      await stores.records.delete(firstId)
      await peer.ask(evil, method, params('b'.repeat(64)), firstId)
      expect([pending.length, stores[store].values()]).toEqual([1, pending])
    },
  )
})

test('attack: an unencrypted sign-in by link leaves no record on the topic that it names', async () => {
  const { run, stores, keys, pairingTopic, uri } = await openWallet()
  await run({ type: 'pair', uri })
  const params = {
    authPayload: {
      chains: ['eip155:1'],
      domain: 'a.example',
      aud: 'https://a.example',
      nonce: '12345678',
      iat: '2023-11-14T22:13:20Z',
    },
    requester: { publicKey: 'b'.repeat(64), metadata: {} },
    expiryTimestamp: now + 300,
  }
  const request = { id: 9e15, jsonrpc: '2.0', method: 'wc_sessionAuthenticate', params }
  const envelope = wrapPlain(JSON.stringify(request))
  const url = `https://wallet.example/?topic=${pairingTopic}&wc_ev=${envelope}`
  expect(await run({ type: 'handleLink', url })).toBe(true)
  expect(stores.authRequests.values()).toHaveLength(1)
  expect([keys.has(pairingTopic), stores.records.values()]).toEqual([true, []])
})
