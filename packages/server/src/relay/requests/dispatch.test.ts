import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '@gatefold/protocol'
import { addressMemoryBytes, createMemoryBudgets } from '../../http/createMemoryBudgets.ts'
import { createTurns, type Turns } from '../../http/createTurns.ts'
import { RelayStorageError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'
import { dispatch, type Sender } from './dispatch.ts'

vi.mock('node:timers/promises', async (original) => {
  const { mockTimersPromises } = await import('../../testing/mockTimersPromises.ts')
  return mockTimersPromises(original)
})

const topic = 'a'.repeat(64)
const request = (method: string, params: object = { topic }, id: number | string = 1) =>
  JSON.stringify({ id, jsonrpc: '2.0', method, params })
const publish = { topic, message: 'x', ttl: 300, tag: 1 }

/** Creates a relay with a scripted driver. `delays` are the delays that its rate limits return, in order. */
function create(
  options: {
    delays?: number[]
    driver?: object
    sender?: Partial<Sender>
    turns?: Partial<Turns>
  } = {},
) {
  const calls: unknown[][] = []
  const maxMs: number[] = []
  const counted: [name: string, labels?: object][] = []
  const count = (name: string) => ({ inc: (labels?: object) => counted.push([name, labels]) })
  const delays = options.delays ?? []
  const take = (kind: string) => ({
    take(clientId: string, cost: number, max: number) {
      maxMs.push(max)
      calls.push([`take ${kind}`, clientId, cost])
      return delays.shift() ?? 0
    },
  })
  const logged: unknown[] = []
  const relay = {
    context: {
      now: Date.now,
      log: { error: (fields: object) => logged.push(fields) },
      memory: createMemoryBudgets(),
      turns: options.turns ?? createTurns(),
    },
    metrics: {
      delayed: count('delayed'),
      answers: count('answers'),
      published: count('published'),
    },
    rateLimits: { publish: take('publish'), topic: take('topic') },
    pendingSubscriptions: new Map(),
    storageBudgets: {
      charge: async (payer: object, items: object[]) => {
        calls.push(['charge', payer])
        return items.map(() => 'charge')
      },
      release: () => {},
    },
    addressLimits: { admitTopics: () => true },
    hub: {
      topicsOf: () => new Set<string>(),
      isFull: () => false,
      subscribed: (clientId: string, topics: string[]) => () =>
        calls.push(['deliver', clientId, topics]),
    },
    driver: {
      subscribe: async () => {},
      publish: async (messages: object[]) => messages.map(() => 'stored'),
      ...options.driver,
    },
  } as unknown as RelayContext
  const receipts: number[] = []
  const sender: Sender = {
    clientId: 'client',
    address: '192.0.2.1',
    projectId: 'site',
    host: 'relay.example',
    isSilentOnStorage: false,
    onReceipt: (seq) => void receipts.push(seq),
    ...options.sender,
  }
  const send = (text: string) => dispatch(relay, sender, text)
  const answer = async (text: string) => {
    const reply = await send(text)
    return reply?.text === undefined ? undefined : (JSON.parse(reply.text) as unknown)
  }
  return { relay, sender, calls, maxMs, counted, logged, receipts, send, answer }
}

test('a subscribe gets a response; waiting messages are delivered once the response is sent', async () => {
  const { send, calls, counted } = create()
  const reply = (await send(request('irn_subscribe')))!
  expect(JSON.parse(reply.text!)).toEqual({
    id: 1,
    jsonrpc: '2.0',
    result: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
  })
  expect(calls).toEqual([['take topic', 'client', 1]])
  reply.onSent()
  expect(calls.slice(1)).toEqual([['deliver', 'client', [topic]]])
  expect(counted).toEqual([['answers', { method: 'irn_subscribe', outcome: 'ok' }]])
})

test('a batch gets its responses in order, including those to invalid entries', async () => {
  const { send, answer, counted, calls } = create()
  const batch = `[${request('irn_publish', publish, 'a')},{"id":"b","jsonrpc":"2.0","method":"x"},${request('irn_subscribe', { topic: 'short' }, 'c')}]`
  expect(await answer(batch)).toMatchObject([
    { id: 'a', result: true },
    { id: 'b', error: { data: 'InvalidMethod' } },
    { id: 'c', error: { data: 'InvalidTopic' } },
  ])
  expect(counted.filter(([name]) => name === 'answers')).toHaveLength(3)
  expect(counted).toContainEqual(['answers', { method: 'none', outcome: 'InvalidMethod' }])
  expect(counted).toContainEqual(['answers', { method: 'irn_subscribe', outcome: 'InvalidTopic' }])
  expect(calls).toContainEqual([
    'charge',
    expect.objectContaining({ address: '192.0.2.1', projectId: 'site', clientId: 'client' }),
  ])
  const one = (await send(`[${request('irn_subscribe')}]`))!
  expect(JSON.parse(one.text!)).toHaveLength(1)
})

test('acknowledgements get no response', async () => {
  const { send, answer, receipts } = create()
  expect(send('{"id":7,"jsonrpc":"2.0","result":true}')).toBeUndefined()
  expect(send('{"id":8,"jsonrpc":"2.0","error":{}}')).toBeUndefined()
  expect(
    await answer(`[{"id":9,"jsonrpc":"2.0","result":true},${request('irn_subscribe')}]`),
  ).toHaveLength(1)
  expect(receipts).toEqual([7, 9])
})

describe('attack: a rate limit', () => {
  /** Installs fake timers. @returns a function that advances them by a number of ms. */
  function useFakeTime() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    return (ms: number) => vi.advanceTimersByTimeAsync(ms)
  }

  test('counts all units of a frame, by kind', async () => {
    const { answer, calls } = create()
    const topics = [topic, topic]
    await answer(
      `[${request('irn_batchSubscribe', { topics })},${request('irn_subscribe')},${request('irn_publish', publish)},{"id":1,"jsonrpc":"2.0","method":"x"}]`,
    )
    expect(calls.slice(0, 2)).toEqual([
      ['take publish', 'client', 1],
      ['take topic', 'client', 4],
    ])
  })

  test('attack: counts an invalid entry like a topic', async () => {
    const { answer, calls } = create()
    await answer('[1,{},null]')
    expect(calls).toEqual([['take topic', 'client', 3]])
  })

  test('delays a frame by the longer of two delays, and reports the delay', async () => {
    const delayed: number[] = []
    const { answer, counted } = create({
      delays: [100, 20],
      sender: { onDelay: (ms) => void delayed.push(ms) },
    })
    const passed = useFakeTime()
    const answered = vi.fn<() => void>()
    void answer(`[${request('irn_publish', publish)},${request('irn_subscribe')}]`).then(answered)
    await passed(99)
    expect(answered).not.toHaveBeenCalled()
    await passed(1)
    expect(answered).toHaveBeenCalledOnce()
    expect(delayed).toEqual([100])
    expect(counted[0]).toEqual(['delayed', undefined])
  })

  test('keeps the order of frames: later frames wait for a delayed frame', async () => {
    const { answer, sender, counted } = create({ delays: [100, 0, 10] })
    const order: number[] = []
    const send = (id: number) =>
      answer(request('irn_subscribe', { topic }, id)).then(() => order.push(id))
    await Promise.all([1, 2, 3].map(send))
    expect(order).toEqual([1, 2, 3])
    expect(counted.filter(([name]) => name === 'delayed')).toHaveLength(2)
    expect(sender.lastDelayed).toBeUndefined()
    const last = send(4)
    expect(sender.lastDelayed).toBeUndefined()
    await last
    expect(counted.filter(([name]) => name === 'delayed')).toHaveLength(2)
  })

  test('keeps the order of frames after an earlier frame’s delay has ended', async () => {
    const { answer } = create({ delays: [10, 80, 0] })
    const order: number[] = []
    const send = (id: number) =>
      answer(request('irn_subscribe', { topic }, id)).then(() => order.push(id))
    const [first, second] = [send(1), send(2)]
    await first
    await Promise.all([second, send(3)])
    expect(order).toEqual([1, 2, 3])
  })

  test('delays a request by at most 10 s at a debt of almost 20 s, and reports the debt', async () => {
    const delayed: number[] = []
    const sender = { onDelay: (ms: number) => void delayed.push(ms) }
    const passed = useFakeTime()
    const answered = vi.fn<() => void>()
    void create({ delays: [19_999], sender })
      .answer(request('irn_subscribe'))
      .then(answered)
    await passed(9_999)
    expect(answered).not.toHaveBeenCalled()
    await passed(1)
    expect(answered).toHaveBeenCalledOnce()
    expect(delayed).toEqual([19_999])
  })

  test('refuses a client’s requests if its debt is too large', async () => {
    const delayed: number[] = []
    const sender = { onDelay: (ms: number) => void delayed.push(ms) }
    const { answer, maxMs, calls } = create({ delays: [Infinity, Infinity], sender })
    const error = { data: 'TooManyRequests', message: expect.stringContaining('20 s') as unknown }
    expect(await answer(request('irn_subscribe'))).toMatchObject({ id: 1, error })
    const batch = `[${request('irn_publish', publish, 2)},${request('irn_publish', publish, 3)}]`
    expect(await answer(batch)).toMatchObject([
      { id: 2, error },
      { id: 3, error },
    ])
    expect([maxMs, delayed]).toEqual([
      [20_000, 20_000],
      [20_000, 20_000],
    ])
    expect(calls.filter(([name]) => name === 'charge')).toEqual([])
  })

  test('refuses a whole HTTP body at a debt of 10 s, because its sender cannot be paused', async () => {
    const { answer, maxMs } = create({ delays: [Infinity], sender: { refusesDelay: true } })
    await expect(answer(request('irn_subscribe'))).rejects.toMatchObject({
      tag: 'TooManyRequests',
      kind: 'tooManyRequests',
      message: expect.stringContaining('try again in 10 s') as unknown,
    })
    expect(maxMs).toEqual([10_000])
  })
})

describe('attack: a large frame', () => {
  const frameOf = (publishes: number, subscribes: number) =>
    `[${[
      ...Array.from({ length: publishes }, () => request('irn_publish', publish)),
      ...Array.from({ length: subscribes }, () => request('irn_subscribe')),
    ].join()}]`

  test('of 50 publishes and topics waits for a turn of its address', async () => {
    const gate = Promise.withResolvers<void>()
    const turns: unknown[][] = []
    const next = (...turn: unknown[]) => {
      turns.push(turn)
      return gate.promise
    }
    const { answer, calls } = create({ turns: { next } })
    expect(await answer(frameOf(25, 24))).toHaveLength(49)
    expect(turns).toEqual([])
    calls.length = 0
    const answered = answer(frameOf(25, 25))
    await turn()
    expect(turns).toEqual([['192.0.2.1', 500_000]])
    expect(calls.filter(([name]) => name === 'charge')).toEqual([])
    gate.resolve()
    expect(await answered).toHaveLength(50)
  })

  test('may list 5,000 topics', async () => {
    const { answer, counted } = create()
    const list = (count: number) =>
      request('irn_batchSubscribe', { topics: Array<string>(count).fill(topic) })
    const ten = Array.from({ length: 10 }, () => list(500)).join()
    expect(await answer(`[${ten}]`)).toEqual(
      Array(10).fill(expect.objectContaining({ result: expect.anything() as unknown })),
    )
    const refused = {
      error: {
        data: 'BatchLimitExceeded',
        message: expect.stringContaining('5000 topics') as unknown,
      },
    }
    expect(((await answer(`[${ten},${list(1)}]`)) as unknown[]).at(-1)).toMatchObject(refused)
    expect(counted).toContainEqual([
      'answers',
      { method: 'irn_batchSubscribe', outcome: 'BatchLimitExceeded' },
    ])
  })
})

describe('attack: the memory budget of an address', () => {
  const address = '192.0.2.1'

  test('counts a response until it is sent', async () => {
    const { send, relay } = create()
    const { memory } = relay.context
    const reply = (await send(request('irn_subscribe')))!
    const free = addressMemoryBytes - reply.text!.length
    expect([memory.hasRoom(address, free), memory.hasRoom(address, free + 1)]).toEqual([
      true,
      false,
    ])
    reply.onSent()
    expect(memory.hasRoom(address, addressMemoryBytes)).toBe(true)
  })

  test('must have room for a page of 1 MiB while messages are read', async () => {
    const page = 1024 * 1024
    let hasRoom: boolean[] = []
    const { send, relay } = create({
      driver: {
        read: async () => {
          hasRoom = [0, 1].map((more) => relay.context.memory.hasRoom(address, more))
          return { messages: [], hasMore: false }
        },
      },
    })
    const { memory } = relay.context
    const fetch = async () => {
      const reply = (await send(request('irn_fetchMessages')))!
      reply.onSent()
      return (JSON.parse(reply.text!) as { result: object }).result
    }
    memory.add(address, addressMemoryBytes - page + 1)
    expect(await fetch()).toEqual({ messages: [], hasMore: true })
    memory.add(address, -1)
    expect(await fetch()).toEqual({ messages: [], hasMore: false })
    expect(hasRoom).toEqual([true, false])
    expect([0, 1].map((more) => memory.hasRoom(address, page + more))).toEqual([true, false])
  })
})

describe('error: a storage failure', () => {
  const driver = {
    publish: () => Promise.reject(new RelayStorageError()),
    subscribe: () => Promise.reject(new RelayStorageError()),
  }

  test.each([
    [true, 'irn_publish', false],
    [false, 'irn_publish', true],
    [true, 'irn_subscribe', true],
  ])(
    'with isSilentOnStorage %s, %s gets a response: %s',
    async (isSilentOnStorage, method, isAnswered) => {
      const { answer, counted, logged } = create({ driver, sender: { isSilentOnStorage } })
      const params = method === 'irn_publish' ? publish : { topic }
      const error = { id: 1, jsonrpc: '2.0', error: { data: 'StorageError' } }
      const one = await answer(request(method, params))
      expect(one === undefined).toBe(!isAnswered)
      expect(one ?? error).toMatchObject(error)
      expect((await answer(`[${request(method, params)}]`)) === undefined).toBe(!isAnswered)
      expect(counted).toContainEqual(['answers', { method, outcome: 'StorageError' }])
      expect(logged).toEqual([])
    },
  )

  test('with isSilentOnStorage, other errors get a response, and unknown errors are logged', async () => {
    const err = new TypeError('bug')
    const { answer, logged, counted } = create({
      driver: { publish: () => Promise.reject(err) },
      sender: { isSilentOnStorage: true },
    })
    expect(await answer(request('irn_publish', publish))).toMatchObject({
      error: { data: 'Unknown' },
    })
    expect(logged).toEqual([{ err, method: 'irn_publish' }])
    expect(counted).toContainEqual(['answers', { method: 'irn_publish', outcome: 'Unknown' }])
    expect(await answer(request('irn_publish', { ...publish, ttl: 0 }))).toMatchObject({
      error: { data: 'TtlTooShort' },
    })
  })
})

describe('attack: reads', () => {
  const fetches = (count: number) =>
    `[${Array.from({ length: count }, (_, id) => request('irn_fetchMessages', { topic }, id + 1)).join()}]`

  /** Creates a driver whose pages fill half the buffer. `maxOpen` is the maximum number of concurrent reads. */
  function createReader() {
    const state = { reads: 0, open: 0, maxOpen: 0 }
    const message = {
      topic,
      message: 'x'.repeat(limits.relayBufferBytes / 2),
      publishedAt: 0,
      tag: 1,
    }
    const read = async () => {
      state.reads += 1
      state.open += 1
      state.maxOpen = Math.max(state.maxOpen, state.open)
      await turn()
      state.open -= 1
      return { messages: [message], hasMore: false }
    }
    return { state, driver: { read } }
  }

  test('run one at a time, until the response is full', async () => {
    const { state, driver } = createReader()
    const { answer, sender } = create({ driver })
    const answers = (await answer(fetches(6))) as { result: { messages: []; hasMore: boolean } }[]
    expect(answers.map(({ result }) => [result.messages.length, result.hasMore])).toEqual([
      [1, false],
      [1, false],
      [0, true],
      [0, true],
      [0, true],
      [0, true],
    ])
    expect(state).toEqual({ reads: 2, open: 0, maxOpen: 1 })
    expect(sender.lastFetch).toBeUndefined()
  })

  test('of several frames run one at a time, and wait until the sender has drained earlier responses', async () => {
    const { state, driver } = createReader()
    const [asked, drained] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const whenDrained = () => {
      asked.resolve()
      return drained.promise
    }
    const { answer } = create({ driver, sender: { whenDrained } })
    const answers = [answer(fetches(1)), answer(fetches(1))]
    await Promise.race([asked.promise, Promise.all(answers)])
    expect(state.reads).toBe(0)
    drained.resolve()
    await Promise.all(answers)
    expect(state).toEqual({ reads: 2, open: 0, maxOpen: 1 })
  })

  test('attack: wait for a turn of the address before a page is read, and before the response is written', async () => {
    const { state, driver } = createReader()
    const turns: unknown[][] = []
    const { answer } = create({
      driver,
      turns: {
        next: async (...taken) => {
          turns.push([...taken, state.reads])
          await turn()
        },
      },
    })
    await answer(fetches(2))
    expect(turns).toEqual([0, 1, 1, 2].map((reads) => ['192.0.2.1', 1024 * 1024, reads]))
  })

  test('run one at a time after an earlier read has ended', async () => {
    const { state, driver } = createReader()
    const { answer } = create({ driver })
    const [first, second] = [answer(fetches(1)), answer(fetches(1))]
    await first
    await Promise.all([second, answer(fetches(1))])
    expect(state).toEqual({ reads: 3, open: 0, maxOpen: 1 })
  })

  test('continue after a failed read', async () => {
    let fails = true
    const { answer, sender } = create({
      driver: {
        read: async () => {
          if (fails) throw new Error('no storage')
          return { messages: [], hasMore: false }
        },
      },
    })
    expect(await answer(fetches(1))).toMatchObject([{ error: { data: 'StorageError' } }])
    expect(sender.lastFetch).toBeUndefined()
    fails = false
    expect(await answer(fetches(1))).toMatchObject([{ result: { hasMore: false } }])
  })
})
