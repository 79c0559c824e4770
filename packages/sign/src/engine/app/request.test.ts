import { describe, expect, test } from 'vitest'
import { hashMessage } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { firstId, granted, type Json, now, openEngine, openSession } from '../../testing/engines.ts'

const jsonrpc = '2.0'
const id = firstId
const expired = { name: 'ExpiredError', message: 'Request expired. Please try again.' }

/** An app with a session that permits `personal_sign` and `eth_call`. */
async function open(options: Parameters<typeof openSession>[1] = {}) {
  const namespaces = { eip155: { ...granted.eip155, methods: ['personal_sign', 'eth_call'] } }
  const opened = await openSession('app', { session: { namespaces }, ...options })
  const request = (change: object = {}) =>
    opened.run({
      type: 'request',
      id,
      topic: opened.topic,
      chainId: 'eip155:1',
      request: { method: 'personal_sign', params: ['0x68'] },
      ...change,
    })
  const respond = (response: Json) => opened.peer.send(opened.topic, { id, ...response })
  return { ...opened, request, respond }
}

function offline() {
  throw new Error('offline')
}

describe('a request', () => {
  test.each([
    ['with the default expiry', {}, 900, 900],
    ['with the shortest expiry', { expiry: 300 }, 300, 300],
    ['with the longest expiry', { expiry: 604_800 }, 604_800, 604_800],
    ['with a fraction of a second', { expiry: 300.9 }, 300, 300],
  ])('%s is sent', async (_what, change, lifetime, ttl) => {
    const { request, peer, topic, relay, events, engine } = await open()
    await request(change)
    await relay.idle()
    const params = {
      request: { method: 'personal_sign', params: ['0x68'], expiryTimestamp: now + lifetime },
      chainId: 'eip155:1',
    }
    expect(peer.requests('wc_sessionRequest')).toEqual([
      { id, jsonrpc, method: 'wc_sessionRequest', params },
    ])
    expect(relay.published).toMatchObject([
      {
        ttl,
        tag: 1108,
        prompt: true,
        expectsResponse: true,
        attestation: undefined,
        analytics: {
          correlationId: id,
          rpcMethods: ['personal_sign'],
          chainId: 'eip155:1',
          txHashes: [],
          contractAddresses: [],
        },
      },
    ])
    expect(events).toEqual([
      ['session_request_sent', { topic, id, chainId: 'eip155:1', method: 'personal_sign' }],
    ])
    expect(engine.snapshot().pendingOutgoing).toEqual([
      {
        id,
        topic,
        chainId: 'eip155:1',
        request: { method: 'personal_sign', params: ['0x68'] },
        expiryTimestamp: now + lifetime,
      },
    ])
  })

  test.each([
    ['chainId: 1', { chainId: 1 }],
    ['chainId: eip155', { chainId: 'eip155' }],
    ['chainId: eip155:5', { chainId: 'eip155:5' }],
    ['null', { request: null }],
    ['{"method":" "}', { request: { method: ' ' } }],
    ['method: eth_sign', { request: { method: 'eth_sign' } }],
    ['expiry: 299. Expiry must be a number (in seconds) between 300 and 604800', { expiry: 299 }],
    ['expiry: 604801. Expiry must', { expiry: 604_801 }],
    ['expiry: 400. Expiry must', { expiry: '400' }],
    ['expiry: null. Expiry must', { expiry: null }],
  ])('is rejected: %s', async (text, change) => {
    const { request, relay, engine } = await open()
    await expect(request(change)).rejects.toMatchObject({
      shortMessage: expect.stringContaining(`Missing or invalid. request() ${text}`) as string,
    })
    expect([relay.published, engine.snapshot().pendingOutgoing]).toEqual([[], []])
  })

  test.each([
    ['solana_signMessage', 'eip155:1'],
    ['personal_sign', 'solana:1'],
  ])('is rejected: %s on %s, if it is granted only on other chains', async (method, chainId) => {
    const solana = { accounts: ['solana:1:a'], methods: ['solana_signMessage'], events: [] }
    const { request, relay } = await open({ session: { namespaces: { ...granted, solana } } })
    await expect(request({ request: { method }, chainId })).rejects.toMatchObject({
      shortMessage: `Missing or invalid. request() method: ${method}`,
    })
    expect(relay.published).toEqual([])
  })

  test('without params has no params in the list of sent requests', async () => {
    const { request, engine } = await open()
    await request({ request: { method: 'eth_call' } })
    expect(engine.snapshot().pendingOutgoing[0]?.request).toEqual({ method: 'eth_call' })
  })

  test('is sent once if two tabs run the command', async () => {
    const { request, relay } = await open()
    await Promise.all([request(), request()])
    await request()
    expect(relay.published).toHaveLength(1)
  })

  test('is deleted if the relay is unavailable', async () => {
    const { request, relay, stores, events } = await open()
    relay.onCall = offline
    await expect(request()).rejects.toThrow('offline')
    expect([stores.records.values(), events]).toEqual([[], []])
    relay.onCall = () => undefined
    await request()
    expect(relay.published).toHaveLength(1)
  })

  test('expires without a response', async () => {
    const { request, clock, events, engine, respond } = await open()
    await request({ expiry: 300 })
    events.length = 0
    clock.advance(299_999)
    expect(engine.snapshot().pendingOutgoing).toHaveLength(1)
    clock.advance(1)
    await expect.poll(() => events).toMatchObject([['resolved', { id, error: expired }]])
    expect(engine.snapshot().pendingOutgoing).toEqual([])
    await respond({ result: 1 })
    expect(events).toHaveLength(1)
  })

  test('accepts a response only before the second in which it expires', async () => {
    const { request, sleep, events, respond } = await open()
    await request({ expiry: 300 })
    await request({ id: id + 1, expiry: 300 })
    events.length = 0
    sleep(299_999)
    await respond({ id: id + 1, result: 1 })
    expect(events).toHaveLength(1)
    sleep(1)
    await respond({ result: 1 })
    expect(events).toHaveLength(1)
  })
})

describe('the response', () => {
  test.each<[string, Json, object]>([
    ['a result', { result: { a: 1 } }, { result: { a: 1 } }],
    ['a result of null', { result: null }, { result: null }],
    [
      'an error',
      { error: { code: 5000, message: 'No.', data: 'x' } },
      { error: { name: 'PeerError', reason: { code: 5000, message: 'No.', data: 'x' } } },
    ],
    [
      'an error without content',
      { error: {} },
      { error: { reason: { code: -32_000, message: 'No reason was given.' } } },
    ],
  ])(
    'with %s is reported once, and again on `resume` until it is collected',
    async (_what, response, outcome) => {
      const { request, respond, events, run, engine } = await open()
      await request()
      events.length = 0
      await respond(response)
      await respond({ result: 'late' })
      expect(events).toMatchObject([['resolved', { id, ...outcome }]])
      expect(engine.snapshot().pendingOutgoing).toHaveLength(1)
      await run({ type: 'resume', id })
      await request()
      expect(events.slice(1)).toEqual([events[0]])
      await run({ type: 'collect', id })
      expect(engine.snapshot().pendingOutgoing).toEqual([])
      await expect(run({ type: 'resume', id })).rejects.toThrow(
        `No matching key. request id doesn't exist: ${id}`,
      )
    },
  )

  test.each<[string, Json]>([
    ['without a result', {}],
    ['with an error of null', { error: null }],
    ['with another id', { id: id + 1, result: 1 }],
    ['with another version', { jsonrpc: '1.0', result: 1 }],
  ])('%s is ignored', async (_what, response) => {
    const { request, respond, events } = await open()
    await request()
    events.length = 0
    await respond(response)
    expect(events).toEqual([])
  })

  test('on the topic of another session is ignored', async () => {
    const { request, peer, keys, relayer, stores, session, events } = await open()
    const key = 'c'.repeat(64)
    const other = await keys.setSymKey(key)
    await peer.keys.setSymKey(key)
    await relayer.subscribe(other)
    await stores.sessions.set({ ...session, topic: other })
    await request()
    events.length = 0
    await peer.send(other, { id, result: '0xstolen' })
    expect(events).toEqual([])
  })

  test('to a request that the peer sent is ignored', async () => {
    const { peer, topic, respond, events, stores } = await open()
    await peer.ask(topic, 'wc_sessionPing', {}, id)
    events.length = 0
    await respond({ result: 1 })
    expect([events, stores.records.get(id)?.response]).toEqual([[], undefined])
  })
})

test('after a reload, an unsent request is sent again, and a sent one is not', async () => {
  const store = createMemoryStore()
  const { request, relay, engine, peer, topic } = await open({ store })
  await request()
  let called = 0
  relay.onCall = () => ((called += 1), new Promise(() => {}))
  const unsent = id + 1_000
  void request({ id: unsent, expiry: 400 })
  await expect.poll(() => called).toBe(1)
  await engine.close()
  relay.onCall = () => undefined
  const next = await openEngine(relay, { store })
  next.sleep(200_000)
  await next.run({ type: 'resume', id })
  await next.run({ type: 'resume', id: unsent })
  await relay.idle()
  expect(peer.requests('wc_sessionRequest').map((it) => it.id)).toEqual([id, unsent])
  expect(relay.published.map(({ ttl }) => ttl)).toEqual([900, 300])
  expect(next.engine.snapshot().pendingOutgoing).toMatchObject([
    { id, expiryTimestamp: now + 900 },
    { id: unsent, expiryTimestamp: now + 400 },
  ])
  expect(next.relayer.topics.has(topic)).toBe(true)
})

describe('abort', () => {
  test('of a sent request ignores its response', async () => {
    const { request, run, events, respond, engine } = await open()
    await request()
    events.length = 0
    await run({ type: 'abort', id })
    expect(events).toMatchObject([['resolved', { id, error: { code: 'sign.no_matching_key' } }]])
    await respond({ result: 1 })
    expect([events.length, engine.snapshot().pendingOutgoing]).toEqual([1, []])
  })

  test('of a request that is not published yet prevents its publication', async () => {
    const verify = verifyWith(() => new Promise(() => {}))
    const { request, run, relay, engine, clock } = await open({ verify })
    const sending = request()
    await relay.idle()
    await run({ type: 'abort', id })
    clock.advance(250)
    await expect(sending).rejects.toThrow(`No matching key. request id doesn't exist: ${id}`)
    expect([relay.published, engine.snapshot().pendingOutgoing]).toEqual([[], []])
  })

  test('of a request from the peer, or of an unknown request, changes nothing', async () => {
    const { peer, topic, run, events, stores } = await open()
    await peer.ask(topic, 'wc_sessionPing', {}, id)
    events.length = 0
    await run({ type: 'abort', id })
    await run({ type: 'abort', id: id + 5 })
    expect([events, stores.records.values().length]).toEqual([[], 1])
  })
})

function verifyWith(attest: (ids: unknown) => Promise<string | undefined>) {
  return {
    attest,
    check: async () => ({}) as never,
    prefetch: () => {},
    close: () => {},
  }
}

describe('the attestation of a request', () => {
  test('is sent with it, and covers its envelope and its text', async () => {
    const asked: unknown[] = []
    const verify = verifyWith(async (ids) => (asked.push(ids), 'jwt'))
    const { request, relay, peer, topic } = await open({ verify })
    await request()
    expect(relay.published).toMatchObject([{ attestation: 'jwt' }])
    const message = relay.published[0]?.message ?? ''
    const { text } = await peer.keys.decode(topic, message)
    expect(asked).toEqual([
      { encryptedId: await hashMessage(message), decryptedId: await hashMessage(text) },
    ])
  })

  test('is not requested for a ping', async () => {
    let asked = 0
    const verify = verifyWith(async () => ((asked += 1), 'jwt'))
    const { run, relay, topic } = await open({ verify })
    void run({ type: 'ping', id: id + 9, topic })
    await expect.poll(() => relay.published).toMatchObject([{ attestation: undefined }])
    expect(asked).toBe(0)
  })

  test('is awaited for at most 250 ms; after a failure, the requests of the next minute do not wait', async () => {
    let asked = 0
    const verify = verifyWith(() => ((asked += 1), new Promise(() => {})))
    const { request, relay, clock } = await open({ verify })
    const sending = request()
    await expect.poll(() => asked).toBe(1)
    clock.advance(249)
    await relay.idle()
    expect(relay.published).toEqual([])
    clock.advance(1)
    await sending
    expect(relay.published).toMatchObject([{ attestation: undefined }])
    clock.advance(59_999)
    await request({ id: id + 1 })
    expect(asked).toBe(1)
    clock.advance(1)
    verify.attest = async () => 'jwt'
    await request({ id: id + 2 })
    expect(relay.published.map(({ attestation }) => attestation)).toEqual([
      undefined,
      undefined,
      'jwt',
    ])
  })

  test('may be unavailable: the request is sent without it', async () => {
    let asked = 0
    const verify = verifyWith(async () => void (asked += 1))
    const { request, relay, clock } = await open({ verify })
    const timers = clock.pending()
    await request()
    await request({ id: id + 1 })
    expect([asked, relay.published.length]).toEqual([1, 2])
    expect(clock.pending()).toBe(timers)
  })
})

describe('the end of a session', () => {
  test.each(['by the wallet', 'by this client', 'by its expiry'])(
    'rejects pending requests: %s',
    async (what) => {
      const { request, respond, peer, topic, run, clock, events, engine, stores } = await open()
      await request({ expiry: 604_800 })
      await request({ id: id + 1 })
      await respond({ id: id + 1, result: 1 })
      await peer.ask(topic, 'wc_sessionPing', {}, id + 9_000)
      events.length = 0
      if (what === 'by the wallet') await peer.ask(topic, 'wc_sessionDelete')
      if (what === 'by this client') await run({ type: 'disconnect', topic })
      if (what === 'by its expiry') clock.advance(1_000_000)
      const error = { name: 'PeerError', reason: { code: 6000, message: 'User disconnected.' } }
      await expect.poll(() => events.length).toBe(2)
      expect(events).toContainEqual([
        'resolved',
        { id, error: { ...error, code: 'sign.peer', message: 'User disconnected.' } },
      ])
      expect(engine.snapshot().pendingOutgoing).toEqual([])
      const records = stores.records.values().filter(({ sent }) => sent)
      expect(records).toEqual([])
      await expect(request()).rejects.toThrow('recently deleted - session')
    },
  )

  test('prevents the publication of a request that waits for its attestation', async () => {
    let resolve: ((value?: undefined) => void) | undefined
    const verify = verifyWith(() => new Promise((next) => (resolve = next)))
    const { request, peer, topic, relay } = await open({ verify })
    const sending = request()
    await expect.poll(() => resolve, { interval: 1 }).toBeDefined()
    await peer.ask(topic, 'wc_sessionDelete')
    resolve?.()
    await expect(sending).rejects.toThrow('No matching key.')
    expect(relay.published).toHaveLength(1)
  })
})
