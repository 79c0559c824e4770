import type { ServerResponse } from 'node:http'
import {
  accounts,
  addresses,
  chainData,
  setSettlers,
  startChain,
  startSwapVendor,
  usdcAbi,
  type Chain,
  type SwapVendor,
  receiptOf,
} from '@gatefold/chain'
import {
  nativeTokenAddress,
  type QuotesResponse,
  type TransactionResponse,
} from '@gatefold/protocol/gateway'
import {
  createTestClient,
  decodeFunctionData,
  erc20Abi,
  http,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig, type Config } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startOlderNode } from '../../testing/startOlderNode.ts'

const id = 'eip155:31337'
const [mira, tomas] = accounts
const ether = `${id}:${nativeTokenAddress}`
const usdc = `${id}:${addresses.usdc}`
const book = `${id}:${addresses.book}`
const user = `${id}:${mira.address}`
const stranger: Address = '0x00000000000000000000000000000000000000aa'

let chain: Chain
let vendor: SwapVendor
let older: Awaited<ReturnType<typeof startOlderNode>>
let now = Date.now()
let snapshot: Hex
const servers: TestServer[] = []
beforeAll(async () => {
  chain = await startChain()
  vendor = await startSwapVendor(chain)
  older = await startOlderNode(chain.url)
})
afterAll(async () => {
  await older?.stop()
  await vendor?.stop()
  await chain?.stop()
})
beforeEach(async () => {
  snapshot = await chain.snapshot()
  vendor.requests.length = 0
  vendor.forge = {}
  vendor.change = ({ body }) => body
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  await chain.revert(snapshot)
})

type Source = '0x' | '1inch'
const sources: Source[] = ['0x', '1inch']

const localData = () => {
  const { allowanceHolder, settlers, router } = vendor.contracts
  return { ...chainData[id], zeroEx: { allowanceHolder, settlers }, oneInch: { router } }
}

function readSwaps(swaps: object, data: object = localData()) {
  const env = {
    GATEFOLD_SWAPS: JSON.stringify(swaps),
    GATEFOLD_CHAINS: JSON.stringify({ [id]: data }),
  }
  const { chains, swaps: parsed } = readConfig(env)
  return { chains, swaps: parsed }
}

async function start(source: Source, more: Partial<Config> = {}): Promise<TestServer> {
  const { key, url } = vendor
  const read = readSwaps({ chains: { [id]: source }, [source]: { url, key } })
  const config = { rpcUrls: { [id]: [chain.url] }, ...read, ...more }
  const server = await createTestServer(['money'], config, { now: () => now })
  servers.push(server)
  return server
}

/** Starts a server that cannot simulate a swap, and relies on the vendor's call. */
const startWithoutSimulation = (source: Source) => start(source, { rpcUrls: { [id]: [older.url] } })

function createUser(account: { privateKey: Hex } = mira) {
  return createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(account.privateKey),
    transport: http(chain.url),
    pollingInterval: 20,
  })
    .extend(walletActions)
    .extend(publicActions)
}

async function read(server: TestServer, path: string, query: Record<string, string>) {
  return server.json(`${path}?${new URLSearchParams(query).toString()}`)
}

async function quote(server: TestServer, from = ether, to = usdc, amount = parseEther('1')) {
  const query = { from, to, amount: String(amount), userAddress: mira.address }
  const { status, body } = await read(server, '/v1/convert/quotes', query)
  return { status, body: body as QuotesResponse }
}

async function build(server: TestServer, body: Record<string, unknown> = {}) {
  const answer = await server.json('/v1/convert/build-transaction', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      from: ether,
      to: usdc,
      amount: String(parseEther('1')),
      eip155: { slippage: 1 },
      userAddress: user,
      ...body,
    }),
  })
  return { ...answer, body: answer.body as TransactionResponse & { reasons: { code: string }[] } }
}

async function approve(server: TestServer, token: string, amount: bigint) {
  const query = { userAddress: user, from: token, to: ether, amount: String(amount) }
  const { body } = await read(server, '/v1/convert/build-approve', query)
  await send(body, (body as TransactionResponse).tx.from)
  return (body as TransactionResponse).tx.data as Hex
}

async function send({ tx }: TransactionResponse, to = tx.to) {
  const client = createUser()
  const hash = await client.sendTransaction({
    chain: null,
    to: to.split(':')[2] as Address,
    data: tx.data as Hex,
    value: BigInt(tx.value),
  })
  return receiptOf(client, hash)
}

async function balanceOf(token: Address, owner: Address = mira.address) {
  return createUser().readContract({
    address: token,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [owner],
  })
}

describe.each(sources)('%s', (source) => {
  const spender = () =>
    source === '0x' ? vendor.contracts.allowanceHolder : vendor.contracts.router

  test('§7.8.5 quotes an amount; the service learns the tokens and the amount, but not the account', async () => {
    const { status, body } = await quote(await start(source))
    expect(status).toBe(200)
    const [best, ...others] = body.quotes
    expect(others).toEqual([])
    expect(best).toMatchObject({
      fromAmount: String(parseEther('1')),
      fromAccount: ether,
      toAccount: usdc,
      route: [ether, usdc],
      fee: 0,
      gas: '250000',
      hasDeadline: false,
    })
    expect(Number(best!.toAmount) / 1e6).toBeCloseTo(2745, -2)
    expect(best!.priceImpact).toBeLessThan(1)
    expect(vendor.requests).toHaveLength(1)
    expect(JSON.stringify(vendor.requests).toLowerCase()).not.toContain(
      mira.address.toLowerCase().slice(2),
    )
  })

  test('§7.8.10 a swap of the native currency pays at least the minimum', async () => {
    const server = await start(source)
    const { body: quotes } = await quote(server)
    const before = await balanceOf(addresses.usdc)
    const { status, body } = await build(server)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.tx.value).toBe(String(parseEther('1')))
    const receipt = await send(body)
    expect(receipt.status).toBe('success')
    expect(receipt.gasUsed).toBeLessThan(BigInt(body.tx.eip155.gas))
    const got = (await balanceOf(addresses.usdc)) - before
    expect(got).toBe(BigInt(quotes.quotes[0]!.toAmount))
  })

  test('§7.8.8 §7.8.11 a swap of a token needs an allowance of exactly its amount for the source’s contract', async () => {
    const server = await start(source)
    const amount = parseUnits('500', 6)
    const swap = { from: usdc, to: ether, amount: String(amount) }
    const early = await build(server, swap)
    expect(early.status).toBe(400)
    expect(early.body.reasons).toEqual([
      {
        field: 'userAddress',
        description:
          'the router may not spend this amount: the allowance or the balance is too small',
        code: 'low_allowance',
      },
    ])
    const approval = await approve(server, usdc, amount)
    expect(decodeFunctionData({ abi: erc20Abi, data: approval }).args).toEqual([spender(), amount])
    const allowance = async () =>
      (
        await read(server, '/v1/convert/allowance', {
          tokenAddress: usdc,
          userAddress: user,
        })
      ).body
    expect(await allowance()).toEqual({ allowance: String(amount) })
    const client = createUser()
    const before = await client.getBalance({ address: mira.address })
    const { status, body } = await build(server, swap)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.tx).toMatchObject({ to: `${id}:${spender()}`, value: '0' })
    const receipt = await send(body)
    expect(receipt.status).toBe('success')
    const gas = receipt.gasUsed * receipt.effectiveGasPrice
    const got = (await client.getBalance({ address: mira.address })) - before + gas
    expect(Number(got) / 1e18).toBeCloseTo(500 / 2750, 2)
    expect(await allowance()).toEqual({ allowance: '0' })
  })

  test('refuses a permit with a reason', async () => {
    const server = await start(source)
    const { body } = await read(server, '/v1/convert/tokens', { chainId: id })
    expect(JSON.stringify(body)).not.toContain('eip2612')
    const permit = { deadline: 2_000_000_000, signature: `0x${'1b'.repeat(65)}` }
    const refused = await build(server, { from: usdc, to: ether, eip155: { permit } })
    expect(refused.status).toBe(400)
    expect(refused.body.reasons).toEqual([
      { field: 'eip155.permit', description: `the swaps on ${id} take no permit` },
    ])
    expect(vendor.requests).toEqual([])
  })

  test('error: without a route or liquidity, quotes are empty and nothing is built, with the reason', async () => {
    const server = await start(source)
    const to = `${id}:${tomas.address}`
    const none = await quote(server, ether, to)
    const code = source === '0x' ? 'no_route' : 'low_liquidity'
    expect(none.body).toMatchObject({ quotes: [], reasons: [{ code }] })
    expect(await build(server, { to })).toMatchObject({
      status: 400,
      body: { reasons: [{ code }] },
    })
    const tiny = await quote(server, book, usdc, 1n)
    expect(tiny.body).toMatchObject({ quotes: [], reasons: [{ code: 'low_liquidity' }] })
  })

  test('error: wrapping the native currency is not a swap', async () => {
    const { status } = await quote(await start(source), ether, `${id}:${addresses.weth}`)
    expect(status).toBe(400)
    expect(vendor.requests).toEqual([])
  })

  test('error: a transaction that would fail is not offered, with the cause', async () => {
    const server = await start(source)
    vendor.forge = { minimum: parseUnits('5000', 6) }
    expect(await build(server)).toMatchObject({
      status: 400,
      body: { reasons: [{ code: 'price_moved' }] },
    })
    vendor.forge = {}
    expect(await build(server, { userAddress: `${id}:${stranger}` })).toMatchObject({
      status: 400,
      body: { reasons: [{ code: 'low_native_balance' }] },
    })
  })

  test('error: a refusal names its cause, and other swaps continue', async () => {
    const server = await start(source)
    const field = source === '0x' ? 'name' : 'description'
    const texts = {
      low_allowance: 'Not enough allowance. Amount: 5. Spender: 0x11',
      low_liquidity: 'SELL_AMOUNT_TOO_SMALL',
      no_route: 'INPUT_INVALID <b>',
    }
    for (const [code, text] of Object.entries(texts)) {
      vendor.change = (answer) => {
        answer.status = 400
        return { [field]: text }
      }
      const { status, body } = await build(server)
      expect(status).toBe(400)
      expect(body.reasons).toMatchObject([{ code }])
      expect(JSON.stringify(body)).not.toContain(text)
    }
    vendor.change = ({ body }) => body
    expect((await quote(server)).body.quotes).toHaveLength(1)
  })

  const faults: Record<string, (name: string) => SwapVendor['change']> = {
    'a fault': () => (answer) => Object.assign(answer, { status: 500 }).body,
    'a refused key': () => (answer) => Object.assign(answer, { status: 401 }).body,
    'its rate limit': () => (answer) => Object.assign(answer, { status: 429 }).body,
    'no JSON': () => (_answer, response) => void response.end('<html>'),
    'other fields': () => () => ({ hello: 1 }),
    'an invalid amount':
      (name) =>
      ({ body }) => ({ ...body, [name]: '1e18' }),
    'an amount above 256 bits':
      (name) =>
      ({ body }) => ({ ...body, [name]: String(2n ** 256n) }),
    'an amount of 0':
      (name) =>
      ({ body }) => ({ ...body, [name]: '0' }),
    'a negative amount':
      (name) =>
      ({ body }) => ({ ...body, [name]: '-5' }),
  }
  test.each(Object.keys(faults))('error: after %s, the response is a 503', async (fault) => {
    const server = await start(source)
    vendor.change = faults[fault]!(source === '0x' ? 'buyAmount' : 'dstAmount')
    const { status, body } = await quote(server)
    expect(status).toBe(503)
    expect(body).toEqual({
      status: 'FAILED',
      reasons: [{ field: 'chainId', description: 'swaps cannot be read now' }],
    })
  })

  test('attack: a vendor that failed gets no request for 10 s', async () => {
    const server = await start(source)
    vendor.change = faults['a fault']!('')
    await quote(server)
    vendor.change = ({ body }) => body
    now += 9_999
    expect((await quote(server)).status).toBe(503)
    expect(vendor.requests).toHaveLength(1)
    now += 2
    expect((await quote(server)).status).toBe(200)
  })

  test('attack: a refusal, which clients can cause, does not stop other swaps', async () => {
    const server = await start(source)
    vendor.change = (answer) => Object.assign(answer, { status: 403 }).body
    await build(server)
    vendor.change = ({ body }) => body
    expect((await build(server)).status).toBe(200)
  })

  test('attack: a vendor that does not respond delays a response by its timeout', async () => {
    const server = await start(source)
    vendor.change = () => undefined
    const startedAt = performance.now()
    expect((await quote(server)).status).toBe(503)
    expect(performance.now() - startedAt).toBeLessThan(6_000)
  })

  test('attack: a response of 50 MB is not read', async () => {
    const server = await start(source)
    let sent = 0
    vendor.change = (_answer, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const part = Buffer.alloc(1024 * 1024, ' ')
      const write = () => {
        while (sent < 50 && !response.destroyed) {
          sent += 1
          if (!response.write(part)) return void response.once('drain', write)
        }
        response.end('{}')
      }
      write()
    }
    expect((await quote(server)).status).toBe(503)
    expect(sent).toBeLessThan(50)
  })

  test('attack: clients cannot cause more than 100 requests at once', async () => {
    const server = await start(source)
    const unanswered: ServerResponse[] = []
    vendor.change = (_answer, response) => void unanswered.push(response)
    const statuses: number[] = []
    const answers = Array.from({ length: 110 }, async (_, index) => {
      const { status } = await quote(server, ether, usdc, parseEther('1') + BigInt(index))
      statuses.push(status)
    })
    await expect.poll(() => statuses).toEqual(Array(10).fill(503))
    await expect.poll(() => unanswered).toHaveLength(100)
    for (const response of unanswered) response.destroy()
    await Promise.all(answers)
    expect(vendor.requests).toHaveLength(100)
  })

  const forged: Record<string, () => SwapVendor['forge']> = {
    'another recipient': () => ({ recipient: stranger }),
    'another token to get': () => ({ get: addresses.book }),
    'a lower minimum': () => ({ minimum: 1n }),
    'another amount': () => ({ amount: parseEther('2') }),
    'another contract': () => ({ target: stranger }),
    ...(source === '0x'
      ? { 'a false Settler': () => ({ settler: stranger }) }
      : {
          'a partial fill': () => ({ flags: 1n }),
          'another token to pay': () => ({ pay: addresses.usdc }),
        }),
  }
  test.each(Object.keys(forged))('attack: a swap with %s is not offered', async (name) => {
    const server = await startWithoutSimulation(source)
    vendor.forge = forged[name]!()
    expect(await build(server)).toMatchObject({ status: 503 })
  })

  const forgedTokens: Record<string, () => SwapVendor['forge']> = {
    'another token to pay': () => ({ pay: addresses.book }),
    'a larger amount': () => ({ amount: parseUnits('900', 6) }),
    'another contract': () => ({ target: stranger }),
    ...(source === '0x' && { 'a false Settler': () => ({ settler: stranger }) }),
  }
  test.each(Object.keys(forgedTokens))(
    'attack: a swap of a token with %s is not offered',
    async (name) => {
      const server = await startWithoutSimulation(source)
      await approve(server, usdc, parseUnits('900', 6))
      vendor.forge = forgedTokens[name]!()
      const swap = { from: usdc, to: ether, amount: String(parseUnits('500', 6)) }
      expect(await build(server, swap)).toMatchObject({ status: 503 })
    },
  )

  test('attack: a swap that pays another amount of the native currency is not offered', async () => {
    const server = await startWithoutSimulation(source)
    const name = source === '0x' ? 'transaction' : 'tx'
    vendor.change = ({ body }) => ({
      ...body,
      [name]: { ...(body[name] as object), value: String(parseEther('2')) },
    })
    expect(await build(server)).toMatchObject({ status: 503 })
  })

  test('attack: a swap through a contract that pays out nothing is not offered', async () => {
    const server = await start(source)
    expect((await build(server)).status).toBe(200)
    const { settler, router } = vendor.contracts
    // The code `STOP` accepts every call and does nothing.
    await createUser().setCode({ address: source === '0x' ? settler : router, bytecode: '0x00' })
    expect(await build(server)).toMatchObject({
      status: 503,
      body: { reasons: [{ description: 'swaps cannot be read now' }] },
    })
  })

  test('attack: no response contains the key or a text of the vendor', async () => {
    const server = await start(source)
    const texts: string[] = []
    for (const status of [200, 400, 401, 500]) {
      now += 10_001
      vendor.change = (answer) => {
        answer.status = status
        return { name: `leak ${vendor.key}`, description: `leak ${vendor.key}` }
      }
      texts.push(JSON.stringify((await quote(server)).body), JSON.stringify(await build(server)))
    }
    expect(texts.filter((text) => /leak|local-vendor-key/.test(text))).toEqual([])
  })
})

describe('the Settlers of 0x', () => {
  test('the previous one is accepted, because the service switches later than the registry', async () => {
    const { settler, settlers } = vendor.contracts
    await setSettlers(chain, settlers, stranger, settler)
    expect((await build(await start('0x'))).status).toBe(200)
  })

  test('attack: an older Settler is not offered, nor any Settler while they are paused', async () => {
    const { settler, settlers } = vendor.contracts
    const server = await start('0x')
    await setSettlers(chain, settlers, stranger, tomas.address)
    expect((await build(server)).status).toBe(503)
    await setSettlers(chain, settlers, zeroAddress, settler)
    expect((await build(server)).status).toBe(503)
  })
})

test('attack: a swap of 0x whose call has a lower minimum than the response is not offered', async () => {
  const server = await start('0x')
  vendor.forge = { minimum: 1n }
  vendor.change = ({ body }) => ({ ...body, minBuyAmount: body['buyAmount'] })
  expect(await build(server)).toMatchObject({ status: 503 })
})

describe('the price impact', () => {
  test('attack: is part of a quote that is far below the prices of the tokens', async () => {
    const server = await start('0x')
    vendor.change = ({ body }) => ({
      ...body,
      buyAmount: String((BigInt(String(body['buyAmount'])) * 80n) / 100n),
    })
    const [best] = (await quote(server)).body.quotes
    expect(best!.priceImpact ?? 0).toBeGreaterThan(19)
    expect(best!.priceImpact).toBeLessThan(22)
  })

  test('is null without prices', async () => {
    const { prices } = readConfig({ GATEFOLD_PRICES: JSON.stringify({ chains: { [id]: [] } }) })
    const [best] = (await quote(await start('1inch', { prices }))).body.quotes
    expect(best!.priceImpact).toBeNull()
  })
})

test('the fee of 0x is part of a quote', async () => {
  const server = await start('0x')
  vendor.change = ({ body }) => {
    const fee = { amount: String(BigInt(String(body['buyAmount'])) / 99n), token: body['buyToken'] }
    return { ...body, fees: { zeroExFee: { ...fee, type: 'volume' } } }
  }
  expect((await quote(server)).body.quotes[0]!.fee).toBeCloseTo(1, 3)
})

describe('the setting', () => {
  const key = 'hunter2'
  const url = 'https://api.example'
  test.each([
    [{ chains: { [id]: '0x' } }],
    [{ chains: { [id]: 'paraswap' } }],
    [{ chains: { [id]: ['pools', '0x'] }, '0x': { url, key } }],
    [{ chains: { [id]: '0x' }, '0x': { key } }],
    [{ chains: { [id]: '0x' }, '0x': { url } }],
    [{ chains: { [id]: '0x' }, '0x': { url, key: 'hunter2\n' } }],
    [{ chains: { [id]: '0x' }, '0x': { url: `${url}?a=1`, key } }],
    [{ chains: { [id]: '0x' }, '0x': { url: 'file:///etc/passwd', key } }],
    [{ chains: { solana: 'pools' } }],
  ])('error: %j is refused, without its key', (swaps) => {
    const refuse = () => readSwaps(swaps)
    expect(refuse).toThrow('A setting is invalid.')
    expect(refuse).not.toThrow(/hunter2/)
  })

  test('error: a source without contracts on its chain is refused', () => {
    expect(() => readSwaps({ chains: { [id]: '0x' }, '0x': { url, key } }, chainData[id])).toThrow(
      'GATEFOLD_SWAPS names 0x for eip155:31337; expected a chain whose data has',
    )
    expect(() => readSwaps({ chains: { 'eip155:250': 'pools' } })).toThrow('eip155:250')
    expect(() =>
      readSwaps({
        chains: { 'eip155:1': '0x', 'eip155:100': '1inch' },
        '0x': { url, key },
        '1inch': { url, key },
      }),
    ).not.toThrow()
  })
})
