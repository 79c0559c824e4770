import { describe, expect, test } from 'vitest'
import { createSymKey, hashMessage } from '../../crypto/keys.ts'
import { createMemoryStore } from '../../storage/createMemoryStore.ts'
import { firstId, granted, now, openEngine, openSession as open } from '../../testing/engines.ts'
import type { Verify } from '../../verify/Verify.ts'

const jsonrpc = '2.0' as const
const request = (change: object = {}, chainId = 'eip155:1') => ({
  chainId,
  request: { method: 'personal_sign', params: ['0x68'], expiryTimestamp: now + 300, ...change },
})
/** A session that grants different methods and events on two chains. */
const two = {
  ...granted,
  solana: {
    accounts: ['solana:1:a'],
    methods: ['solana_signMessage'],
    events: ['solanaChanged'],
  },
}
const context = {
  verified: { verifyUrl: '', validation: 'UNKNOWN', origin: 'https://peer.example' },
}

describe('a request', () => {
  test.each([
    ['with an expiry', request()],
    ['without an expiry', { chainId: 'eip155:10', request: { method: 'personal_sign' } }],
  ])('%s is stored and emitted', async (_what, params) => {
    const { peer, topic, events, engine } = await open('wallet')
    expect(await peer.ask(topic, 'wc_sessionRequest', params, firstId)).toBeUndefined()
    const pending = { id: firstId, topic, params, verifyContext: context }
    expect(events).toEqual([['session_request', pending]])
    expect(engine.snapshot().pendingRequests).toEqual([pending])
    // Duplicates are ignored.
    await peer.ask(topic, 'wc_sessionRequest', params, firstId)
    expect(events).toHaveLength(1)
  })

  test.each([
    [1001, 'without params', undefined, /^Invalid method. request\(\) params$/],
    [1001, 'without a method', { chainId: 'eip155:1', request: {} }, /^Invalid method/],
    [3005, 'for another chain', request({}, 'eip155:5'), /^Unauthorized chain. eip155:5$/],
    [3001, 'for another method', request({ method: 'x' }), /^Unauthorized method. x$/],
    [8000, 'that expires now', request({ expiryTimestamp: now }), /./],
  ])('is rejected with code %i %s', async (code, _what, params, text) => {
    const { peer, topic, events, engine, relay } = await open('wallet')
    expect(await peer.ask(topic, 'wc_sessionRequest', params)).toMatchObject({
      error: { code, message: expect.stringMatching(text) as string },
    })
    expect(relay.published[1]).toMatchObject({ tag: 1109, ttl: 900, prompt: false })
    expect([events, engine.snapshot().pendingRequests]).toEqual([[], []])
  })

  test.each([
    ['solana_signMessage', 'eip155:1'],
    ['personal_sign', 'solana:1'],
  ])(
    'attack: %s on %s is rejected if it is granted only on other chains',
    async (method, chain) => {
      const { peer, topic, events } = await open('wallet', { session: { namespaces: two } })
      expect(await peer.ask(topic, 'wc_sessionRequest', request({ method }, chain))).toMatchObject({
        error: { code: 3001 },
      })
      expect(events).toEqual([])
    },
  )

  test('is rejected from the second in which the session expires', async () => {
    const { peer, topic, sleep } = await open('wallet')
    const params = request({ expiryTimestamp: undefined })
    sleep(999_000)
    expect(await peer.ask(topic, 'wc_sessionRequest', params)).toBeUndefined()
    sleep(1_000)
    expect(await peer.ask(topic, 'wc_sessionRequest', params)).toMatchObject({
      error: { code: 7001 },
    })
  })

  test('to an app is ignored', async () => {
    const { peer, topic, engine, stores } = await open('app')
    expect(await peer.ask(topic, 'wc_sessionRequest', request())).toBeUndefined()
    expect(await peer.ask(topic, 'wc_sessionRequest', {})).toBeUndefined()
    expect([engine.snapshot().pendingRequests, stores.records.values()]).toEqual([[], []])
  })

  test('attack: more than 100 pending requests of a session are rejected', async () => {
    const { peer, topic, stores, run, session, engine } = await open('wallet')
    const fill = (count: number, from: number, of: string) =>
      Array.from({ length: count }, (_, index) =>
        stores.requests.set({
          id: from + index,
          topic: of,
          params: request(),
          verifyContext: context as never,
        }),
      )
    await Promise.all([...fill(100, 1, 'b'.repeat(64)), ...fill(99, 1_000, session.topic)])
    expect(await peer.ask(topic, 'wc_sessionRequest', request())).toBeUndefined()
    expect(await peer.ask(topic, 'wc_sessionRequest', request())).toMatchObject({
      error: { code: -32_005, message: 'Too many pending requests.' },
    })
    expect(engine.snapshot().pendingRequests).toHaveLength(200)
    await run({ type: 'respond', topic, response: { id: 1_000, jsonrpc, result: 1 } })
    expect(await peer.ask(topic, 'wc_sessionRequest', request())).toBeUndefined()
  })

  test.each([
    ['its expiry', { expiryTimestamp: 9e15 }, firstId],
    ['its id', { expiryTimestamp: undefined }, 9e15],
  ])(
    'attack: expires after seven days at the latest, whatever %s is',
    async (_what, change, id) => {
      const { peer, topic, events } = await open('wallet', { session: { expiry: now + 10 ** 9 } })
      await peer.ask(topic, 'wc_sessionRequest', request(change), id)
      const expiryTimestamp = now + 604_800
      expect(events).toMatchObject([['session_request', { params: request({ expiryTimestamp }) }]])
    },
  )

  test('is checked with the verify service, and is dropped if the session ends meanwhile', async () => {
    const checked: unknown[] = []
    let during = async () => {}
    const verifyContext = { verified: { ...context.verified, validation: 'VALID' as const } }
    const verify: Verify = {
      attest: async () => undefined,
      check: async (parameters) => {
        checked.push(parameters)
        await during()
        return verifyContext
      },
      prefetch: () => {},
      close: () => {},
    }
    const { peer, topic, events, engine, relay, run } = await open('wallet', { verify })
    await peer.send(topic, { method: 'wc_sessionRequest', params: request() }, 'jwt')
    expect(events).toMatchObject([['session_request', { verifyContext }]])
    const [sent] = relay.published
    const { text } = await peer.keys.decode(topic, sent?.message ?? '')
    expect(checked).toEqual([
      {
        attestation: 'jwt',
        encryptedId: await hashMessage(sent?.message ?? ''),
        decryptedId: await hashMessage(text),
        peerUrl: 'https://peer.example',
      },
    ])
    during = async () => void (await run({ type: 'disconnect', topic }))
    await peer.send(topic, { method: 'wc_sessionRequest', params: request() })
    expect(engine.snapshot().pendingRequests).toEqual([])
  })
})

describe('§4.18.5 requests are emitted', () => {
  async function receive(count: number, options: Parameters<typeof open>[1] = {}) {
    const opened = await open('wallet', options)
    const ids = Array.from({ length: count }, (_, index) => firstId + index * 1_000)
    for (const id of ids) await opened.peer.ask(opened.topic, 'wc_sessionRequest', request(), id)
    const emitted = () =>
      opened.events.flatMap(([name, event]) =>
        name === 'session_request' ? [ids.indexOf((event as { id: number }).id)] : [],
      )
    const respond = (index: number) =>
      opened.run({
        type: 'respond',
        topic: opened.topic,
        response: { id: ids[index] ?? 0, jsonrpc, result: index },
      })
    return { ...opened, ids, emitted, respond }
  }

  test('one at a time, 500 ms after the response to the previous one', async () => {
    const { clock, emitted, respond, peer, topic } = await receive(4)
    expect(emitted()).toEqual([0])
    await respond(2)
    clock.advance(10_000)
    expect(emitted()).toEqual([0])
    await respond(0)
    // A request that arrives during the pause does not end it.
    await peer.ask(topic, 'wc_sessionRequest', request(), firstId + 9_000)
    clock.advance(499)
    expect(emitted()).toEqual([0])
    clock.advance(1)
    expect(emitted()).toEqual([0, 1])
    await respond(1)
    clock.advance(500)
    expect(emitted()).toEqual([0, 1, 3])
  })

  test('immediately if the queue is disabled', async () => {
    const { emitted, respond, clock } = await receive(3, { disableRequestQueue: true })
    expect(emitted()).toEqual([0, 1, 2])
    await respond(1)
    clock.advance(500)
    expect(emitted()).toEqual([0, 1, 2])
  })

  test('no more after the client is closed', async () => {
    const { emitted, respond, engine, clock, stores, peer, topic } = await receive(2)
    await respond(0)
    await engine.close()
    clock.advance(1_000)
    expect(emitted()).toEqual([0])
    await peer.ask(topic, 'wc_sessionRequest', request(), firstId + 9_000)
    expect([emitted(), stores.requests.values().length]).toEqual([[0], 1])
  })

  test('only until they expire', async () => {
    const { emitted, clock, events, ids, engine } = await receive(2)
    clock.advance(299_999)
    expect(emitted()).toEqual([0])
    clock.advance(1)
    const expired = () => events.filter(([name]) => name === 'session_request_expire')
    await expect.poll(expired).toEqual(ids.map((id) => ['session_request_expire', { id }]))
    expect(engine.snapshot().pendingRequests).toEqual([])
  })
})

describe('a response', () => {
  async function receive(side: object = {}) {
    const opened = await open('wallet', { session: side })
    await opened.peer.ask(
      opened.topic,
      'wc_sessionRequest',
      request({ method: 'personal_sign', params: [{ to: '0xb', data: '0x00' }] }),
      firstId,
    )
    opened.relay.published.length = 0
    return opened
  }

  test.each([
    ['a result', { result: { a: 1 } }, { result: { a: 1 } }],
    ['a result of null', { result: null }, { result: null }],
    ['an error', { error: { code: 5, message: 'No.' } }, { error: { code: 5, message: 'No.' } }],
    [
      'an error without a code',
      { error: {} },
      { error: { code: -32_000, message: 'No reason was given.' } },
    ],
  ])('with %s is sent, and the request is deleted', async (_what, response, sent) => {
    const { run, topic, peer, relay, engine } = await receive()
    await run({ type: 'respond', topic, response: { id: firstId, jsonrpc, ...response } as never })
    await relay.idle()
    expect(peer.received.at(-1)?.json).toEqual({ id: firstId, jsonrpc, ...sent })
    expect(relay.published).toMatchObject([
      {
        tag: 1109,
        ttl: 900,
        prompt: false,
        analytics: {
          correlationId: firstId,
          rpcMethods: ['personal_sign'],
          chainId: 'eip155:1',
          txHashes: [],
          contractAddresses: ['0xb'],
        },
      },
    ])
    expect(engine.snapshot().pendingRequests).toEqual([])
    await expect(
      run({ type: 'respond', topic, response: { id: firstId, jsonrpc, result: 1 } }),
    ).rejects.toThrow(`Record was recently deleted - request: ${firstId}`)
  })

  test('contains the hash of a transaction as metadata', async () => {
    const { run, topic, peer, relay } = await open('wallet', {
      session: { namespaces: { eip155: { ...granted.eip155, methods: ['eth_sendTransaction'] } } },
    })
    await peer.ask(topic, 'wc_sessionRequest', request({ method: 'eth_sendTransaction' }), firstId)
    await run({ type: 'respond', topic, response: { id: firstId, jsonrpc, result: '0xhash' } })
    expect(relay.published.at(-1)?.analytics?.txHashes).toEqual(['0xhash'])
  })

  test.each([
    ['null', null],
    ['without an id', { jsonrpc, result: 1 }],
    ['with an id as text', { id: String(firstId), jsonrpc, result: 1 }],
    ['without a version', { id: firstId, result: 1 }],
    ['without a result or error', { id: firstId, jsonrpc }],
    ['with an error as text', { id: firstId, jsonrpc, error: 'x' }],
  ])('%s is rejected', async (_what, response) => {
    const { run, topic, relay, engine } = await receive()
    await expect(
      run({ type: 'respond', topic, response: response as never }),
    ).rejects.toMatchObject({
      shortMessage: `Missing or invalid. respond() response: ${JSON.stringify(response)}`,
    })
    expect([relay.published, engine.snapshot().pendingRequests.length]).toEqual([[], 1])
  })

  test('to an unknown request, or on the topic of another session, is rejected', async () => {
    const { run, topic, stores, relay, session, keys } = await receive()
    const unknown = { id: 7, jsonrpc, result: 1 }
    await expect(run({ type: 'respond', topic, response: unknown })).rejects.toThrow(
      "No matching key. request id doesn't exist: 7",
    )
    const other = await keys.setSymKey(createSymKey())
    await stores.sessions.set({ ...session, topic: other })
    const response = { id: firstId, jsonrpc, result: 1 }
    await expect(run({ type: 'respond', topic: other, response })).rejects.toThrow(
      `No matching key. request id doesn't exist: ${firstId}`,
    )
    expect(relay.published).toEqual([])
  })

  test('is sent once if two tabs respond; after a failure, the wallet can respond again', async () => {
    const { run, topic, relay, engine } = await receive()
    relay.onCall = () => {
      throw new Error('offline')
    }
    const respond = (result: number) =>
      run({ type: 'respond', topic, response: { id: firstId, jsonrpc, result } })
    await expect(respond(0)).rejects.toThrow('offline')
    expect(engine.snapshot().pendingRequests).toHaveLength(1)
    relay.onCall = () => undefined
    const [one, two] = await Promise.allSettled([respond(1), respond(2)])
    expect([one.status, two]).toMatchObject([
      'fulfilled',
      { reason: { shortMessage: expect.stringContaining('recently deleted') as string } },
    ])
    expect(relay.published).toHaveLength(1)
  })
})

describe('emit', () => {
  test('sends an event to the app', async () => {
    const { run, topic, peer, relay, stores } = await open('wallet')
    const event = { name: 'chainChanged', data: 10 }
    await run({ type: 'emit', topic, chainId: 'eip155:10', event })
    await relay.idle()
    const [sent] = peer.requests('wc_sessionEvent')
    expect(sent?.params).toEqual({ event, chainId: 'eip155:10' })
    expect(relay.published).toMatchObject([
      {
        tag: 1110,
        ttl: 300,
        prompt: true,
        expectsResponse: true,
        analytics: { correlationId: sent?.id },
      },
    ])
    expect(stores.records.get(sent?.id ?? 0)?.unsent).toBeUndefined()
  })

  test.each([
    ['chainId: 5', 5, { name: 'chainChanged', data: 1 }],
    ['chainId: eip155', 'eip155', { name: 'chainChanged', data: 1 }],
    ['chainId: eip155:5', 'eip155:5', { name: 'chainChanged', data: 1 }],
    ['event: {"name":"other"}', 'eip155:1', { name: 'other' }],
    ['event: {}', 'eip155:1', {}],
    ['event: chainChanged', 'eip155:1', 'chainChanged'],
  ])('rejects %s', async (text, chainId, event) => {
    const { run, topic, relay } = await open('wallet')
    await expect(
      run({ type: 'emit', topic, chainId: chainId as never, event: event as never }),
    ).rejects.toMatchObject({ shortMessage: `Missing or invalid. emit() ${text}` })
    expect(relay.published).toEqual([])
  })

  test.each([
    ['solanaChanged', 'eip155:1'],
    ['chainChanged', 'solana:1'],
  ])('rejects %s on %s if it is granted only on other chains', async (name, chainId) => {
    const { run, topic, relay } = await open('wallet', { session: { namespaces: two } })
    await expect(
      run({ type: 'emit', topic, chainId, event: { name, data: 1 } }),
    ).rejects.toMatchObject({ shortMessage: expect.stringContaining('emit() event:') as string })
    expect(relay.published).toEqual([])
  })

  test('rejects if the relay is unavailable', async () => {
    const { run, topic, relay, stores } = await open('wallet')
    relay.onCall = () => {
      throw new Error('offline')
    }
    const event = { name: 'chainChanged', data: 10 }
    await expect(run({ type: 'emit', topic, chainId: 'eip155:1', event })).rejects.toThrow(
      'offline',
    )
    expect(stores.records.values()).toEqual([])
  })
})

describe('update', () => {
  const namespaces = { eip155: { ...granted.eip155, accounts: ['eip155:10:0xb'] } }

  test('is applied and sent; the response is reported', async () => {
    const { run, topic, peer, relay, engine, events } = await open('wallet')
    await run({ type: 'update', id: 5, topic, namespaces })
    await relay.idle()
    expect(engine.snapshot().sessions).toMatchObject([{ namespaces }])
    expect(peer.requests('wc_sessionUpdate')).toMatchObject([{ id: 5, params: { namespaces } }])
    expect(relay.published).toMatchObject([{ tag: 1104, ttl: 86_400 }])
    await peer.send(topic, { id: 5, result: true })
    expect(events).toEqual([['resolved', { id: 5, result: true }]])
  })

  test('is undone if it cannot be sent, unless a later update has replaced it', async () => {
    const { run, topic, relay, engine } = await open('wallet')
    relay.onCall = () => {
      throw new Error('offline')
    }
    await expect(run({ type: 'update', id: 5, topic, namespaces })).rejects.toThrow('offline')
    expect(engine.snapshot().sessions).toMatchObject([{ namespaces: granted }])
    let fail = () => {}
    relay.onCall = () =>
      new Promise((_resolve, reject) => (fail = () => reject(new Error('offline'))))
    const first = run({ type: 'update', id: 6, topic, namespaces })
    await relay.idle()
    relay.onCall = () => undefined
    const later = { eip155: { ...granted.eip155, accounts: ['eip155:1:0xc'] } }
    await run({ type: 'update', id: 7, topic, namespaces: later })
    fail()
    await expect(first).rejects.toThrow('offline')
    expect(engine.snapshot().sessions).toMatchObject([{ namespaces: later }])
  })

  test('rejects with the relay’s error if the session is deleted while it is sent', async () => {
    const { run, topic, relay, peer, engine } = await open('wallet')
    relay.onCall = async () => {
      relay.onCall = () => undefined
      await peer.send(topic, { method: 'wc_sessionDelete', params: {} })
      throw new Error('offline')
    }
    await expect(run({ type: 'update', id: 5, topic, namespaces })).rejects.toThrow('offline')
    expect(engine.snapshot().sessions).toEqual([])
  })

  test('is sent after a restart if the relay had not stored it', async () => {
    const store = createMemoryStore()
    const { run, topic, relay, peer, engine } = await open('wallet', { store })
    let called = 0
    relay.onCall = () => ((called += 1), new Promise(() => {}))
    void run({ type: 'update', id: 5, topic, namespaces })
    await expect.poll(() => called, { interval: 1 }).toBe(1)
    await engine.close()
    relay.onCall = () => undefined
    const next = await openEngine(relay, { store })
    await expect.poll(() => peer.requests('wc_sessionUpdate'), { interval: 1 }).toHaveLength(1)
    expect(relay.published).toMatchObject([
      { tag: 1104, ttl: 86_400, analytics: { correlationId: 5 } },
    ])
    await peer.send(topic, { id: 5, result: true })
    expect(next.events).toEqual([['resolved', { id: 5, result: true }]])
    await next.engine.close()
    // It is sent once.
    await openEngine(relay, { store })
    await relay.idle()
    expect(peer.requests('wc_sessionUpdate')).toHaveLength(1)
  })

  test('without required namespaces is rejected', async () => {
    const { run, topic, relay, engine } = await open('wallet', {
      session: {
        requiredNamespaces: { eip155: { chains: ['eip155:1'], methods: [], events: [] } },
      },
    })
    await expect(run({ type: 'update', id: 5, topic, namespaces })).rejects.toMatchObject({
      code: 'sign.non_conforming_namespaces',
      shortMessage: expect.stringContaining('Non conforming namespaces. update() ') as string,
    })
    await expect(run({ type: 'update', id: 5, topic, namespaces: {} })).rejects.toThrow(
      'Missing or invalid. update(), namespaces should be an object with data',
    )
    expect(engine.snapshot().sessions).toMatchObject([{ namespaces: granted }])
    expect(relay.published).toEqual([])
  })
})

describe('extend', () => {
  test('extends the session by a week from now', async () => {
    const { run, topic, peer, relay, engine, events, sleep } = await open('wallet')
    sleep(10_000)
    await run({ type: 'extend', id: 5, topic })
    await relay.idle()
    expect(engine.snapshot().sessions[0]?.expiry).toBe(now + 10 + 604_800)
    expect(peer.requests('wc_sessionExtend')).toMatchObject([{ id: 5 }])
    await peer.send(topic, { id: 5, error: { code: 1, message: 'No.' } })
    expect(events).toMatchObject([['resolved', { error: { reason: { code: 1 } } }]])
  })

  test('does not restore a session that is deleted while it is sent', async () => {
    const { run, topic, relay, peer, engine, stores } = await open('wallet')
    let deleted: Promise<unknown> | undefined
    relay.onCall = () => {
      relay.onCall = () => undefined
      return (deleted = peer.send(topic, { method: 'wc_sessionDelete', params: {} }))
    }
    await run({ type: 'extend', id: 5, topic })
    await deleted
    expect([engine.snapshot().sessions, stores.sessions.values()]).toEqual([[], []])
  })
})
