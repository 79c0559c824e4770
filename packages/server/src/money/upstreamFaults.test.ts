import { accounts, addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestGateway.ts'
import { startFaultyProxy, type Fault } from '../testing/startFaultyProxy.ts'

/** Official clients abort a request after this time. */
const clientMs = 10_000
const working = 'eip155:31337'
const [mira, tomas] = accounts

/** Faults after which nothing can be read. */
const dead: Fault[] = [
  'hangs',
  'has the status 429',
  'has the status 500',
  'sends a page',
  'cuts responses',
  'sends half of the JSON',
  'sends errors',
  'sends other types',
  'serves another chain',
]
/**
 * Each fault has a separate chain, whose only upstream is a proxy in front of
 * the node of the working chain.
 */
const faults: Fault[] = [...dead, 'is slow', 'sends huge numbers']
const idOf = (fault: Fault) => `eip155:${40_000 + faults.indexOf(fault)}`

let chain: Chain
let server: TestServer
let now = Date.now()
const proxies = new Map<Fault, Awaited<ReturnType<typeof startFaultyProxy>>>()

beforeAll(async () => {
  chain = await startChain()
  for (const [index, fault] of faults.entries())
    proxies.set(fault, await startFaultyProxy({ url: chain.url, chainId: 40_000 + index }))
  // The server requests the chain id when it starts.
  proxies.get('serves another chain')!.fault = 'serves another chain'
  const urls = faults.map((fault) => [idOf(fault), [proxies.get(fault)!.url]])
  const data = [...faults.map(idOf), working].map((id) => [id, chainData[working]])
  server = await createTestServer(
    ['money'],
    {
      rpcUrls: { ...Object.fromEntries(urls), [working]: [chain.url] } as Record<string, string[]>,
      chains: Object.fromEntries(data) as typeof chainData,
      history: { [idOf('hangs')]: 'rpc' },
      ipBurst: 1_000_000,
      projectBurst: 1_000_000,
    },
    // The RPC budget is longer than clients wait, so only the time limits of the responses can keep a request within
    // that time.
    { now: () => now, rpcTiming: { tryMs: 6_000, hedgeMs: 1_000, budgetMs: 20_000 } },
  )
  const hasTransactions = async () => {
    const { data } = (await get(history)).body as { data: unknown[] }
    if (data.length === 0) throw new Error('The history is empty.')
  }
  await vi.waitFor(hasTransactions, { timeout: 60_000 })
  // Earlier prices are too old to be used.
  now += 11 * 60_000
  for (const [fault, proxy] of proxies) proxy.fault = fault
})
afterAll(async () => {
  await server?.stop()
  for (const proxy of proxies.values()) await proxy.stop()
  await chain?.stop()
})

type Answer = { status: number; ms: number; body: Record<string, unknown> }

async function get(path: string, init?: RequestInit): Promise<Answer> {
  const begin = performance.now()
  const { status, body } = await server.json(path, init)
  return { status, ms: performance.now() - begin, body }
}

const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

/**
 * Sends requests that read a chain, all at the same time. @returns the
 * responses by name.
 */
async function readAll(id: string): Promise<Record<string, Answer>> {
  const ether = `${id}:${nativeTokenAddress}`
  const usdc = `${id}:${addresses.usdc}`
  const user = `${id}:${tomas.address}`
  const amount = '1000000000000000'
  const swap = { from: ether, to: usdc, amount, userAddress: user }
  const quote = `from=${ether}&to=${usdc}&amount=${amount}&userAddress=${tomas.address}`
  const registration = {
    coin_type: 0x80000000 + Number(id.split(':')[1]),
    address: tomas.address,
    message: JSON.stringify({
      name: 'keeper.gatefold.alt',
      attributes: {},
      timestamp: Math.floor(now / 1_000),
    }),
    // Not a key's signature, so that the contract at the address is called.
    signature: `0x${'12'.repeat(65)}`,
  }
  const requests: Record<string, [path: string, init?: RequestInit]> = {
    balance: [`/v1/account/${tomas.address}/balance?chainId=${id}`],
    nfts: [`/v1/account/${tomas.address}/nfts?chainId=${id}`],
    quotes: [`/v1/convert/quotes?${quote}`],
    allowance: [`/v1/convert/allowance?tokenAddress=${usdc}&userAddress=${user}`],
    'gas price': [`/v1/convert/gas-price?chainId=${id}`],
    approval: [`/v1/convert/build-approve?from=${usdc}&to=${ether}&userAddress=${user}`],
    swap: ['/v1/convert/build-transaction', post(swap)],
    price: ['/v1/fungible/price', post({ addresses: [ether] })],
    registration: ['/v1/profile/account', post(registration)],
  }
  const answers = Object.entries(requests).map(async ([name, request]) => [
    name,
    await get(...request),
  ])
  return Object.fromEntries(await Promise.all(answers)) as Record<string, Answer>
}

test.each([
  ['a wrong checksum', `0x${'aB'.repeat(20)}`],
  ['another prefix', `0X${'ab'.repeat(20)}`],
])('error: an address with %s is refused, whatever the node does', async (_what, address) => {
  const account = `${working}:${address}`
  const usdc = `${working}:${addresses.usdc}`
  const ether = `${working}:${nativeTokenAddress}`
  const registration = {
    projectId: 'default',
    coin_type: 2_147_483_648 + 31_337,
    address,
    message: JSON.stringify({
      name: 'keeper.gatefold.alt',
      attributes: {},
      timestamp: Math.floor(now / 1_000),
    }),
    signature: `0x${'12'.repeat(65)}`,
  }
  for (const [path, init] of [
    [`/v1/convert/allowance?tokenAddress=${usdc}&userAddress=${account}`],
    [`/v1/convert/build-approve?from=${usdc}&to=${ether}&userAddress=${account}`],
    ['/v1/profile/account', post(registration)],
  ] as [path: string, init?: RequestInit][]) {
    const { body, status } = await get(path, init)
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(400)
    expect(body['reasons'], path).toMatchObject([{ field: 'address' }])
  }
})

const history = `/v1/account/${mira.address}/history?chainId=${idOf('hangs')}`

describe('if the only upstream of a chain', () => {
  test.each(dead)('%s, every response comes in time and names the chain', async (fault) => {
    for (const [name, { body, ms, status }] of Object.entries(await readAll(idOf(fault)))) {
      expect(ms, name).toBeLessThan(clientMs)
      expect(status, `${name}: ${JSON.stringify(body)}`).toBe(503)
      expect(body['reasons'], name).toMatchObject([{ field: 'chainId' }])
    }
  })

  test('hangs, an identity is unknown rather than empty', async () => {
    const { ms, status } = await get(`/v1/identity/${tomas.address}`)
    expect(status).toBe(503)
    expect(ms).toBeLessThan(clientMs)
  })

  test('hangs, a history is returned without prices and lists them as missing', async () => {
    const { body, ms, status } = await get(history)
    expect(status).toBe(200)
    expect(body['missing']).toEqual(['prices'])
    expect(body['data']).not.toHaveLength(0)
    expect(ms).toBeLessThan(clientMs)
  })

  test('breaks, balances and prices of another chain are returned, and the others are listed as missing', async () => {
    const balance = await get(`/v1/account/${mira.address}/balance`)
    expect(balance.status).toBe(200)
    expect(balance.body['missing']).toContain('balances')
    expect(balance.body['balances']).toContainEqual(
      expect.objectContaining({ symbol: 'ETH', chainId: working }),
    )
    const both = [idOf('hangs'), working].map((id) => `${id}:${nativeTokenAddress}`)
    const price = await get('/v1/fungible/price', post({ addresses: both }))
    expect(price.status).toBe(200)
    expect(price.body['missing']).toEqual(['prices'])
    expect(price.body['fungibles']).toMatchObject([{ symbol: 'ETH' }])
    for (const { ms } of [balance, price]) expect(ms).toBeLessThan(clientMs)
  })

  test('breaks, registered names are still found', async () => {
    expect(await get('/v1/profile/account/keeper')).toMatchObject({ status: 404 })
    const reverse = `/v1/profile/reverse/${mira.address}?apiVersion=2`
    expect(await get(reverse)).toMatchObject({ status: 200, body: [] })
  })

  test('takes two seconds for each call, every response comes in time and lists what is missing', async () => {
    const answers = await readAll(idOf('is slow'))
    // These need several calls, one after another.
    const parts: Record<string, string[]> = { balance: ['prices'], nfts: ['metadata'] }
    for (const [name, { body, ms, status }] of Object.entries(answers)) {
      expect(ms, name).toBeLessThan(clientMs)
      // The signature is wrong.
      expect(status, `${name}: ${JSON.stringify(body)}`).toBe(name === 'registration' ? 401 : 200)
      expect([undefined, parts[name]], name).toContainEqual(body['missing'])
    }
  })

  test('sends huge numbers, no request fails and no amount has an exponent', async () => {
    const answers = await readAll(idOf('sends huge numbers'))
    for (const [name, { body, ms, status }] of Object.entries(answers)) {
      expect(ms, name).toBeLessThan(clientMs)
      expect([200, 400, 401, 503], `${name}: ${JSON.stringify(body)}`).toContain(status)
      expect(JSON.stringify(body), name).not.toMatch(/"\d[\d.]*e[+-]?\d+"/)
    }
  })
})
