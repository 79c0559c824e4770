import { verifyRelayJwt } from '@gatefold/protocol/relay'
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { createKeychain } from '../crypto/createKeychain.ts'
import { RelayError } from '../errors.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { listen, openRelayer, options, other, startRelay, topic } from '../testing/relayers.ts'
import { startScriptedRelay } from '../testing/startScriptedRelay.ts'

const methods = (relay: { requests: readonly { method: string }[] }) =>
  relay.requests.map(({ method }) => method)

test('the first request opens a socket whose query identifies the client', async () => {
  const relay = await startRelay()
  const nowMs = Date.now()
  const { relayer, keychain } = await openRelayer(relay.url, { projectId: 'p1' })
  relayer.onMessage(async () => {})
  expect(relayer.status()).toEqual({ status: 'idle' })
  expect(relay.connections).toHaveLength(0)

  await relayer.subscribe(topic)
  expect(relayer.status()).toEqual({ status: 'connected' })
  const [query] = relay.connections
  expect(query?.get('projectId')).toBe('p1')
  expect(query?.get('useOnCloseEvent')).toBe('true')
  expect(query?.get('ua')).toMatch(/^wc-2\/gatefold-[\d.]+\/node$/)
  const claims = verifyRelayJwt(query?.get('auth') ?? '', {
    audiences: [relay.url],
    nowSeconds: nowMs / 1_000,
    verify: (signature, message, key) => ed25519.verify(signature, message, key),
  })
  expect(claims).toMatchObject({ aud: relay.url, iss: await keychain.clientId() })
  expect(claims.exp - claims.iat).toBe(86_400)
})

test('preconnect() opens the socket before the first request; an unused socket is closed', async () => {
  const relay = await startRelay()
  const clock = createManualClock()
  const { relayer } = await openRelayer(relay.url, { clock })
  // The 30 s begin with the call, not with the client's last activity.
  clock.advance(30_000)
  relayer.preconnect()
  await expect.poll(() => relayer.status().status).toBe('connected')
  clock.advance(29_000)
  expect(relayer.status().status).toBe('connected')
  clock.advance(6_000)
  expect(relayer.status().status).toBe('idle')
  await relayer.subscribe(topic)
  expect(relay.connections).toHaveLength(2)
})

describe('requests', () => {
  test('a pending request is repeated with the same id and text, and immediately on a new socket', async () => {
    let silent = true
    const relay = await startRelay(() => (silent ? undefined : { result: true }))
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    const analytics = { correlationId: 7, rpcMethods: ['personal_sign'] }
    const published = relayer.publish(topic, 'text', { ...options, analytics })
    await expect.poll(() => relay.requests.length).toBe(1)
    clock.advance(4_999)
    expect(relay.requests).toHaveLength(1)
    clock.advance(1)
    await expect.poll(() => relay.requests.length).toBe(2)
    relay.drop()
    await expect.poll(() => relayer.status().status).toBe('offline')
    silent = false
    clock.advance(125)
    await published
    const [first, ...more] = relay.requests
    expect(more).toEqual([first, first])
    expect(first?.id).toMatch(/^\d{19}$/)
    expect(first?.params).toEqual({ topic, message: 'text', ...options, ...analytics })
  })

  test('a request is repeated after a temporary error', async () => {
    let answers = 0
    const relay = await startRelay(() =>
      (answers += 1) === 1
        ? { error: { code: 3001, message: 'Too many requests' } }
        : { result: true },
    )
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    const published = relayer.publish(topic, 'text', options)
    await expect.poll(() => answers).toBe(1)
    await expect.poll(() => (clock.advance(5_000), answers)).toBe(2)
    await published
  })

  test('error: a permanent error rejects the request immediately, with its reason', async () => {
    const relay = await startRelay(() => ({
      error: { code: -32_600, message: 'Invalid payload', data: 'PayloadSizeExceeded' },
    }))
    const { relayer } = await openRelayer(relay.url)
    const error: unknown = await relayer.publish(topic, 'text', options).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RelayError)
    expect(error).toMatchObject({ details: 'Invalid payload (PayloadSizeExceeded)' })
  })

  test('§8.9.10/2 error: without a relay, a request fails after 60 s with a RelayError', async () => {
    const relay = await startScriptedRelay()
    await relay.close()
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    const results: unknown[] = []
    for (const request of [relayer.publish(topic, 'text', options), relayer.subscribe(topic)])
      void request.catch((error: unknown) => results.push(error))
    await expect.poll(() => relayer.status().status).toBe('offline')
    clock.advance(59_000)
    await expect.poll(() => relayer.status().status).toBe('offline')
    expect(results).toEqual([])
    clock.advance(1_100)
    await expect.poll(() => results.length).toBe(2)
    for (const error of results) expect(error).toBeInstanceOf(RelayError)
  })

  test('a silent socket is replaced if responses are overdue', async () => {
    let silent = true
    const relay = await startRelay(() => (silent ? undefined : { result: true }))
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    const published = relayer.publish(topic, 'text', options)
    await expect.poll(() => relay.requests.length).toBe(1)
    clock.advance(15_000)
    expect(relayer.status().status).toBe('offline')
    silent = false
    clock.advance(125)
    await published
    expect(relay.connections).toHaveLength(2)
  })

  test('close() rejects requests and cancels timers', async () => {
    const relay = await startRelay(() => undefined)
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    const results = Promise.allSettled([
      relayer.publish(topic, 'text', options),
      relayer.subscribe(topic),
    ])
    await expect.poll(() => relay.requests.length).toBe(2)
    await relayer.close()
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(clock.pending()).toBe(0)
    await expect(relayer.publish(topic, 'text', options)).rejects.toThrow(RelayError)
  })
})

describe('a refusal', () => {
  test('rejects requests with its reason; after 10 s, a request opens a socket again', async () => {
    const relay = await startRelay(undefined, (socket) =>
      socket.close(3000, 'Unauthorized: origin not allowed'),
    )
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    await expect(relayer.publish(topic, 'text', options)).rejects.toMatchObject({
      name: 'RelayError',
      details: 'Unauthorized: origin not allowed',
    })
    expect(relayer.status()).toEqual({
      status: 'refused',
      reason: 'Unauthorized: origin not allowed',
    })
    await expect(relayer.publish(topic, 'again', options)).rejects.toThrow(RelayError)
    clock.advance(9_000)
    await expect(relayer.subscribe(topic)).rejects.toThrow(RelayError)
    expect(relay.connections).toHaveLength(1)
    clock.advance(1_000)
    await expect(relayer.publish(topic, 'later', options)).rejects.toThrow(RelayError)
    expect(relay.connections).toHaveLength(2)
  })

  test('reports a wrong clock', async () => {
    const relay = await startRelay(undefined, (socket) =>
      socket.close(3000, 'JWT validation error: JWT Token is not yet valid'),
    )
    const { relayer } = await openRelayer(relay.url)
    await expect(relayer.subscribe(topic)).rejects.toThrow('The clock of this device is wrong')
  })

  test('rejects the subscription to a topic that is still being stored', async () => {
    const relay = await startRelay(undefined, (socket) =>
      socket.close(3000, 'Unauthorized: invalid key'),
    )
    const refused = Promise.withResolvers<void>()
    const store = createMemoryStore()
    const keychain = await createKeychain({ store, key: 'keys' })
    const { relayer } = await openRelayer(relay.url, {
      store,
      keychain: {
        ...keychain,
        async clientId() {
          await refused.promise
          return keychain.clientId()
        },
      },
    })
    relayer.onStatus(({ status }) => status === 'refused' && refused.resolve())
    await expect(relayer.subscribe(topic)).rejects.toThrow('The relay refuses this client')
  })
})

describe('subscriptions', () => {
  test('are sent in one batch on each new socket, including after a reload', async () => {
    const relay = await startRelay()
    const first = await openRelayer(relay.url)
    listen(first)
    await first.relayer.subscribe(topic)
    await first.relayer.subscribe(other)
    relay.drop(1012)
    await expect.poll(() => methods(relay)).toContain('irn_batchSubscribe')
    expect(relay.requests.at(-1)?.params).toEqual({ topics: [topic, other] })
    await first.relayer.unsubscribe(other)
    await expect.poll(() => methods(relay)).toContain('irn_unsubscribe')
    await first.relayer.close()

    const second = await openRelayer(relay.url, { store: first.store })
    const before = relay.requests.length
    listen(second)
    await expect.poll(() => relay.requests.length).toBe(before + 1)
    expect(relay.requests.at(-1)).toMatchObject({ method: 'irn_subscribe', params: { topic } })
  })

  test('are sent in several batches if there are more than 500', async () => {
    const topics = Array.from({ length: 501 }, (_, index) => index.toString(16).padStart(64, '0'))
    const key = 'wc@2:core:0.3//subscription'
    const stored = JSON.stringify(topics.map((each) => ({ topic: each, id: '', relay: {} })))
    const relay = await startRelay()
    const wallet = await openRelayer(relay.url, { store: createMemoryStore([[key, stored]]) })
    listen(wallet)
    await expect
      .poll(() => methods(relay).toSorted())
      .toEqual(['irn_batchSubscribe', 'irn_subscribe'])
    expect(relay.requests.flatMap(({ params }) => params['topics'] ?? params['topic'])).toEqual(
      topics,
    )
  })

  test('are sent again for a topic that was removed before the relay confirmed it, and then added again', async () => {
    let answer = () => {}
    const relay = await startRelay(({ id, method }) => {
      if (method !== 'irn_subscribe' || answers.length > 0) return { result: true }
      answers.push(id)
      answer = () => relay.send(JSON.stringify({ id, jsonrpc: '2.0', result: 'id' }))
      return undefined
    })
    const answers: string[] = []
    const { relayer } = await openRelayer(relay.url)
    const first = relayer.subscribe(topic)
    await expect.poll(() => methods(relay)).toEqual(['irn_subscribe'])
    await relayer.unsubscribe(topic)
    await first
    answer()
    await expect.poll(() => methods(relay)).toEqual(['irn_subscribe', 'irn_unsubscribe'])
    await relayer.subscribe(topic)
    expect(methods(relay)).toEqual(['irn_subscribe', 'irn_unsubscribe', 'irn_subscribe'])
  })

  test('are sent again after 5 s if the relay rejected them', async () => {
    const relay = await startRelay(({ method }) =>
      method === 'irn_subscribe' && methods(relay).length === 1
        ? { error: { code: -32_600, message: 'Try later' } }
        : { result: true },
    )
    const clock = createManualClock()
    const { relayer } = await openRelayer(relay.url, { clock })
    const subscribed = relayer.subscribe(topic)
    await expect.poll(() => methods(relay)).toEqual(['irn_subscribe'])
    // The relay responds in order, so the client has handled the rejection too.
    await relayer.publish(other, 'round trip', options)
    clock.advance(4_999)
    await relayer.publish(other, 'round trip', options)
    expect(methods(relay)).toEqual(['irn_subscribe', 'irn_publish', 'irn_publish'])
    clock.advance(1)
    await subscribed
    expect(methods(relay).at(-1)).toBe('irn_subscribe')
  })

  test('are removed for an unknown topic when a message is pushed to it; the message is acknowledged', async () => {
    const relay = await startRelay()
    const app = await openRelayer(relay.url)
    listen(app)
    await app.relayer.subscribe(topic)
    relay.push(1, { topic: other, message: 'late' })
    await expect.poll(() => relay.acks).toEqual([1])
    expect(relay.requests.at(-1)).toMatchObject({
      method: 'irn_unsubscribe',
      params: { topic: other },
    })
    expect(app.received).toEqual([])
  })

  test('attack: a relay that pushes messages to many unknown topics does not cause a request for each', async () => {
    const relay = await startRelay()
    const clock = createManualClock()
    const app = await openRelayer(relay.url, { clock })
    listen(app)
    await app.relayer.subscribe(topic)
    for (let id = 1; id <= 100; id += 1)
      relay.push(id, { topic: id.toString(16).padStart(64, '0'), message: `stray ${id}` })
    const removed = () => methods(relay).filter((method) => method === 'irn_unsubscribe').length
    await expect.poll(() => relay.acks.length).toBe(20)
    // The relay responds in order, so the client has handled the pushes.
    await app.relayer.publish(topic, 'round trip', options)
    expect(removed()).toBe(20)
    clock.advance(1_000)
    await expect.poll(() => relay.acks.length).toBe(23)
    expect(removed()).toBe(23)
  })
})

test('an attestation that resolves while the socket opens is sent with the proposal', async () => {
  const relay = await startRelay()
  const { relayer } = await openRelayer(relay.url)
  let attestation: string | undefined
  relayer.onStatus(({ status }) => {
    if (status === 'connecting') queueMicrotask(() => (attestation = 'token'))
  })
  const proposed = relayer.proposeSession({
    pairingTopic: topic,
    sessionProposal: 'proposal',
    correlationId: 7,
    attestation: () => attestation,
  })
  await proposed
  expect(relay.requests).toMatchObject([{ method: 'wc_proposeSession', params: { attestation } }])
})

test('if the relay does not support the session methods, the client subscribes and publishes instead', async () => {
  const relay = await startRelay(({ method }) =>
    method.startsWith('wc_')
      ? { error: { code: -32_600, message: 'Invalid payload', data: 'InvalidMethod' } }
      : { result: true },
  )
  const app = await openRelayer(relay.url)
  await app.relayer.proposeSession({
    pairingTopic: topic,
    sessionProposal: 'proposal',
    correlationId: 1,
    attestation: () => 'jwt',
  })
  await app.relayer.approveSession({
    pairingTopic: topic,
    sessionTopic: other,
    sessionProposalResponse: 'response',
    sessionSettlementRequest: 'settlement',
    correlationId: 1,
    approvedChains: [],
    approvedMethods: [],
    approvedEvents: [],
    approvedAccounts: [],
  })
  const plain = relay.requests.filter(({ method }) => !method.startsWith('wc_'))
  expect(plain.map(({ method, params }) => [method, params])).toEqual([
    ['irn_subscribe', { topic }],
    [
      'irn_publish',
      {
        topic,
        message: 'proposal',
        tag: 1100,
        prompt: true,
        ttl: 300,
        correlationId: 1,
        attestation: 'jwt',
      },
    ],
    ['irn_subscribe', { topic: other }],
    [
      'irn_publish',
      { topic: other, message: 'settlement', tag: 1102, prompt: false, ttl: 300, correlationId: 1 },
    ],
    [
      'irn_publish',
      { topic, message: 'response', tag: 1101, prompt: false, ttl: 300, correlationId: 1 },
    ],
  ])
})
