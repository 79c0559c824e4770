import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKeychain } from '../crypto/createKeychain.ts'
import { createSymKey, hashKey } from '../crypto/keys.ts'
import type { SignClientOptions } from '../SignClient.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { granted, metadataOf, now, seed, startMs } from '../testing/engines.ts'
import { startScriptedRelay } from '../testing/startScriptedRelay.ts'
import type { EngineEvent } from './Engine.ts'
import { startEngine } from './startEngine.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllGlobals()
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Starts an engine on a scripted relay. */
async function start(
  options: Partial<SignClientOptions> = {},
  onEvent: (event: EngineEvent) => void = () => {},
) {
  const sockets = { open: 0 }
  const scripted = await startScriptedRelay(undefined, (socket) => {
    sockets.open += 1
    socket.on('close', () => (sockets.open -= 1))
  })
  ends.push(() => scripted.close())
  const events: unknown[] = []
  const clock = createManualClock(startMs)
  const engine = await startEngine(
    { relayUrl: scripted.url, metadata: metadataOf('x'), clock, ...options },
    {
      onEvent(event) {
        if (event.type === 'event') events.push([event.name, event.event])
        onEvent(event)
      },
      onChange: () => {},
    },
  )
  ends.push(() => engine.close())
  return { engine, clock, events, scripted, sockets }
}

/** Storage with the session of a wallet. */
async function storeSession() {
  const storage = createMemoryStore()
  const keychain = await createKeychain({ store: storage, key: storageKeys().core('keychain') })
  const topic = await keychain.setSymKey(createSymKey())
  const [self, peer] = ['a', 'b'].map((digit) => ({
    publicKey: digit.repeat(64),
    metadata: metadataOf(digit),
  }))
  const session = {
    topic,
    expiry: now + 1_000,
    acknowledged: true,
    controller: self?.publicKey,
    namespaces: granted,
    self,
    peer,
  }
  await seed(storage, { sessions: [session] })
  const ping = (id: number) =>
    keychain.encode(
      topic,
      JSON.stringify({ id, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} }),
    )
  return { storage, topic, ping }
}

describe('an engine reports', () => {
  test('the status of the relay, until it is closed', async () => {
    const { engine, clock, events, scripted, sockets } = await start({ projectId: 'p' })
    await engine.run({ type: 'preconnect' })
    await expect.poll(() => events.length).toBe(2)
    expect(events).toEqual([
      ['relay', { status: 'connecting' }],
      ['relay', { status: 'connected' }],
    ])
    expect(scripted.connections.map((query) => query.get('projectId'))).toEqual(['p'])
    await engine.close()
    await expect.poll(() => sockets.open).toBe(0)
    expect([events.length, clock.pending()]).toEqual([2, 0])
  })

  test('the storage keys of damaged data, which contain the prefix', async () => {
    const { core, client } = storageKeys('prefix')
    const keys = [core('keychain'), client('session'), core('subscription')]
    const storage = createMemoryStore()
    for (const key of keys) await storage.setItem(key, '5')
    const { events } = await start({ storage, storagePrefix: 'prefix' })
    expect(events).toEqual(
      expect.arrayContaining(keys.map((key) => ['storage_damaged', { key }] as unknown)),
    )
    expect(events).toHaveLength(keys.length)
  })

  test('that storage has failed', async () => {
    const storage = {
      ...createMemoryStore(),
      setItem: async () => {
        throw new Error('full')
      },
    }
    const { engine, events } = await start({ storage })
    await engine.run({ type: 'clientId' })
    await expect
      .poll(() => events)
      .toEqual([['storage_damaged', { key: storageKeys().core('keychain') }]])
  })
})

test('an engine does not handle a message again that was delivered while the previous one closed', async () => {
  const { storage, topic, ping } = await storeSession()
  const pings: number[] = []
  let closing: Promise<void> | undefined
  const first = await start({ storage }, (event) => {
    if (event.type !== 'event' || event.name !== 'session_ping') return
    pings.push(event.event.id)
    closing = first.engine.close()
  })
  await expect.poll(() => first.scripted.requests.length).toBeGreaterThan(0)
  first.scripted.push(1, { topic, message: ping(1_000) })
  await expect.poll(() => pings).toEqual([1_000])
  await closing
  const second = await start({ storage }, (event) => {
    if (event.type === 'event' && event.name === 'session_ping') pings.push(event.event.id)
  })
  await expect.poll(() => second.scripted.requests.length).toBeGreaterThan(0)
  second.scripted.push(1, { topic, message: ping(2_000) })
  await expect.poll(() => pings).toEqual([1_000, 2_000])
})

test.each([
  [undefined, [1]],
  [false, [1]],
  [true, [1, 2]],
])(
  'if disableRequestQueue is %s, the emitted requests are %o',
  async (disableRequestQueue, ids) => {
    const { storage, topic } = await storeSession()
    const params = {
      chainId: 'eip155:1',
      request: { method: 'personal_sign', params: [], expiryTimestamp: now + 300 },
    }
    await seed(storage, { requests: [1, 2].map((id) => ({ id, topic, params })) })
    const { clock, events } = await start({ storage, disableRequestQueue })
    clock.advance(1_000)
    const emitted = () =>
      events.flatMap((event) => {
        const [name, { id }] = event as [string, { id: number }]
        return name === 'session_request' ? [id] : []
      })
    await expect.poll(emitted).toEqual(ids)
  },
)

describe('the URL in the metadata of a proposal', () => {
  test.each([
    ['is the given one', 'https://x.example', 'https://x.example', 'https://page.example'],
    ['is the origin of the page by default', '', 'https://page.example', 'https://page.example'],
    ['is empty by default outside a page', '', '', undefined],
  ])('%s', async (_what, url, expected, origin) => {
    vi.stubGlobal('location', origin && { origin })
    const storage = createMemoryStore()
    const { engine } = await start({ storage, metadata: { ...metadataOf('x'), url } })
    const symKey = 'b'.repeat(64)
    const pairing = { topic: await hashKey(symKey), symKey, expiry: now + 300 }
    const outcome = await engine.run({
      type: 'connect',
      id: startMs * 1_000,
      pairing,
      pairingTopic: pairing.topic,
      optionalNamespaces: {},
      relays: [{ protocol: 'irn' }],
    })
    expect(outcome).toEqual({ result: undefined })
    const stored: unknown = JSON.parse(
      (await storage.getItem(storageKeys().client('proposal'))) ?? '',
    )
    expect(stored).toMatchObject([{ proposer: { metadata: { name: 'x', url: expected } } }])
  })
})

test('an engine with a verify service prefetches its key, and aborts requests when it is closed', async () => {
  const service = { urls: [] as unknown[], aborted: 0 }
  const server = createServer((request, response) => {
    service.urls.push(request.url)
    response.on('close', () => (service.aborted += 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const { engine } = await start({ verifyUrl: `http://127.0.0.1:${port}/v3` })
  await engine.run({ type: 'preconnect' })
  await expect.poll(() => service.urls).toEqual(['/v3/public-key'])
  expect(service.aborted).toBe(0)
  await engine.close()
  await expect.poll(() => service.aborted).toBe(1)
})
