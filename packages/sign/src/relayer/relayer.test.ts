import { verifyRelayJwt } from '@gatefold/protocol/relay'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, describe, expect, test } from 'vitest'
import { createKeychain } from '../crypto/createKeychain.ts'
import { LoadError, RelayError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Relayer, RelayMessage } from './Relayer.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { startScriptedRelay } from '../testing/startScriptedRelay.ts'
import { createRelayer, type RelayerOptions } from './createRelayer.ts'

const topic = 'a'.repeat(64)
const other = 'b'.repeat(64)
const options = { ttl: 300, tag: 1108, prompt: true }
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function relayed(...parameters: Parameters<typeof startScriptedRelay>) {
  const relay = await startScriptedRelay(...parameters)
  ends.push(() => relay.close())
  return relay
}

async function client(relayUrl: string, more: Partial<RelayerOptions> = {}) {
  const store = more.store ?? createMemoryStore()
  const keychain = await createKeychain({ store, key: 'keys' })
  const relayer = await createRelayer({ relayUrl, keychain, ...more, store })
  ends.push(() => relayer.close())
  const heard: RelayMessage[] = []
  return { relayer, store, keychain, heard }
}

function listen({ relayer, heard }: { relayer: Relayer; heard: RelayMessage[] }) {
  relayer.onMessage(async (message) => void heard.push(message))
}

const methods = (relay: { requests: readonly { method: string }[] }) =>
  relay.requests.map(({ method }) => method)

test('no socket without something to do; its query says who comes', async () => {
  const relay = await relayed()
  const nowMs = Date.now()
  const { relayer, keychain } = await client(relay.url, { projectId: 'p1' })
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

test('preconnect opens the socket before the first request, and an unused one closes', async () => {
  const relay = await relayed()
  const clock = createManualClock()
  const { relayer } = await client(relay.url, { clock })
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
  test('one without an answer is repeated with its id and text, at once on a new socket', async () => {
    let silent = true
    const relay = await relayed(() => (silent ? undefined : { result: true }))
    const clock = createManualClock()
    const { relayer } = await client(relay.url, { clock })
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

  test('one that a busy relay turns down is repeated', async () => {
    let answers = 0
    const relay = await relayed(() =>
      (answers += 1) === 1
        ? { error: { code: 3001, message: 'Too many requests' } }
        : { result: true },
    )
    const clock = createManualClock()
    const { relayer } = await client(relay.url, { clock })
    const published = relayer.publish(topic, 'text', options)
    await expect.poll(() => answers).toBe(1)
    await expect.poll(() => (clock.advance(5_000), answers)).toBe(2)
    await published
  })

  test('error: one that the relay will never take fails at once and says why', async () => {
    const relay = await relayed(() => ({
      error: { code: -32_600, message: 'Invalid payload', data: 'PayloadSizeExceeded' },
    }))
    const { relayer } = await client(relay.url)
    const error: unknown = await relayer.publish(topic, 'text', options).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RelayError)
    expect(error).toMatchObject({ details: 'Invalid payload (PayloadSizeExceeded)' })
  })

  test('§8.9.10 error: without a relay they fail after 60 s, by name', async () => {
    const relay = await startScriptedRelay()
    await relay.close()
    const clock = createManualClock()
    const { relayer } = await client(relay.url, { clock })
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

  test('a socket that brings nothing while answers are overdue is replaced', async () => {
    let silent = true
    const relay = await relayed(() => (silent ? undefined : { result: true }))
    const clock = createManualClock()
    const { relayer } = await client(relay.url, { clock })
    const published = relayer.publish(topic, 'text', options)
    await expect.poll(() => relay.requests.length).toBe(1)
    clock.advance(15_000)
    expect(relayer.status().status).toBe('offline')
    silent = false
    clock.advance(125)
    await published
    expect(relay.connections).toHaveLength(2)
  })

  test('closing ends them and every timer', async () => {
    const relay = await relayed(() => undefined)
    const clock = createManualClock()
    const { relayer } = await client(relay.url, { clock })
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

describe('refusal', () => {
  test('the reason is passed on, what waits fails, and nobody hammers', async () => {
    const relay = await relayed(undefined, (socket) =>
      socket.close(3000, 'Unauthorized: origin not allowed'),
    )
    const clock = createManualClock()
    const { relayer } = await client(relay.url, { clock })
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

  test('a wrong clock is named', async () => {
    const relay = await relayed(undefined, (socket) =>
      socket.close(3000, 'JWT validation error: JWT Token is not yet valid'),
    )
    const { relayer } = await client(relay.url)
    await expect(relayer.subscribe(topic)).rejects.toThrow('The clock of this device is wrong')
  })

  test('one that comes while a topic is being stored is heard', async () => {
    const relay = await relayed(undefined, (socket) =>
      socket.close(3000, 'Unauthorized: invalid key'),
    )
    const refused = Promise.withResolvers<void>()
    const store = createMemoryStore()
    const keychain = await createKeychain({ store, key: 'keys' })
    const { relayer } = await client(relay.url, {
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
  test('are told to each new socket in one batch, also after a reload', async () => {
    const relay = await relayed()
    const first = await client(relay.url)
    listen(first)
    await first.relayer.subscribe(topic)
    await first.relayer.subscribe(other)
    relay.drop(1012)
    await expect.poll(() => methods(relay)).toContain('irn_batchSubscribe')
    expect(relay.requests.at(-1)?.params).toEqual({ topics: [topic, other] })
    await first.relayer.unsubscribe(other)
    await expect.poll(() => methods(relay)).toContain('irn_unsubscribe')
    await first.relayer.close()

    const second = await client(relay.url, { store: first.store })
    const before = relay.requests.length
    listen(second)
    await expect.poll(() => relay.requests.length).toBe(before + 1)
    expect(relay.requests.at(-1)).toMatchObject({ method: 'irn_subscribe', params: { topic } })
  })

  test('more than 500 take several batches', async () => {
    const topics = Array.from({ length: 501 }, (_, index) => index.toString(16).padStart(64, '0'))
    const key = 'wc@2:core:0.3//subscription'
    const stored = JSON.stringify(topics.map((each) => ({ topic: each, id: '', relay: {} })))
    const relay = await relayed()
    const wallet = await client(relay.url, { store: createMemoryStore([[key, stored]]) })
    listen(wallet)
    await expect
      .poll(() => methods(relay).toSorted())
      .toEqual(['irn_batchSubscribe', 'irn_subscribe'])
    expect(relay.requests.flatMap(({ params }) => params['topics'] ?? params['topic'])).toEqual(
      topics,
    )
  })

  test('one that was left before the relay answered is told again when it is wanted again', async () => {
    let answer = () => {}
    const relay = await relayed(({ id, method }) => {
      if (method !== 'irn_subscribe' || answers.length > 0) return { result: true }
      answers.push(id)
      answer = () => relay.send(JSON.stringify({ id, jsonrpc: '2.0', result: 'id' }))
      return undefined
    })
    const answers: string[] = []
    const { relayer } = await client(relay.url)
    const first = relayer.subscribe(topic)
    await expect.poll(() => methods(relay)).toEqual(['irn_subscribe'])
    await relayer.unsubscribe(topic)
    await first
    answer()
    await expect.poll(() => methods(relay)).toEqual(['irn_subscribe', 'irn_unsubscribe'])
    await relayer.subscribe(topic)
    expect(methods(relay)).toEqual(['irn_subscribe', 'irn_unsubscribe', 'irn_subscribe'])
  })

  test('a topic nobody holds any more is acknowledged and let go', async () => {
    const relay = await relayed()
    const app = await client(relay.url)
    listen(app)
    await app.relayer.subscribe(topic)
    relay.push(1, { topic: other, message: 'late' })
    await expect.poll(() => relay.acks).toEqual([1])
    expect(relay.requests.at(-1)).toMatchObject({
      method: 'irn_unsubscribe',
      params: { topic: other },
    })
    expect(app.heard).toEqual([])
  })
})

test('an attestation that comes while the socket opens goes along with the proposal', async () => {
  const relay = await relayed()
  const { relayer } = await client(relay.url)
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

describe('messages', () => {
  test('come once, in the order of their topic, each acknowledged', async () => {
    const relay = await relayed()
    const app = await client(relay.url)
    const order: string[] = []
    let release = () => {}
    app.relayer.onMessage(async ({ message }) => {
      if (message === '1') await new Promise<void>((resolve) => (release = resolve))
      order.push(message)
    })
    await app.relayer.subscribe(topic)
    await app.relayer.subscribe(other)
    relay.push(1, { topic, message: '1' })
    relay.push(2, { topic, message: '2' })
    relay.push(3, { topic, message: '1' })
    relay.push(4, { topic: other, message: 'aside', attestation: 'jwt' })
    await expect.poll(() => relay.acks.length).toBe(4)
    await expect.poll(() => order).toEqual(['aside'])
    release()
    await expect.poll(() => order).toEqual(['aside', '1', '2'])
    relay.push(5, { topic, message: '2' })
    await expect.poll(() => relay.acks).toContain(5)
    expect(order).toHaveLength(3)
  })

  test('are acknowledged only when they are stored', async () => {
    const memory = createMemoryStore()
    let stored = () => {}
    const store: KeyValueStore = {
      ...memory,
      async setItem(key, value) {
        if (key.endsWith('//inbox')) await new Promise<void>((resolve) => (stored = resolve))
        await memory.setItem(key, value)
      },
    }
    const relay = await relayed()
    const app = await client(relay.url, { store })
    listen(app)
    await app.relayer.subscribe(topic)
    const idle = stored
    relay.push(1, { topic, message: 'text' })
    await expect.poll(() => stored).not.toBe(idle)
    await app.relayer.publish(topic, 'round trip', options)
    expect(relay.acks).toEqual([])
    stored()
    await expect.poll(() => relay.acks).toEqual([1])
  })

  test('one whose handling was cut off is given again at the next start, a handled one never', async () => {
    const relay = await relayed()
    const first = await client(relay.url)
    const begun: string[] = []
    first.relayer.onMessage(async ({ message }) => {
      begun.push(message)
      if (message === 'cut off') await new Promise(() => {})
    })
    await first.relayer.subscribe(topic)
    relay.push(1, { topic, message: 'handled' })
    relay.push(2, { topic, message: 'cut off', attestation: 'jwt' })
    relay.push(3, { topic, message: 'behind it' })
    await expect.poll(() => begun).toEqual(['handled', 'cut off'])
    await expect.poll(() => relay.acks.length).toBe(3)
    await first.relayer.close()

    const second = await client(relay.url, { store: first.store })
    listen(second)
    await expect.poll(() => second.heard.length).toBe(2)
    expect(second.heard[0]).toEqual({
      topic,
      message: 'cut off',
      publishedAt: 1,
      attestation: 'jwt',
    })
    expect(second.heard[1]?.message).toBe('behind it')
    await expect.poll(() => second.relayer.status().status).toBe('connected')
    relay.push(4, { topic, message: 'handled' })
    relay.push(5, { topic, message: 'new' })
    await expect.poll(() => second.heard.length).toBe(3)
    expect(second.heard[2]?.message).toBe('new')
  })

  test('one whose code could not be loaded is given again at the next start, before newer ones', async () => {
    const relay = await relayed()
    const offline = await client(relay.url)
    const begun: string[] = []
    offline.relayer.onMessage(async ({ message }) => {
      begun.push(message)
      if (message === '1') throw new LoadError()
    })
    await offline.relayer.subscribe(topic)
    relay.push(1, { topic, message: '1' })
    relay.push(2, { topic, message: '2' })
    await expect.poll(() => begun).toEqual(['1', '2'])
    await offline.relayer.close()
    const again = await client(relay.url, { store: offline.store })
    listen(again)
    await again.relayer.subscribe(other)
    relay.push(3, { topic, message: '3' })
    await expect.poll(() => again.heard.map(({ message }) => message)).toEqual(['1', '3'])
  })

  test('a listener that fails does not hold up the next one', async () => {
    const relay = await relayed()
    const app = await client(relay.url)
    const order: string[] = []
    app.relayer.onMessage(async ({ message }) => {
      order.push(message)
      throw new Error('bug')
    })
    await app.relayer.subscribe(topic)
    relay.push(1, { topic, message: '1' })
    relay.push(2, { topic, message: '2' })
    await expect.poll(() => order).toEqual(['1', '2'])
  })

  test.each(['', 'text', '[]', '{"id":1}', '{"id":1,"jsonrpc":"2.0","method":"irn_subscription"}'])(
    'the relay may send %j',
    async (text) => {
      const relay = await relayed()
      const app = await client(relay.url)
      await app.relayer.subscribe(topic)
      relay.send(text)
      await app.relayer.publish(topic, 'text', options)
      expect(relay.connections).toHaveLength(1)
    },
  )
})

test('a relay that does not know the two newer methods gets a subscription and messages', async () => {
  const relay = await relayed(({ method }) =>
    method.startsWith('wc_')
      ? { error: { code: -32_600, message: 'Invalid payload', data: 'InvalidMethod' } }
      : { result: true },
  )
  const app = await client(relay.url)
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
