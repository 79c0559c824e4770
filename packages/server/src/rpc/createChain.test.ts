import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { Registry } from 'prom-client'
import { startUpstream, type Behavior } from '../testing/startUpstream.ts'
import { toBatch, type Call } from './batch.ts'
import { createRpcMetrics } from './createRpcMetrics.ts'
import { ChainUnavailableError, createChain, rpcTiming, type RpcTiming } from './createChain.ts'

type Upstream = Awaited<ReturnType<typeof startUpstream>>

const running: Upstream[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((upstream) => upstream.stop()))
})

/** Timeouts that are never reached, even on a busy machine. Tests of a timeout override them. */
const longTimeouts = { tryMs: 15_000, hedgeMs: 15_000, budgetMs: 18_000 }
const balance = [
  { method: 'eth_getBalance', params: ['0x0000000000000000000000000000000000000001', 'latest'] },
]
const raw = [{ method: 'eth_sendRawTransaction', params: ['0x02f86c01'] }]

async function start(
  behaviors: Behavior[],
  answer = (index: number): unknown => `0x${index}`,
  timing: Partial<RpcTiming> = {},
) {
  const upstreams: Upstream[] = []
  for (const [index, behavior] of behaviors.entries()) {
    const upstream = await startUpstream({ chainId: 1, head: 1_000, answer: () => answer(index) })
    upstream.behavior = behavior
    upstreams.push(upstream)
  }
  running.push(...upstreams)
  let time = 0
  const registry = new Registry()
  const metrics = createRpcMetrics(registry)
  const lines: string[] = []
  const chain = createChain({
    id: 'eip155:1',
    urls: upstreams.map(({ url }) => url),
    now: () => time,
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    metrics,
    timing: { ...longTimeouts, ...timing },
  })
  return { chain, upstreams, registry, metrics, lines, pass: (ms: number) => void (time += ms) }
}

test('calls are sent to the preferred upstream', async () => {
  const { chain, upstreams } = await start(['ok', 'ok'])
  expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
  expect(upstreams.map(({ bodies }) => bodies.length)).toEqual([1, 0])
})

describe('§7.12.1/4 another upstream is used if the first one', () => {
  test.each<[string, Behavior]>([
    ['limits the rate', { status: 429 }],
    ['fails', { status: 500 }],
    ['refuses access', { status: 403 }],
    ['does not respond', 'hang'],
    ['closes the connection', 'cut'],
    ['responds without JSON', 'bad_body'],
    ['responds with another id', 'wrong_id'],
    ['sends too large a response', 'too_large'],
  ])('%s', async (_name, behavior) => {
    const { chain, upstreams } = await start([behavior, 'ok'], undefined, { hedgeMs: 50 })
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
    expect(upstreams[1]!.bodies).toHaveLength(1)
  })

  test('is unreachable', async () => {
    const { chain, upstreams } = await start(['ok', 'ok'])
    await upstreams[0]!.stop()
    running.splice(0, 1)
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
  })
})

test('a slow read is also sent to the next upstream, and the first response wins', async () => {
  const { chain, upstreams } = await start([{ afterMs: 10_000 }, 'ok'], undefined, { hedgeMs: 50 })
  expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
  expect(upstreams.map(({ bodies }) => bodies.length)).toEqual([1, 1])
})

test('the reads of a client are forwarded in the same way', async () => {
  const answers = [{ afterMs: 10_000 }, 'ok'] satisfies Behavior[]
  const { chain, upstreams } = await start(answers, undefined, { hedgeMs: 50 })
  const batch = toBatch([...balance, ...balance])
  expect(await chain.forward(batch)).toEqual([{ result: '0x1' }, { result: '0x1' }])
  expect(upstreams.map(({ bodies }) => bodies.at(-1))).toEqual([batch.body, batch.body])
})

test('a slow response is still used if the next upstream fails meanwhile', async () => {
  const behaviors: Behavior[] = [{ afterMs: 500 }, { status: 500 }]
  const { chain, upstreams } = await start(behaviors, undefined, { hedgeMs: 20 })
  expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
  expect(upstreams.map(({ bodies }) => bodies.length)).toEqual([1, 1])
})

test('after a response, no other upstream gets the calls', async () => {
  const { chain, upstreams } = await start(['ok', 'ok', 'ok'], undefined, { hedgeMs: 1_000 })
  await chain.probe()
  upstreams[0]!.behavior = { afterMs: 10_000 }
  await chain.send(balance, { isRead: true })
  upstreams[0]!.behavior = 'ok'
  // A request to the third upstream would arrive before this probe ends.
  await chain.probe()
  expect(upstreams.map(({ bodies }) => bodies.length)).toEqual([1, 1, 0])
})

test('the forwarded methods are those of the namespace by default', () => {
  const shared = { id: 'eip155:1', urls: [], now: () => 0, log: createLog('silent') }
  const metrics = createRpcMetrics(new Registry())
  expect(createChain({ ...shared, metrics }).methods).toBe('eip155')
  expect(createChain({ ...shared, metrics, methods: 'bundler' }).methods).toBe('bundler')
})

test('a transaction is sent to one upstream at a time, even if it responds slowly', async () => {
  const { chain, upstreams } = await start([{ afterMs: 200 }, 'ok'], undefined, { hedgeMs: 20 })
  expect(await chain.send(raw, { isRead: false })).toEqual([{ result: '0x0' }])
  expect(upstreams[1]!.bodies).toHaveLength(0)
})

test('a transaction is sent to the next upstream with the same bytes if the first one closes the connection', async () => {
  const { chain, upstreams } = await start(['ok', 'ok'])
  await chain.probe()
  upstreams[0]!.behavior = 'cut'
  await chain.send(raw, { isRead: false })
  expect(upstreams[0]!.bodies).toEqual(upstreams[1]!.bodies)
  expect(upstreams[1]!.bodies[0]).toContain('"params":["0x02f86c01"]')
})

test('a reverted call is a response, not a failure', async () => {
  const error = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
  const { chain, upstreams } = await start(['ok', 'ok'], () => {
    throw error
  })
  expect(await chain.send([{ method: 'eth_call', params: [{}] }], { isRead: true })).toEqual([
    { error },
  ])
  expect(upstreams[1]!.bodies).toHaveLength(0)
})

test('a status 400 without a JSON-RPC body is a failure', async () => {
  const { chain } = await start([{ status: 400 }, 'ok'])
  expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
})

test('the replies to a batch are in the order of the calls, whatever order the upstream uses', async () => {
  let count = 0
  const { chain } = await start(['ok'], () => `0x${(count += 1)}`)
  const replies = await chain.send([...balance, ...balance, ...balance], { isRead: true })
  expect(replies).toEqual([{ result: '0x1' }, { result: '0x2' }, { result: '0x3' }])
})

test('an upstream that does not support batches gets single calls', async () => {
  const { chain, upstreams } = await start(['no_batch'])
  for (let count = 0; count < 2; count += 1)
    expect(await chain.send([...balance, ...balance], { isRead: true })).toHaveLength(2)
  // One rejected batch, then four single requests.
  expect(upstreams[0]!.bodies.map((body) => body.startsWith('['))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('attack: ten single calls in place of a batch have the time of one request', async () => {
  const { chain, upstreams } = await start(['no_batch'], undefined, { tryMs: 3_000 })
  await chain.probe()
  const calls = Array.from({ length: 30 }, () => balance[0]!)
  await chain.send(calls, { isRead: true })
  upstreams[0]!.behavior = { afterMs: 1_100 }
  await expect(chain.send(calls, { isRead: true })).resolves.toHaveLength(30)
})

test('attack: a refused batch disables batches for only a minute', async () => {
  const { chain, upstreams, pass } = await start(['no_batch'])
  await chain.send([...balance, ...balance], { isRead: true })
  upstreams[0]!.behavior = 'ok'
  pass(60_000)
  upstreams[0]!.bodies.length = 0
  await chain.send([...balance, ...balance], { isRead: true })
  expect(upstreams[0]!.bodies.map((body) => body.startsWith('['))).toEqual([true])
})

describe('after 20 failed requests, other requests succeed', () => {
  test.each<[string, Behavior, methods: string[]]>([
    ['have responses that are too large', 'too_large', ['eth_getBalance']],
    ['are too large', { status: 413 }, ['eth_getBalance']],
    ['are refused without a JSON body', { status: 400 }, ['eth_getBalance']],
    ['take too long', 'slow_calls', ['eth_call']],
    ['take too long because of one call', 'slow_calls', ['eth_getBalance', 'eth_call']],
    ['make the node fail', { status: 500, only: 'eth_getCode' }, ['eth_getCode']],
  ])('attack: requests that %s', async (_name, behavior, methods) => {
    const timing = behavior === 'slow_calls' ? { tryMs: 400 } : {}
    const { chain, upstreams } = await start([behavior, behavior], undefined, timing)
    await chain.probe()
    const bad = methods.map((method) => ({ method, params: [{}, 'latest'] }))
    const attacks = Array.from({ length: 20 }, () => chain.send(bad, { isRead: true }))
    const outcomes = await Promise.allSettled(attacks)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    for (const upstream of upstreams) upstream.behavior = 'ok'
    expect(chain.status()).toEqual({ up: 2, total: 2 })
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
  })
})

test('attack: timeouts of expensive calls cause no check, which could fail because of them', async () => {
  const { chain, upstreams } = await start(['slow_calls'], undefined, { tryMs: 400 })
  await chain.probe()
  const call = [{ method: 'eth_call', params: [{}, 'latest'] }]
  const attacks = Array.from({ length: 5 }, () => chain.send(call, { isRead: true }))
  await Promise.allSettled(attacks)
  await chain.probe()
  expect(upstreams[0]!.bodies).toHaveLength(10)
  expect(upstreams[0]!.bodies.join()).not.toContain('eth_getBalance')
})

describe('an upstream whose latest block is far behind', () => {
  test('attack: gets no calls until it catches up', async () => {
    const { chain, upstreams, lines } = await start(['ok', 'ok'])
    upstreams[0]!.head = 800
    await chain.probe()
    expect(chain.status()).toEqual({ up: 1, total: 2 })
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
    expect(lines.join('')).toContain('an upstream is stale')
    upstreams[0]!.head = 950
    await chain.probe()
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
  })

  test('attack: still gets calls if only one of three upstreams claims a much later block', async () => {
    const { chain, upstreams } = await start(['ok', 'ok', 'ok'])
    upstreams[2]!.head = 9_000_000
    await chain.probe()
    expect(chain.status()).toEqual({ up: 3, total: 3 })
  })
})

test('error: rejects within the time budget if no upstream responds', async () => {
  const { chain } = await start(['hang', { status: 500 }, 'bad_body'], undefined, { budgetMs: 300 })
  // A single attempt would take 15 s, so only the budget can end the call.
  await expect(chain.send(balance, { isRead: true })).rejects.toThrow(ChainUnavailableError)
  expect(rpcTiming.budgetMs).toBeLessThan(9_000)
})

/** Sends five calls, which open the breaker of the first upstream. */
async function sendUntilOpen(
  { chain }: Awaited<ReturnType<typeof start>>,
  calls: Call[] = balance,
) {
  const { total } = chain.status()
  for (let count = 0; count < 5; count += 1)
    await chain.send(calls, { isRead: true }).catch(() => {})
  // The check runs in the background.
  await expect.poll(() => chain.status().up).toBeLessThan(total)
}

describe('an upstream that fails five calls and a check', () => {
  test('is skipped, and gets calls again after a check', async () => {
    const started = await start([{ status: 500 }, 'ok'])
    const { chain, upstreams, pass } = started
    await sendUntilOpen(started)
    // The check is a call too.
    expect(upstreams[0]!.bodies).toHaveLength(6)
    await chain.send(balance, { isRead: true })
    expect(upstreams[0]!.bodies).toHaveLength(6)
    upstreams[0]!.behavior = 'ok'
    pass(5_000)
    await chain.send(balance, { isRead: true })
    await expect.poll(() => chain.status()).toEqual({ up: 2, total: 2 })
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
  })

  test('is skipped for another five seconds if the next check fails', async () => {
    const started = await start([{ status: 500 }, 'ok'])
    const { chain, upstreams, pass } = started
    await sendUntilOpen(started)
    pass(5_000)
    await chain.send(balance, { isRead: true })
    await chain.probe()
    const checks = upstreams[0]!.bodies.length
    await chain.send(balance, { isRead: true })
    expect([checks, upstreams[0]!.bodies.length]).toEqual([7, 7])
  })

  test('gets a call after a check if the only other upstream fails', async () => {
    const started = await start([{ status: 500 }, 'ok'])
    const { chain, upstreams, pass } = started
    await sendUntilOpen(started)
    upstreams[0]!.behavior = 'ok'
    upstreams[1]!.behavior = { status: 500 }
    pass(5_000)
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
  })

  test('error: gets no call if the check fails', async () => {
    const started = await start([{ status: 500 }])
    const { chain, upstreams, pass } = started
    await sendUntilOpen(started)
    upstreams[0]!.bodies.length = 0
    pass(5_000)
    await expect(chain.send(balance, { isRead: true })).rejects.toThrow(ChainUnavailableError)
    // The check.
    expect(upstreams[0]!.bodies).toHaveLength(1)
  })

  test('gets calls again after the probe of each minute', async () => {
    const started = await start([{ status: 500 }, 'ok'])
    const { chain, upstreams, pass } = started
    await sendUntilOpen(started)
    upstreams[0]!.behavior = 'ok'
    pass(5_000)
    await chain.probe()
    expect(chain.status()).toEqual({ up: 2, total: 2 })
  })

  test('is used at once after a check if there is no other upstream', async () => {
    const started = await start([{ status: 500 }])
    const { chain, upstreams, pass } = started
    await sendUntilOpen(started)
    upstreams[0]!.behavior = 'ok'
    upstreams[0]!.bodies.length = 0
    pass(5_000)
    const sent = [1, 2, 3].map(() => chain.send(balance, { isRead: true }))
    expect((await Promise.all(sent)).flat()).toEqual([1, 2, 3].map(() => ({ result: '0x0' })))
    // One check for the three calls.
    expect(upstreams[0]!.bodies).toHaveLength(4)
  })

  test('attack: gets calls again although a client sends slow calls', async () => {
    const started = await start(['cut'], undefined, { tryMs: 400 })
    const { chain, upstreams, pass } = started
    upstreams[0]!.behavior = 'ok'
    await chain.probe()
    upstreams[0]!.behavior = { status: 500 }
    await sendUntilOpen(started)
    upstreams[0]!.behavior = 'slow_calls'
    pass(5_000)
    const slow = chain.send([{ method: 'eth_call', params: [{}] }], { isRead: true })
    const outcome = slow.catch((error: unknown) => error)
    await expect(chain.send(balance, { isRead: true })).resolves.toEqual([{ result: '0x0' }])
    expect(await outcome).toBeInstanceOf(ChainUnavailableError)
    await expect(chain.send(balance, { isRead: true })).resolves.toEqual([{ result: '0x0' }])
  })
})

test.each([
  ['eip155:1', undefined, 'eth_getBalance', [`0x${'0'.repeat(40)}`, 'latest']],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', undefined, 'getBalance', ['1'.repeat(32)]],
  ['bip122:000000000019d6689c085ae165831e93', undefined, 'getblockcount', []],
  ['eip155:1', 'bundler', 'eth_supportedEntryPoints', []],
  ['eip155:1', 'bundler with paymaster', 'eth_supportedEntryPoints', []],
])('an upstream of %s (%s) is checked with %s', async (id, methods, method, params) => {
  const genesis = id.replace('solana:', '')
  const upstream = await startUpstream({
    chainId: 1,
    answer: (called) => {
      if (called === 'getGenesisHash') return genesis
      throw { code: -32_601, message: 'unknown method' }
    },
  })
  running.push(upstream)
  const chain = createChain({
    id,
    methods,
    urls: [upstream.url],
    now: () => 0,
    log: createLog('silent'),
    metrics: createRpcMetrics(new Registry()),
    timing: longTimeouts,
  })
  await chain.probe()
  upstream.behavior = { status: 500, only: 'failing' }
  for (let count = 0; count < 3; count += 1)
    await expect(chain.send([{ method: 'failing' }], { isRead: true })).rejects.toThrow(id)
  const checked = expect.objectContaining({ method, params }) as object
  await expect
    .poll(() => upstream.bodies.map((body) => JSON.parse(body) as object))
    .toContainEqual(checked)
  // An error is a response.
  expect(chain.status()).toEqual({ up: 1, total: 1 })
})

describe('an upstream that serves another chain', () => {
  test('gets no calls', async () => {
    const { chain, upstreams, lines } = await start(['ok', 'ok'])
    upstreams[0]!.chainId = 137
    await chain.probe()
    expect(chain.status()).toEqual({ up: 1, total: 2 })
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
    expect(upstreams[0]!.bodies).toHaveLength(0)
    expect(lines.join('')).toContain('serves another chain')
  })

  test('is detected before the first call if the probe could not reach the upstream', async () => {
    const { chain, upstreams } = await start(['hang', 'ok'], undefined, { tryMs: 1_000 })
    await chain.probe()
    upstreams[0]!.behavior = 'ok'
    upstreams[0]!.chainId = 137
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x1' }])
    expect(upstreams[0]!.bodies).toHaveLength(0)
  })

  test('gets no calls from the next probe on, until its chain id is correct again', async () => {
    const { chain, upstreams } = await start(['ok', 'ok'])
    await chain.send(balance, { isRead: true })
    upstreams[0]!.chainId = 137
    await chain.probe()
    await chain.send(balance, { isRead: true })
    expect(upstreams.map(({ bodies }) => bodies.length)).toEqual([1, 1])
    upstreams[0]!.chainId = 1
    await chain.probe()
    await chain.send(balance, { isRead: true })
    expect(upstreams[0]!.bodies).toHaveLength(2)
  })
})

test('logs and metrics contain the host but not the path, which may contain a key', async () => {
  const { upstreams, registry, metrics, lines } = await start([{ status: 500 }])
  const secret = createChain({
    id: 'eip155:1',
    urls: [`${upstreams[0]!.url}/v3/hunter2hunter2`],
    now: () => 0,
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    metrics,
  })
  await expect(secret.send(balance, { isRead: true })).rejects.toThrow(ChainUnavailableError)
  const texts = [lines.join(''), await registry.metrics()]
  for (const text of texts) expect(text).toContain(new URL(upstreams[0]!.url).host)
  expect(texts.join('')).not.toContain('hunter2')
})

test('large integers in responses from non-EVM chains are preserved', async () => {
  const { createServer } = await import('node:http')
  const server = createServer((_, response) => {
    response.end(
      '{"jsonrpc":"2.0","id":1,"result":{"rentEpoch":18446744073709551615,"lamports":12}}',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const chain = createChain({
    id: 'bip122:000000000019d6689c085ae165831e93',
    urls: [`http://127.0.0.1:${port}`],
    now: () => 0,
    log: createLog('silent'),
    metrics: createRpcMetrics(new Registry()),
  })
  const replies = await chain.send([{ method: 'getAccountInfo' }], { isRead: true })
  expect(JSON.stringify(replies)).toBe(
    '[{"result":{"rentEpoch":18446744073709551615,"lamports":12}}]',
  )
  await new Promise((resolve) => server.close(resolve))
})

describe('a Solana chain', () => {
  const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

  async function startSolana(reference: string, answer: (params: unknown[]) => unknown) {
    const upstream = await startUpstream({
      answer: (method, params) => (method === 'getGenesisHash' ? answer(params) : method),
    })
    running.push(upstream)
    const lines: string[] = []
    const chain = createChain({
      id: `solana:${reference}`,
      urls: [upstream.url],
      now: () => 0,
      log: createLog('debug', { write: (line) => void lines.push(line) }),
      metrics: createRpcMetrics(new Registry()),
      timing: longTimeouts,
    })
    return { chain, lines }
  }

  test('is recognized by the start of its genesis hash', async () => {
    const asked: unknown[] = []
    const right = await startSolana(genesis.slice(0, 32), (params) => {
      asked.push(params)
      return genesis
    })
    expect(await right.chain.send([{ method: 'getSlot' }], { isRead: true })).toEqual([
      { result: 'getSlot' },
    ])
    expect([right.chain.status().up, asked, right.lines]).toEqual([1, [[]], []])
    const wrong = await startSolana(genesis.slice(-32), () => genesis)
    await wrong.chain.probe()
    expect(wrong.chain.status().up).toBe(0)
  })

  test('skips an upstream whose latest slot is far behind', async () => {
    const slots = [1_000, 100]
    const asked: unknown[] = []
    const upstreams = await Promise.all(
      slots.map((slot) =>
        startUpstream({
          answer: (method, params) => {
            asked.push(params)
            return method === 'getSlot' ? slot : genesis
          },
        }),
      ),
    )
    running.push(...upstreams)
    const chain = createChain({
      id: `solana:${genesis.slice(0, 32)}`,
      urls: upstreams.map(({ url }) => url),
      now: () => 0,
      log: createLog('silent'),
      metrics: createRpcMetrics(new Registry()),
      timing: longTimeouts,
    })
    await chain.probe()
    expect(chain.status()).toEqual({ up: 1, total: 2 })
    expect(asked).toEqual([[], [], [], []])
  })

  test('error: rejects calls while the upstream’s genesis hash is unknown', async () => {
    const { chain, lines } = await startSolana(genesis.slice(0, 32), () => {
      throw { code: -32_000, message: 'starting' }
    })
    await expect(chain.send([{ method: 'getSlot' }], { isRead: true })).rejects.toThrow(
      ChainUnavailableError,
    )
    expect(lines.join('')).toContain('"reason":"no_chain_id"')
  })
})

test('parallel calls request an upstream’s chain id only once', async () => {
  const { chain, upstreams } = await start(['ok'])
  await Promise.all([1, 2, 3].map(() => chain.send(balance, { isRead: true })))
  expect([upstreams[0]!.probes, upstreams[0]!.bodies.length]).toEqual([1, 3])
})

test('an upstream that serves another chain is logged once, with its chain id', async () => {
  const { chain, upstreams, lines } = await start(['ok'])
  await chain.probe()
  expect(lines).toEqual([])
  upstreams[0]!.chainId = 137
  await chain.probe()
  expect(lines).toHaveLength(1)
  await chain.probe()
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { chain: 'eip155:1', host: new URL(upstreams[0]!.url).host, actual: '0x89' },
  ])
})

test('large integers in responses from EVM chains are parsed as numbers', async () => {
  const { chain } = await start(['ok'], () => 2 ** 64)
  expect(await chain.send(balance, { isRead: true })).toEqual([{ result: 2 ** 64 }])
})

test('attack: an aborted call to a slow upstream does not count as a failure of the upstream', async () => {
  const behaviors = [{ afterMs: 10_000 }, 'ok'] satisfies Behavior[]
  const { chain, registry, lines } = await start(behaviors, undefined, { hedgeMs: 5 })
  for (let count = 0; count < 6; count += 1) await chain.send(balance, { isRead: true })
  await new Promise(setImmediate)
  expect([chain.status(), lines]).toEqual([{ up: 2, total: 2 }, []])
  expect(await registry.metrics()).toMatch(/outcome="ok"\} 6/)
})

test('attack: a response for which there is no room is not requested from another upstream', async () => {
  const { chain, upstreams } = await start(['ok', 'ok'], () => 'x'.repeat(100_000))
  const meter = { add: () => false, turn: () => undefined }
  await expect(chain.send(balance, { isRead: true, meter })).rejects.toThrow(
    'Too many large responses at the same time.',
  )
  expect(upstreams.map(({ bodies }) => bodies.length)).toEqual([1, 0])
})

describe('the latest blocks', () => {
  test('of an upstream on another chain do not count', async () => {
    const { chain, upstreams } = await start(['ok', 'ok'])
    Object.assign(upstreams[0]!, { chainId: 137, head: 9_000_000 })
    await chain.probe()
    expect(chain.status()).toEqual({ up: 1, total: 2 })
    expect(upstreams[0]!.headProbes).toBe(0)
  })

  test('are not requested if there is only one upstream', async () => {
    const { chain, upstreams } = await start(['ok'])
    await chain.probe()
    expect(upstreams[0]!.headProbes).toBe(0)
  })

  test('error: do not change the state of an upstream that does not report its latest block', async () => {
    const { chain, upstreams } = await start(['ok', 'ok'])
    await chain.probe()
    upstreams[0]!.behavior = 'cut'
    await chain.probe()
    expect(chain.status()).toEqual({ up: 2, total: 2 })
  })
})

describe('an upstream whose latest block is behind', () => {
  test.each([
    [100, 2],
    [101, 1],
  ])('by %i blocks: %i of 2 upstreams get calls', async (blocks, up) => {
    const { chain, upstreams } = await start(['ok', 'ok'])
    upstreams[0]!.head = 1_000 - blocks
    await chain.probe()
    expect(chain.status()).toEqual({ up, total: 2 })
  })

  test('is compared with the only other one that responds', async () => {
    const { chain, upstreams } = await start(['ok', 'ok', 'ok'])
    await chain.probe()
    upstreams[1]!.behavior = 'cut'
    upstreams[2]!.head = 800
    await chain.probe()
    expect(chain.status()).toEqual({ up: 2, total: 3 })
  })

  test('still gets no calls if it then stops reporting its latest block', async () => {
    const { chain, upstreams } = await start(['ok', 'ok'])
    upstreams[0]!.head = 800
    await chain.probe()
    upstreams[0]!.behavior = 'cut'
    await chain.probe()
    expect(chain.status()).toEqual({ up: 1, total: 2 })
  })

  test('is logged once, with the blocks', async () => {
    const { chain, upstreams, lines } = await start(['ok', 'ok'])
    upstreams[0]!.head = 800
    await chain.probe()
    await chain.probe()
    const { host } = new URL(upstreams[0]!.url)
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ chain: 'eip155:1', host, head: 800, reference: 1_000 }),
    ])
  })
})

test('an upstream that served another chain gets calls at once when its chain id is correct', async () => {
  const { chain, upstreams, lines } = await start(['ok', 'ok'])
  upstreams[0]!.chainId = 137
  await chain.probe()
  lines.length = 0
  for (let count = 0; count < 6; count += 1) await chain.send(balance, { isRead: true })
  expect(lines).toEqual([])
  upstreams[0]!.chainId = 1
  await chain.probe()
  expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
})

describe('a single upstream', () => {
  test('is tried again if its connection breaks', async () => {
    const { chain, upstreams } = await start(['ok'])
    await chain.probe()
    const [upstream] = upstreams
    Object.defineProperty(upstream, 'behavior', {
      get: () => (upstream!.bodies.length === 1 ? 'cut' : 'ok'),
    })
    expect(await chain.send(raw, { isRead: false })).toEqual([{ result: '0x0' }])
    expect(upstream!.bodies).toHaveLength(2)
  })

  test('gets a slow read only once', async () => {
    const { chain, upstreams } = await start([{ afterMs: 100 }], undefined, { hedgeMs: 10 })
    expect(await chain.send(balance, { isRead: true })).toEqual([{ result: '0x0' }])
    expect(upstreams[0]!.bodies).toHaveLength(1)
  })

  test('error: gets no calls after its circuit breaker has opened', async () => {
    const started = await start([{ status: 500 }])
    const { chain, upstreams } = started
    await sendUntilOpen(started)
    const count = upstreams[0]!.bodies.length
    await expect(chain.send(balance, { isRead: true })).rejects.toMatchObject({
      name: 'ChainUnavailableError',
      message: expect.stringContaining('eip155:1') as string,
      code: 'rpc.unavailable',
      docsPath: 'docs/gateway.md',
    })
    expect(upstreams[0]!.bodies).toHaveLength(count)
  })
})

test('an upstream that does not respond to five cheap calls is skipped', async () => {
  const started = await start(['ok', 'ok'], undefined, { tryMs: 500 })
  const { chain, upstreams } = started
  await chain.probe()
  upstreams[0]!.behavior = { afterMs: 10_000 }
  await sendUntilOpen(started)
  await chain.send(balance, { isRead: true })
  expect(upstreams[0]!.bodies).toHaveLength(6)
})

test('an upstream that fails five expensive calls is skipped', async () => {
  const started = await start([{ status: 500 }, 'ok'])
  await sendUntilOpen(started, [{ method: 'eth_call', params: [{}, 'latest'] }])
  expect(started.upstreams[0]!.bodies).toHaveLength(6)
})

test('after the first upstream fails, a read is sent to the third only if the second is slow', async () => {
  const { chain, upstreams } = await start(['ok', 'ok', 'ok'], undefined, { hedgeMs: 1_000 })
  await chain.probe()
  for (const upstream of upstreams.slice(0, 2)) upstream.behavior = 'hang'
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const received = () => upstreams.map(({ bodies }) => bodies.length)
  // `expect.poll` would advance the fake time.
  const receivedBy = async (index: number) => {
    while (received()[index] === 0) await new Promise(setImmediate)
  }
  const replies = chain.send(balance, { isRead: true })
  await receivedBy(0)
  await vi.advanceTimersByTimeAsync(900)
  await running.shift()!.stop()
  await receivedBy(1)
  await vi.advanceTimersByTimeAsync(999)
  expect(received()).toEqual([1, 1, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect(await replies).toEqual([{ result: '0x2' }])
})

test('before the first probe, no upstream counts as available', async () => {
  const { chain } = await start(['ok', 'ok'])
  expect([chain.id, chain.namespace, chain.status()]).toEqual([
    'eip155:1',
    'eip155',
    { up: 0, total: 2 },
  ])
})

test('a read is sent to the next upstream after 1 s, and aborted after 2.5 s', () => {
  expect(rpcTiming).toEqual({ tryMs: 2_500, hedgeMs: 1_000, budgetMs: 8_500 })
})
