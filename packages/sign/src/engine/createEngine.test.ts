import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { createMemoryRelay } from '../testing/createMemoryRelay.ts'
import { firstId, now, openEngine, openSession, startMs } from '../testing/engines.ts'
import { createIds } from './Context.ts'
import { type Command, emptySnapshot, isRepeatable } from './Engine.ts'

const request = {
  chainId: 'eip155:1',
  request: { method: 'personal_sign', params: ['0x'], expiryTimestamp: now + 300 },
}

describe('a message is dropped', () => {
  test.each([
    ['if it is not JSON', 'hello'],
    ['if it is not an object', '5'],
    ['without a version', JSON.stringify({ id: 5, method: 'wc_sessionPing' })],
    ['with another version', JSON.stringify({ id: 5, jsonrpc: '1.0', method: 'wc_sessionPing' })],
    ['with an id of 0', JSON.stringify({ id: 0, jsonrpc: '2.0', method: 'wc_sessionPing' })],
    ['with an id as text', JSON.stringify({ id: '5', jsonrpc: '2.0', method: 'wc_sessionPing' })],
    ['without a method', JSON.stringify({ id: 5, jsonrpc: '2.0', method: '' })],
  ])('%s', async (_what, text) => {
    const { peer, topic, relay, events, stores } = await openSession('app')
    const publishing = { ttl: 300, tag: 0, prompt: false }
    await peer.relayer.publish(topic, peer.keys.encode(topic, text), publishing)
    await relay.idle()
    expect([events, relay.published.length, stores.records.values()]).toEqual([[], 1, []])
  })

  test('if it cannot be decrypted; the next one is handled', async () => {
    const { peer, topic, relay, run, events } = await openSession('app')
    const publishing = { ttl: 300, tag: 0, prompt: false }
    const plain = JSON.stringify({ id: 5, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} })
    for (const message of ['', 'AAAA', peer.keys.encodePlain(plain)])
      await peer.relayer.publish(topic, message, publishing)
    await relay.idle()
    expect(events).toEqual([])
    await peer.ask(topic, 'wc_sessionPing')
    expect(events).toHaveLength(1)
    const lines = String(await run({ type: 'logs' })).split('\n')
    expect(lines.filter((line) => line.includes('message not decrypted'))).toHaveLength(3)
  })

  test.each([
    [97, 1],
    [98, 0],
  ])(
    'if its JSON is nested too deeply: %i nested arrays, %i stored requests',
    async (depth, count) => {
      const { peer, topic, relay, engine } = await openSession('wallet')
      const { request: call } = request
      const params = { ...request, request: { ...call, params: 'deep' } }
      const json = { id: firstId, jsonrpc: '2.0', method: 'wc_sessionRequest', params }
      // Three objects surround the arrays: the message, its params and the request.
      const nested = '['.repeat(depth) + ']'.repeat(depth)
      const text = JSON.stringify(json).replace('"deep"', nested)
      const publishing = { ttl: 300, tag: 1108, prompt: true }
      await peer.relayer.publish(topic, peer.keys.encode(topic, text), publishing)
      await relay.idle()
      expect(engine.snapshot().pendingRequests).toHaveLength(count)
    },
  )

  test('if this client has sent a request with the same id', async () => {
    const { peer, topic, run, relay, events } = await openSession('app')
    await run({ type: 'ping', id: firstId, topic })
    await relay.idle()
    expect(await peer.ask(topic, 'wc_sessionPing', {}, firstId)).toMatchObject({
      method: 'wc_sessionPing',
    })
    expect(events).toEqual([])
  })
})

describe('a received request is recorded', () => {
  test('without its params, and without the name of an unknown method, for 30 days', async () => {
    const { peer, topic, stores } = await openSession('app')
    await peer.ask(topic, 'wc_sessionPing', { body: 'x' }, firstId)
    await peer.ask(topic, 'x'.repeat(100), {}, firstId + 1)
    const recorded = { topic, expiry: now + 30 * 86_400, sent: false }
    expect(stores.records.values()).toEqual([
      { id: firstId, request: { method: 'wc_sessionPing' }, ...recorded },
      { id: firstId + 1, request: { method: 'unknown' }, ...recorded },
    ])
  })

  test('and is handled once, even while the first copy is still being handled', async () => {
    let checks = 0
    let resolve = (_context: never) => {}
    const verify = {
      attest: async () => undefined,
      check: () => ((checks += 1), new Promise<never>((next) => (resolve = next))),
      prefetch: () => {},
      close: () => {},
    }
    const { peer, topic, run, stores } = await openSession('wallet', { verify })
    const json = { id: firstId, jsonrpc: '2.0', method: 'wc_sessionRequest', params: request }
    const envelope = peer.keys.encode(topic, JSON.stringify(json), 'base64url')
    const url = `https://x.example?wc_ev=${envelope}&topic=${topic}`
    const publishing = { ttl: 300, tag: 1108, prompt: true }
    await peer.relayer.publish(topic, envelope, publishing)
    await expect.poll(() => checks, { interval: 1 }).toBe(1)
    await run({ type: 'handleLink', url })
    expect([checks, stores.requests.values()]).toEqual([1, []])
    resolve({ verified: { verifyUrl: '', validation: 'VALID', origin: '' } } as never)
    await expect.poll(() => stores.requests.values().length, { interval: 1 }).toBe(1)
  })
})

describe('the log', () => {
  test('§9.10.3 contains commands, events, messages, failures and the status of the relay', async () => {
    const { run, engine, relayer, peer, topic } = await openSession('app')
    relayer.setStatus({ status: 'offline', reason: 'x' })
    await peer.ask(topic, 'wc_sessionPing', {}, firstId)
    await engine.run({ type: 'extend', id: 5, topic: 'unknown' })
    await engine.run({ type: 'respond', topic: 7 as never, response: null as never })
    await engine.run({ type: 'resume', id: 'text' as never })
    await run({ type: 'abort', id: 6 })
    const time = new Date(startMs).toISOString()
    const short = topic.slice(0, 8)
    const lines = String(await run({ type: 'logs' })).split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { time, what: 'relay offline', reason: 'x' },
      { time, what: 'wc_sessionPing', id: firstId, topic: short },
      { time, what: 'session_ping', id: firstId, topic: short },
      { time, what: 'extend', id: 5, topic: 'unknown' },
      { time, what: 'extend failed', id: 5, topic: 'unknown', reason: 'sign.no_matching_key' },
      { time, what: 'respond' },
      { time, what: 'respond failed', reason: 'sign.missing_or_invalid' },
      { time, what: 'resume' },
      { time, what: 'resume failed', reason: 'sign.no_matching_key' },
      { time, what: 'abort', id: 6 },
      { time, what: 'logs' },
    ])
    await engine.close()
    relayer.setStatus({ status: 'connected' })
    expect(String(await run({ type: 'logs' }))).not.toContain('relay connected')
  })

  test('contains the error code of a failed request', async () => {
    const { run, relay, peer, topic } = await openSession('app')
    await run({
      type: 'request',
      id: firstId,
      topic,
      chainId: 'eip155:1',
      request: request.request,
    })
    await relay.idle()
    await peer.send(topic, { id: firstId, error: { code: 5, message: 'No.' } })
    expect(String(await run({ type: 'logs' }))).toContain(
      `"what":"resolved","id":${firstId},"reason":"sign.peer"`,
    )
  })
})

test('an engine without stored state has the snapshot that a client has before it starts', async () => {
  const { engine } = await openEngine(createMemoryRelay())
  expect(engine.snapshot()).toEqual(emptySnapshot)
})

test('changes are reported at most once per turn; a closed engine has no timers', async () => {
  const { run, changes, engine, topic, clock } = await openSession('wallet')
  const before = changes()
  const ending = run({ type: 'disconnect', topic })
  await Promise.resolve()
  expect(changes() - before).toBeLessThanOrEqual(1)
  await ending
  expect(changes()).toBeGreaterThan(before)
  await engine.close()
  expect(clock.pending()).toBe(0)
})

test('changes of several collections are reported once, unless the engine was closed since', async () => {
  const { clock, changes, peer, topic } = await openSession('wallet')
  const { request: call } = request
  const params = { ...request, request: { ...call, expiryTimestamp: now + 5_000 } }
  const before = changes()
  await peer.ask(topic, 'wc_sessionRequest', params, firstId)
  const received = changes()
  expect(received).toBeGreaterThan(before)
  // The session expires, with its request and record.
  clock.advance(1_000_000)
  await Promise.resolve()
  expect(changes() - received).toBe(1)
  const closed = await openSession('wallet')
  closed.clock.advance(1_000_000)
  await closed.engine.close()
  expect([closed.changes(), closed.clock.pending()]).toEqual([0, 0])
})

test('a request that is aborted is reported to the tabs that wait for it, with the reason', async () => {
  const events: unknown[] = []
  const listener = { onEvent: (event: unknown) => events.push(event), onChange: () => {} }
  const { run, topic } = await openSession('app', { listener })
  const { chainId, request: call } = request
  await run({ type: 'request', id: firstId, topic, chainId, request: call })
  await run({ type: 'abort', id: firstId })
  const message = expect.stringContaining(`request id doesn't exist: ${firstId}`) as string
  const error = expect.objectContaining({ code: 'sign.no_matching_key', message }) as object
  expect(events).toContainEqual({ type: 'resolved', id: firstId, outcome: { error } })
})

test('a ping that is resumed is not sent again', async () => {
  const { run, relay, topic } = await openSession('app')
  await run({ type: 'ping', id: firstId, topic })
  await run({ type: 'resume', id: firstId })
  await relay.idle()
  expect(relay.published).toHaveLength(1)
})

test('a ping that the relay did not store is not sent again when it is resumed after a reload', async () => {
  const store = createMemoryStore()
  const { run, relay, engine, topic } = await openSession('app', { store })
  let called = 0
  relay.onCall = () => ((called += 1), new Promise(() => {}))
  void run({ type: 'ping', id: firstId, topic })
  await expect.poll(() => called).toBe(1)
  await engine.close()
  relay.onCall = () => undefined
  const next = await openEngine(relay, { store })
  await next.run({ type: 'resume', id: firstId })
  await relay.idle()
  expect(relay.published).toEqual([])
})

test('after a restart, pending requests are emitted again after 1 s', async () => {
  const store = createMemoryStore()
  const { peer, topic, relay, engine, clock } = await openSession('wallet', { store })
  for (const id of [firstId, firstId + 1]) await peer.ask(topic, 'wc_sessionRequest', request, id)
  await engine.close()
  const restart = async (disableRequestQueue: boolean) => {
    const next = await openEngine(relay, { store, disableRequestQueue })
    next.clock.advance(999)
    expect(next.events).toEqual([])
    next.clock.advance(1)
    await relay.idle()
    await next.engine.close()
    return next.events.map(([name, event]) => [name, (event as { id: number }).id])
  }
  expect(await restart(false)).toEqual([['session_request', firstId]])
  expect(await restart(true)).toEqual([
    ['session_request', firstId],
    ['session_request', firstId + 1],
  ])
  expect(clock.now()).toBe(startMs)
})

test.each<[kind: string, command: Command]>([
  ['proposal', { type: 'approve', id: 5, settleId: 6, namespaces: {} }],
  ['proposal', { type: 'reject', id: 5, reason: { code: 5000, message: 'No.' } }],
  ['request', { type: 'respond', topic: 'a', response: { id: 5, jsonrpc: '2.0', result: 1 } }],
  ['request', { type: 'approveSessionAuthenticate', id: 5, auths: [] }],
  ['request', { type: 'rejectSessionAuthenticate', id: 5, reason: { code: 5000, message: 'No.' } }],
])(
  'while a tab responds to a %s, the same command of another tab is rejected: %o',
  async (kind, command) => {
    const { run } = await openEngine(createMemoryRelay())
    const deleted = `Record was recently deleted - ${kind}: 5`
    const [first, second] = await Promise.allSettled([run(command), run(command)])
    expect(second).toMatchObject({
      reason: { message: expect.stringContaining(deleted) as string },
    })
    // There is no such proposal or request.
    expect(first).toMatchObject({
      reason: { message: expect.not.stringContaining(deleted) as string },
    })
    await expect(run(command)).rejects.not.toThrow(deleted)
  },
)

test('preconnect opens the relay socket and prepares the check of proposals', async () => {
  const called: string[] = []
  const relay = createMemoryRelay()
  const relayer = { ...relay.connect(), preconnect: () => void called.push('relay') }
  const { run } = await openEngine(relay, {
    relay: relayer,
    verify: {
      attest: async () => undefined,
      check: async () => ({}) as never,
      prefetch: () => called.push('verify'),
      close: () => {},
    },
  })
  await run({ type: 'preconnect' })
  expect(called).toEqual(['relay', 'verify'])
  const unverified = await openEngine(relay, { relay: relayer })
  await unverified.run({ type: 'preconnect' })
  expect(called).toEqual(['relay', 'verify', 'relay'])
})

test('the client id is a did:key that survives a restart', async () => {
  const store = createMemoryStore()
  const relay = createMemoryRelay()
  const id = await (await openEngine(relay, { store })).run({ type: 'clientId' })
  expect(id).toMatch(/^did:key:z/)
  expect(await (await openEngine(relay, { store })).run({ type: 'clientId' })).toBe(id)
})

test('ids are unique, and contain the time', () => {
  const clock = createManualClock(startMs)
  const nextId = createIds(clock)
  const ids = Array.from({ length: 3_000 }, () => nextId())
  expect(new Set(ids).size).toBe(3_000)
  expect(ids[0]).toBeGreaterThanOrEqual(startMs * 1_000)
  expect(ids[0]).toBeLessThan(startMs * 1_000 + 1_000)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  clock.advance(10_000)
  expect(Math.floor(nextId() / 1_000)).toBe(startMs + 10_000)
})

const once = [
  'pair',
  'approve',
  'reject',
  'update',
  'extend',
  'ping',
  'disconnect',
  'respond',
  'emit',
]
const repeatable = [
  'connect',
  'authenticate',
  'request',
  'abort',
  'resume',
  'collect',
  'preconnect',
]
test.each<[string, boolean]>([
  ...once.map((type): [string, boolean] => [type, false]),
  ...[...repeatable, 'clientId', 'logs', 'listen'].map((type): [string, boolean] => [type, true]),
])('whether %s can run again on another tab’s engine: %s', (type, expected) => {
  expect(isRepeatable({ type } as Command)).toBe(expected)
})
