import { hash } from 'node:crypto'
import { setImmediate as nextTask } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RelayMethod } from '@gatefold/protocol/relay'
import {
  PartialPublishError,
  type NewMessage,
  type PublishOutcome,
} from '../drivers/RelayDriver.ts'
import { type RelayError, RelayStorageError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'
import type { Call, Handler } from './Handler.ts'
import { handlers } from './index.ts'
import { clampTtl } from './publishMessages.ts'

vi.mock('node:timers/promises', async (original) => {
  const { mockTimersPromises } = await import('../../testing/mockTimersPromises.ts')
  return mockTimersPromises(original)
})

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
const payer = { address: '192.0.2.1', projectId: 'site', clientId: 'client' }
const now = 1_000_000

/** Creates a relay whose driver, hub and budgets record their calls. */
function create(topicsOf: readonly string[] | undefined = []) {
  const state = {
    calls: [] as unknown[][],
    published: [] as NewMessage[],
    outcomes: undefined as PublishOutcome[] | undefined,
    /** Whether each charge is granted, in order. */
    grants: [] as boolean[],
    /** If set, every call to the driver waits for it. */
    gate: undefined as Promise<void> | undefined,
    error: undefined as Error | undefined,
    page: { messages: [] as object[], hasMore: false },
    hasRoom: true,
    /** Number of new subscriptions, and how many are allowed. */
    newTopics: 0,
    maxNewTopics: Infinity,
    /** Topics with the maximum number of subscribers. */
    full: new Set<string>(),
    /** Addresses that waited for a turn. */
    turns: [] as string[],
    /** Subscriptions that may be read for clients without a socket. */
    readable: Infinity,
    relay: undefined as unknown as RelayContext,
  }
  const { calls } = state
  const record =
    (name: string) =>
    async (...more: unknown[]) => {
      calls.push([name, ...more])
      await state.gate
      if (state.error) throw state.error
    }
  state.relay = {
    context: {
      now: () => now,
      turns: { next: async (address: string) => void state.turns.push(address) },
    },
    driver: {
      subscribe: record('subscribe'),
      unsubscribe: record('unsubscribe'),
      acknowledge: record('acknowledge'),
      topicsOf: async (clientId: string, nextTurn: () => Promise<void>) => {
        await record('topicsOf')(clientId)
        await nextTurn()
        return [a]
      },
      publish: async (messages: NewMessage[], address: string) => {
        expect(address).toBe(payer.address)
        await state.gate
        if (state.error) throw state.error
        state.published.push(...messages)
        return state.outcomes ?? messages.map(() => 'stored')
      },
      read: async (options: object) => {
        await record('read')(options)
        return state.page
      },
    },
    addressLimits: {
      mayConnect: (address: string) => {
        expect(address).toBe(payer.address)
        return state.readable > 0
      },
      admitConnect: (address: string, count: number) => {
        expect(address).toBe(payer.address)
        state.readable -= count
        return state.readable >= 0
      },
      admitTopics: (address: string, count: number) => {
        expect(address).toBe(payer.address)
        state.newTopics += count
        return state.newTopics <= state.maxNewTopics
      },
    },
    hub: {
      topicsOf: () => topicsOf && new Set(topicsOf),
      isFull: (topic: string) => state.full.has(topic),
      subscribed: (clientId: string, topics: string[]) => () =>
        calls.push(['deliver', clientId, topics]),
      unsubscribed: (...more: unknown[]) => calls.push(['unsubscribed', ...more]),
    },
    metrics: { published: { inc: (...more: unknown[]) => calls.push(['count', ...more]) } },
    pendingSubscriptions: new Map(),
    storageBudgets: {
      charge: async (from: object, items: object[]) => {
        calls.push(['charge', from, items])
        return (state.grants.shift() ?? true)
          ? items.map((_, index) => `charge ${index}`)
          : undefined
      },
      release: (charges: string[]) => calls.push(['release', charges]),
    },
  } as unknown as RelayContext

  function run(method: RelayMethod, params: object, clientId = 'client') {
    const handler = handlers[method] as Handler<RelayMethod>
    const call = {
      params,
      clientId,
      payer,
      host: undefined,
      afterAnswer: (job: () => void) => job(),
      readInTurn: (read: (nextTurn: () => Promise<void>) => Promise<unknown>) =>
        state.hasRoom ? read(async () => {}) : undefined,
    }
    return handler(state.relay, call as unknown as Call<RelayMethod>)
  }
  return { state, run }
}

const idOf = (topic: string) => toSubscriptionId({ topic, clientId: 'client' })
const message = { topic: a, message: 'häh', ttl: 300, tag: 1108 }

describe('subscriptions', () => {
  test.each<[RelayMethod, object, topics: string[], result: unknown]>([
    ['irn_subscribe', { topic: a }, [a], idOf(a)],
    ['irn_subscribeBlocking', { topic: a }, [a], idOf(a)],
    ['irn_batchSubscribe', { topics: [a, b] }, [a, b], [idOf(a), idOf(b)]],
    ['wc_createTopic', { topic: a }, [a], true],
    [
      'irn_batchSubscribeBlocking',
      { topics: [b, 'short', a] },
      [b, a],
      [
        { id: idOf(b) },
        {
          error: {
            code: -32_600,
            message: expect.stringMatching(/^Invalid payload: topics\.1 /),
            data: 'InvalidTopic',
          },
        },
        { id: idOf(a) },
      ],
    ],
  ])('%s stores them, then delivers waiting messages', async (method, params, topics, result) => {
    const { state, run } = create()
    expect(await run(method, params)).toEqual(result)
    expect(state.calls).toEqual([
      ['subscribe', 'client', topics, payer.address],
      ['deliver', 'client', topics],
    ])
  })

  test.each<[RelayMethod, object, topics: string[]]>([
    ['irn_unsubscribe', { topic: a, id: 'any' }, [a]],
    ['irn_batchUnsubscribe', { subscriptions: [{ topic: a }, { topic: b }] }, [a, b]],
  ])('%s removes them', async (method, params, topics) => {
    const { state, run } = create()
    expect(await run(method, params)).toBe(true)
    expect(state.calls).toEqual([
      ['unsubscribe', 'client', topics, payer.address],
      ['unsubscribed', 'client', topics],
    ])
  })

  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => String(from + index).padStart(64, '0'))

  test('attack: a client has at most 5,000, even with parallel requests', async () => {
    const { state, run } = create(many(4_000))
    const gate = Promise.withResolvers<void>()
    state.gate = gate.promise
    // 500 known topics, 600 new ones; then the same again, and 400 more.
    const first = run('irn_batchSubscribe', { topics: many(1_100, 3_500) })
    const again = run('irn_batchSubscribe', { topics: many(1_000, 4_000) })
    await expect(run('irn_subscribe', { topic: a })).rejects.toMatchObject({
      kind: 'requestHandler',
      tag: 'SubscriberLimitExceeded',
      message: expect.stringContaining('at most 5000 subscriptions'),
    })
    await run('irn_batchSubscribe', { topics: many(5_001) }, 'other').catch(() => {})
    gate.resolve()
    expect(await Promise.all([first, again])).toHaveLength(2)
    expect(state.relay.pendingSubscriptions.size).toBe(0)
    expect(await run('irn_subscribe', { topic: a })).toBe(idOf(a))
  })

  test('attack: those of a pending request count until it ends, whatever other requests end', async () => {
    const { state, run } = create(many(4_999))
    /** Starts a request. The returned function ends it. */
    const start = (topic: string) => {
      const gate = Promise.withResolvers<void>()
      state.gate = gate.promise
      const response = run('irn_subscribe', { topic })
      state.gate = undefined
      return () => {
        gate.resolve()
        return response
      }
    }
    const isRefused = async (topic: string) =>
      run('irn_subscribe', { topic }).then(
        () => false,
        () => true,
      )
    const [endKnown, endFirst, endSecond] = [start(many(1)[0]!), start(a), start(a)]
    await endKnown()
    expect(await isRefused(b)).toBe(true)
    await endFirst()
    const endOther = start(b)
    await endSecond()
    expect(await isRefused(a)).toBe(true)
    await endOther()
    expect(await isRefused(a)).toBe(false)
  })

  test('error: those that could not be stored do not count', async () => {
    const { state, run } = create(many(4_999))
    state.error = new RelayStorageError()
    await expect(run('irn_subscribe', { topic: a })).rejects.toBe(state.error)
    expect(state.relay.pendingSubscriptions.size).toBe(0)
    state.error = undefined
    expect(await run('irn_subscribe', { topic: b })).toBe(idOf(b))
  })

  test('are read for a client without a socket', async () => {
    const { state, run } = create(undefined)
    state.relay.hub.topicsOf = () => undefined
    expect(await run('irn_batchSubscribe', { topics: many(4_999) })).toHaveLength(4_999)
    await expect(run('irn_batchSubscribe', { topics: many(5_000) })).rejects.toMatchObject({
      tag: 'SubscriberLimitExceeded',
    })
    state.error = new Error('no disk')
    await expect(run('irn_subscribe', { topic: b })).rejects.toThrow(RelayStorageError)
    state.error = undefined
    expect(await run('irn_subscribe', { topic: b })).toBe(idOf(b))
  })

  test('attack: parallel requests of a client without a socket share one read, and count together', async () => {
    const { state, run } = create(undefined)
    state.relay.hub.topicsOf = () => undefined
    const topics = many(500)
    const results = await Promise.all(topics.map((topic) => run('irn_subscribe', { topic })))
    expect(results).toEqual(topics.map(idOf))
    const reads = () => state.calls.filter(([name]) => name === 'topicsOf').length
    expect(reads()).toBe(1)
    const more = [4_000, 1_000].map((count) => run('irn_batchSubscribe', { topics: many(count) }))
    expect(await Promise.allSettled(more)).toMatchObject([{ status: 'fulfilled' }, {}])
    const [first, second] = [many(3_000), many(2_000, 3_000)].map((some) =>
      run('irn_batchSubscribe', { topics: some }),
    )
    await first
    await expect(second).rejects.toMatchObject({ tag: 'SubscriberLimitExceeded' })
    expect(reads()).toBe(3)
  })

  test('attack: those that a client without a socket has stored count while another of its requests is pending', async () => {
    const { state, run } = create(undefined)
    const { driver, hub } = state.relay
    hub.topicsOf = () => undefined
    const subscribe = driver.subscribe.bind(driver)
    const gate = Promise.withResolvers<void>()
    driver.subscribe = () => gate.promise
    const pending = run('irn_subscribe', { topic: b })
    await nextTask()
    driver.subscribe = subscribe
    // The store has one topic.
    expect(await run('irn_batchSubscribe', { topics: many(4_998) })).toHaveLength(4_998)
    const [more] = many(1, 5_000)
    await expect(run('irn_subscribe', { topic: more })).rejects.toMatchObject({
      tag: 'SubscriberLimitExceeded',
    })
    gate.resolve()
    await pending
  })

  test('attack: an address has a limited number of new ones, which repeated requests do not use up', async () => {
    const { state, run } = create([a])
    state.maxNewTopics = 2
    expect(await run('irn_batchSubscribe', { topics: [a, b, b] })).toHaveLength(3)
    expect(state.newTopics).toBe(1)
    state.calls.length = 0
    await expect(run('irn_batchSubscribe', { topics: many(2) })).rejects.toMatchObject({
      kind: 'requestHandler',
      tag: 'SubscriberLimitExceeded',
      message: expect.stringContaining('too many new subscriptions from this address'),
    })
    expect(state.calls).toEqual([])
  })

  test('attack: those of clients without a socket are read for an address only up to a limit', async () => {
    const { state, run } = create()
    state.relay.hub.topicsOf = () => undefined
    const refusal = { kind: 'tooManyRequests', tag: 'TooManyRequests' }
    state.readable = 1
    expect(await run('irn_subscribe', { topic: a })).toBe(idOf(a))
    expect(state.turns).toEqual([payer.address])
    state.calls.length = 0
    await expect(run('irn_subscribe', { topic: a })).rejects.toMatchObject(refusal)
    expect(state.calls).toEqual([])
    // They were being read at the same time.
    state.readable = 0.5
    await expect(run('irn_subscribe', { topic: a })).rejects.toMatchObject(refusal)
    expect(state.calls.map(([name]) => name)).toEqual(['topicsOf'])
  })

  test('attack: a topic has at most 20 connected subscribers', async () => {
    const { state, run } = create([a])
    state.full = new Set([a, b])
    // The client already has the first topic.
    expect(await run('irn_subscribe', { topic: a })).toBe(idOf(a))
    await expect(run('irn_batchSubscribe', { topics: [a, b] })).rejects.toMatchObject({
      kind: 'requestHandler',
      tag: 'SubscriberLimitExceeded',
      message: expect.stringContaining('at most 20 connected subscribers'),
    })
  })
})

describe('publishes', () => {
  test('attack: a publish that fails in part keeps the charges of the messages that are stored or may be', async () => {
    const { state, run } = create()
    state.error = new PartialPublishError(
      ['stored', undefined, 'known', 'unsent'],
      new Error('no disk'),
    )
    const messages = [message, { ...message, topic: b }, message, message]
    await expect(run('irn_batchPublish', { messages })).rejects.toBe(state.error)
    expect(state.calls.at(-1)).toEqual(['release', ['charge 2', 'charge 3']])
  })

  test('attack: a publish that may be stored keeps its charge, because the store releases it with the message', async () => {
    const { state, run } = create()
    state.error = new RelayStorageError(new Error('no reply'))
    await expect(run('irn_publish', message)).rejects.toBe(state.error)
    expect(state.calls.map(([name]) => name)).toEqual(['charge'])
  })

  test('irn_publish and irn_batchPublish store messages with their charges', async () => {
    const { state, run } = create()
    expect(await run('irn_publish', { ...message, attestation: null })).toBe(true)
    const attested = { ...message, topic: b, attestation: 'j.w.t', ttl: 1_000_000 }
    expect(await run('irn_batchPublish', { messages: [message, attested] })).toBe(true)
    const stored = {
      topic: a,
      id: hash('sha256', 'häh'),
      message: 'häh',
      attestation: undefined,
      tag: 1108,
      publisher: 'client',
      ttlSeconds: 300,
      charge: 'charge 0',
    }
    expect(state.published).toEqual([
      stored,
      stored,
      { ...stored, topic: b, attestation: 'j.w.t', ttlSeconds: 604_800, charge: 'charge 1' },
    ])
    const item = { bytes: 4, expiresAt: now + 300_000 }
    expect(state.calls.filter(([name]) => name === 'charge')).toEqual([
      ['charge', payer, [item]],
      ['charge', payer, [item, { bytes: 9, expiresAt: now + 604_800_000 }]],
    ])
    expect(state.calls).toContainEqual(['count', { outcome: 'stored' }])
  })

  test('only the charges of messages that are stored remain', async () => {
    const { state, run } = create()
    state.outcomes = ['stored', 'known', 'full']
    await expect(
      run('irn_batchPublish', { messages: [message, message, message] }),
    ).rejects.toMatchObject({
      kind: 'requestHandler',
      tag: 'MailboxLimitExceeded',
      message: expect.stringContaining('at most 1000 messages and 8388608 bytes'),
    })
    expect(state.calls.slice(1)).toEqual([
      ['release', ['charge 1', 'charge 2']],
      ...['stored', 'known', 'full'].map((outcome) => ['count', { outcome }]),
    ])
    state.calls.length = 0
    state.error = new RelayStorageError(new Error('no room'), { isUnsent: true })
    await expect(run('irn_publish', message)).rejects.toBe(state.error)
    expect(state.calls.slice(1)).toEqual([['release', ['charge 0']]])
  })

  test.each([0, -1])('error: a ttl of %i is refused, and nothing is stored', async (ttl) => {
    const { state, run } = create()
    await expect(
      run('irn_batchPublish', { messages: [message, { ...message, ttl }] }),
    ).rejects.toMatchObject({
      kind: 'requestHandler',
      tag: 'TtlTooShort',
      message: expect.stringContaining('more than 0 seconds'),
    })
    expect(state.published).toEqual([])
  })

  test.each([
    [0.5, 30],
    [30.9, 30],
    [31.5, 31],
    [604_801, 604_800],
  ])('a ttl of %d s becomes %i s', (ttl, seconds) => {
    expect(clampTtl(ttl)).toBe(seconds)
  })

  test.each([
    ['succeeds', true],
    ['is refused', false],
  ])('attack: beyond a budget, a publish is tried again after 5 s and %s', async (_, isGranted) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const refusal = [
      'requestHandler',
      'StorageBudgetExceeded',
      expect.stringContaining('a storage budget of this address'),
    ]
    const { state, run } = create()
    state.grants = [false, isGranted]
    const outcome = run('irn_batchPublish', { messages: [message, message] }).catch(
      ({ kind, tag, message }: RelayError) => [kind, tag, message],
    )
    await vi.advanceTimersByTimeAsync(4_999)
    expect(state.calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toEqual(isGranted || refusal)
    expect(state.published).toHaveLength(isGranted ? 2 : 0)
    const refused = ['count', { outcome: 'over_budget' }, 2]
    expect(state.calls.some((call) => JSON.stringify(call) === JSON.stringify(refused))).toBe(
      !isGranted,
    )
  })
})

describe('sessions', () => {
  test('wc_proposeSession subscribes to the pairing topic and publishes the proposal there', async () => {
    const { state, run } = create()
    const params = { pairingTopic: a, sessionProposal: 'proposal' }
    expect(await run('wc_proposeSession', { ...params, attestation: 'j.w.t' })).toBe(true)
    expect(await run('wc_proposeSession', { ...params, ttl: 600 })).toBe(true)
    const proposal = { topic: a, message: 'proposal', tag: 1100 }
    expect(state.published).toMatchObject([
      { ...proposal, attestation: 'j.w.t', ttlSeconds: 300 },
      { ...proposal, attestation: undefined, ttlSeconds: 600 },
    ])
    expect(state.calls).toContainEqual(['subscribe', 'client', [a], payer.address])
  })

  test('wc_approveSession subscribes to the session topic, and publishes there and on the pairing topic', async () => {
    const { state, run } = create()
    const params = {
      pairingTopic: a,
      sessionTopic: b,
      sessionProposalResponse: 'response',
      sessionSettlementRequest: 'settlement',
    }
    expect(await run('wc_approveSession', params)).toBe(true)
    expect(await run('wc_approveSession', { ...params, ttl: 600 })).toBe(true)
    const both = (ttlSeconds: number) => [
      { topic: b, message: 'settlement', tag: 1102, ttlSeconds },
      { topic: a, message: 'response', tag: 1101, ttlSeconds },
    ]
    expect(state.published).toMatchObject([...both(300), ...both(600)])
    expect(state.calls.filter(([name]) => name === 'subscribe')).toEqual([
      ['subscribe', 'client', [b], payer.address],
      ['subscribe', 'client', [b], payer.address],
    ])
  })
})

describe('waiting messages', () => {
  const stored = { topic: a, message: 'text', publishedAt: 1, tag: 1108, attestation: undefined }

  test.each<[RelayMethod, object, topics: string[]]>([
    ['irn_fetchMessages', { topic: a }, [a]],
    ['irn_batchFetchMessages', { topics: [a, b] }, [a, b]],
  ])('%s returns at most 500 of them', async (method, params, topics) => {
    const { state, run } = create()
    state.page = { messages: [{ ...stored, seq: 1, publisher: 'app', id: 'id' }], hasMore: true }
    expect(await run(method, params)).toEqual({ messages: [stored], hasMore: true })
    const nextTurn = expect.any(Function) as unknown
    const options = { clientId: 'client', topics, afterSeq: 0, limit: 500, nextTurn }
    expect(state.calls).toEqual([['read', options]])
    state.hasRoom = false
    expect(await run(method, params)).toEqual({ messages: [], hasMore: true })
    Object.assign(state, { hasRoom: true, error: new Error('no disk') })
    await expect(run(method, params)).rejects.toThrow(RelayStorageError)
  })

  test('irn_batchReceive acknowledges them', async () => {
    const { state, run } = create()
    const receipts = [{ topic: a, messageId: 'id' }]
    expect(await run('irn_batchReceive', { receipts })).toBe(true)
    expect(state.calls).toEqual([
      ['acknowledge', 'client', [{ topic: a, id: 'id' }], payer.address],
    ])
  })
})
