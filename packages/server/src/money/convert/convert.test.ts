import {
  accounts,
  addresses,
  chainData,
  startChain,
  usdcAbi,
  usdtAbi,
  wethAbi,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import {
  nativeTokenAddress,
  type ApproveResponse,
  type GasPriceResponse,
  type QuotesResponse,
  type TransactionResponse,
} from '@gatefold/protocol/gateway'
import {
  createTestClient,
  decodeFunctionData,
  http,
  parseAbi,
  parseEther,
  parseSignature,
  parseUnits,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startCountingProxy } from '../../testing/startCountingProxy.ts'
import { startOlderNode } from '../../testing/startOlderNode.ts'

const id = 'eip155:31337'
const [mira, tomas] = accounts
const ether = `${id}:${nativeTokenAddress}`
const usdc = `${id}:${addresses.usdc}`
const book = `${id}:${addresses.book}`
const user = `${id}:${mira.address}`

let chain: Chain
let server: TestServer
let snapshot: Hex
beforeAll(async () => {
  chain = await startChain()
  server = await createTestServer(['money'], {
    rpcUrls: { [id]: [chain.url], 'eip155:100': [chain.url] },
    chains: chainData,
  })
})
afterAll(async () => {
  await server?.stop()
  await chain?.stop()
})
beforeEach(async () => {
  snapshot = await chain.snapshot()
})
afterEach(() => chain.revert(snapshot))

function createUser() {
  return createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(mira.privateKey),
    transport: http(chain.url),
    pollingInterval: 20,
  })
    .extend(walletActions)
    .extend(publicActions)
}

async function get<Body>(path: string, query: Record<string, string>): Promise<Body> {
  const { status, body } = await server.json(`${path}?${new URLSearchParams(query).toString()}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** The body that the official client sends. */
async function build(body: Record<string, unknown>) {
  const answer = await server.json('/v1/convert/build-transaction', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      projectId: 'default',
      eip155: { slippage: 1 },
      userAddress: user,
      disableEstimate: true,
      ...body,
    }),
  })
  return { ...answer, body: answer.body as TransactionResponse }
}

async function quote(from: string, to: string, amount: bigint) {
  const query = { from, to, amount: String(amount), userAddress: mira.address, gasPrice: '1' }
  return get<QuotesResponse>('/v1/convert/quotes', query)
}

/** Sends a transaction as the official client does. */
async function send({ tx }: TransactionResponse, to: string) {
  const client = createUser()
  const hash = await client.sendTransaction({
    chain: null,
    to: to.split(':')[2] as Address,
    data: tx.data as Hex,
    value: BigInt(tx.value),
  })
  return receiptOf(client, hash)
}

/** Runs a test with a server whose upstream has no `eth_simulateV1`. */
async function onOlderUpstream(run: (older: TestServer) => Promise<void>) {
  const upstream = await startOlderNode(chain.url)
  const older = await createTestServer(['money'], {
    rpcUrls: { [id]: [upstream.url] },
    chains: chainData,
  })
  try {
    await run(older)
  } finally {
    await older.stop()
    await upstream.stop()
  }
}

async function dollarsOf(address: Address) {
  return createUser().readContract({
    address: addresses.usdc,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [address],
  })
}

describe('§7.8.6 tokens', () => {
  test('are the native currency and the tokens of the chain', async () => {
    const { tokens } = await get<{ tokens: unknown[] }>('/v1/convert/tokens', { chainId: id })
    expect(tokens).toHaveLength(5)
    expect(tokens[0]).toEqual({
      name: 'Ether',
      symbol: 'ETH',
      address: ether,
      decimals: 18,
      logoUri: 'http://localhost/public/getTokenImage/ETH',
    })
    expect(tokens[2]).toMatchObject({ symbol: 'USDC', address: usdc, decimals: 6, eip2612: true })
  })
})

test('attack: no shared cache stores tokens, whose links are under the host that a client names', async () => {
  const { body, headers } = await server.json(`http://evil.example/v1/convert/tokens?chainId=${id}`)
  expect(JSON.stringify(body)).toContain('http://evil.example/')
  expect(headers.get('cache-control')).toBe('private, max-age=300')
})

describe('§7.8.9 gas prices', () => {
  test('are whole numbers, higher for higher speeds', async () => {
    const prices = await get<GasPriceResponse>('/v1/convert/gas-price', { chainId: id })
    const [standard, fast, instant] = [prices.standard, prices.fast, prices.instant].map(BigInt)
    expect(standard).toBe(await createUser().getGasPrice())
    expect(fast! >= standard!).toBe(true)
    expect(instant! >= fast!).toBe(true)
  })

  test('of faster speeds add what the median of past blocks paid for them', async () => {
    const proxy = await startCountingProxy(chain.url)
    const rewards = [
      [2, 4, 9],
      [100, 200, 300],
      [1, 3, 5],
    ].map((fees) => fees.map((fee) => `0x${fee.toString(16)}`))
    proxy.changes = (reply, { method }) => {
      if (method !== 'eth_feeHistory') return reply
      const { result, ...rest } = reply as { result: object }
      return { ...rest, result: { ...result, reward: rewards } }
    }
    const fees = await createTestServer(['money'], {
      rpcUrls: { [id]: [proxy.url] },
      chains: chainData,
    })
    const price = await createUser().getGasPrice()
    expect((await fees.json(`/v1/convert/gas-price?chainId=${id}`)).body).toEqual({
      standard: String(price),
      fast: String(price + 2n),
      instant: String(price + 7n),
    })
    await fees.stop()
    await proxy.stop()
  })
})

describe('§7.8.5 quotes', () => {
  test('are the best routes, with their cost', async () => {
    const { quotes } = await quote(ether, usdc, parseEther('1'))
    const [best, second] = quotes
    expect(best).toMatchObject({
      fromAmount: String(parseEther('1')),
      fromAccount: ether,
      toAccount: usdc,
      route: [`${id}:${addresses.weth}`, usdc],
      fee: 0.05,
      hasDeadline: true,
    })
    expect(BigInt(best!.toAmount)).toBeGreaterThan(BigInt(second!.toAmount))
    expect(Number(best!.toAmount) / 1e6).toBeCloseTo(2745, -2)
    expect(Date.parse(best!.expiresAt) - Date.now()).toBeGreaterThan(20_000)
    expect(Number(best!.gas)).toBeGreaterThan(100_000)
  })

  test('go through a third token if that is better', async () => {
    const { quotes } = await quote(book, usdc, parseEther('10'))
    expect(quotes[0]!.route).toEqual([book, `${id}:${addresses.weth}`, usdc])
    expect(quotes[0]!.fee).toBeCloseTo(0.35)
  })

  test('show a higher price impact for a larger amount', async () => {
    const small = await quote(ether, usdc, parseEther('0.1'))
    const large = await quote(ether, usdc, parseEther('100'))
    expect(small.quotes[0]!.priceImpact).toBeLessThan(0.05)
    expect(large.quotes[0]!.priceImpact).toBeGreaterThan(3)
  })

  test.each([
    [
      'tokens without a pool',
      `${id}:${tomas.address}`,
      'to',
      'there is no route between these tokens',
      'no_route',
    ],
  ])('are empty for %s, with the reason', async (_, to, field, description, code) => {
    expect(await quote(ether, to, 1n)).toEqual({
      quotes: [],
      reasons: [{ field, description, code }],
    })
  })

  test.each([
    [{ amount: '0' }, 'amount', 'amount must be above 0'],
    [
      { amount: '1.5' },
      'amount',
      'amount must be a whole number in the smallest unit of the token',
    ],
    [{ to: ether }, 'to', 'to is the same token as from'],
    [{ to: `eip155:1:${addresses.usdc}` }, 'to', `to is on eip155:1; expected a token on ${id}`],
    [{ from: 'ETH' }, 'from', 'from must be a CAIP-10 account on an EVM chain'],
    [
      { from: `eip155:100:${nativeTokenAddress}`, to: `eip155:100:${addresses.usdc}` },
      'chainId',
      'swaps are not available on eip155:100, because it has no router',
      'no_swaps',
    ],
  ])('error: %j', async (change, field, description, code?: string) => {
    const query = new URLSearchParams({ from: ether, to: usdc, amount: '1', ...change })
    const { status, body } = await server.json(`/v1/convert/quotes?${query.toString()}`)
    expect(status).toBe(400)
    const reason = { field, description, ...(code && { code }) }
    expect(body).toEqual({ status: 'FAILED', reasons: [reason] })
  })
})

describe('§7.8.8 §7.8.10 §7.8.11 a swap', () => {
  test('of the native currency pays at least the minimum', async () => {
    const amount = parseEther('2')
    const { quotes } = await quote(ether, usdc, amount)
    const before = await dollarsOf(mira.address)
    const { status, body } = await build({ from: ether, to: usdc, amount: String(amount) })
    expect(status).toBe(200)
    expect(body.tx).toMatchObject({
      from: user,
      to: `${id}:${addresses.uniswapSwapRouter02}`,
      value: String(amount),
    })
    const receipt = await send(body, body.tx.to)
    expect(receipt.status).toBe('success')
    expect(receipt.gasUsed).toBeLessThan(BigInt(body.tx.eip155.gas))
    expect((await dollarsOf(mira.address)) - before).toBe(BigInt(quotes[0]!.toAmount))
  })

  test('of a token needs an approval of exactly its amount', async () => {
    const amount = parseUnits('500', 6)
    const client = createUser()
    const query = { tokenAddress: usdc, userAddress: user }
    expect(await get('/v1/convert/allowance', query)).toEqual({ allowance: '0' })

    const early = await build({ from: usdc, to: ether, amount: String(amount) })
    expect(early.status).toBe(400)
    expect(early.body).toEqual({
      status: 'FAILED',
      reasons: [
        {
          field: 'userAddress',
          description:
            'the router may not spend this amount: the allowance or the balance is too small',
          code: 'low_allowance',
        },
      ],
    })

    const approval = await get<TransactionResponse>('/v1/convert/build-approve', {
      userAddress: user,
      from: usdc,
      to: ether,
      amount: String(amount),
    })
    // Official clients send the approval to the address in `tx.from`.
    expect(approval.tx.from).toBe(usdc)
    expect(approval.tx.value).toBe('0')
    await send(approval, approval.tx.from)
    expect(await get('/v1/convert/allowance', query)).toEqual({ allowance: String(amount) })

    const before = await client.getBalance({ address: mira.address })
    const { body } = await build({ from: usdc, to: ether, amount: String(amount) })
    expect(body.tx.value).toBe('0')
    const receipt = await send(body, body.tx.to)
    expect(receipt.status).toBe('success')
    const gas = receipt.gasUsed * receipt.effectiveGasPrice
    const received = (await client.getBalance({ address: mira.address })) - before + gas
    expect(Number(received) / 1e18).toBeCloseTo(500 / 2750, 2)
    expect(await get('/v1/convert/allowance', query)).toEqual({ allowance: '0' })
  })

  describe('on Uniswap v2', () => {
    /**
     * Makes ether expensive and USDC cheap in the pair, so that the best route
     * for ether goes through it.
     */
    async function raisePairPrice(token: Address, abi: Abi, functionName: string, args: unknown[]) {
      const client = createUser()
      for (const call of [
        { address: token, abi, functionName, args },
        {
          address: addresses.uniswapV2Pair,
          abi: parseAbi(['function sync()']),
          functionName: 'sync',
        },
      ])
        await receiptOf(client, await client.writeContract({ chain: null, ...call }))
    }
    const addDollars = async () =>
      raisePairPrice(addresses.usdc, usdcAbi, 'mint', [
        addresses.uniswapV2Pair,
        parseUnits('55000', 6),
      ])

    test('of the native currency uses the pair where it is the best route, and gets exactly the quote', async () => {
      await addDollars()
      const amount = parseEther('0.5')
      const { quotes } = await quote(ether, usdc, amount)
      expect(quotes[0]).toMatchObject({ route: [`${id}:${addresses.weth}`, usdc], fee: 0.3 })
      expect(Number(quotes[0]!.toAmount) / 1e6).toBeGreaterThan(0.5 * 5_000)
      // 0.5 of 20 ETH move the price by 2.5 percent.
      expect(quotes[0]!.priceImpact).toBeCloseTo(2.4, 0)
      const before = await dollarsOf(mira.address)
      const { status, body } = await build({ from: ether, to: usdc, amount: String(amount) })
      expect(status).toBe(200)
      const receipt = await send(body, body.tx.to)
      expect(receipt.status).toBe('success')
      expect(receipt.gasUsed).toBeLessThan(BigInt(quotes[0]!.gas))
      expect((await dollarsOf(mira.address)) - before).toBe(BigInt(quotes[0]!.toAmount))
    })

    test('of a token pays the native currency to the account', async () => {
      await raisePairPrice(addresses.weth, wethAbi, 'transfer', [
        addresses.uniswapV2Pair,
        parseEther('2'),
      ])
      const amount = parseUnits('500', 6)
      const { quotes } = await quote(usdc, ether, amount)
      expect(quotes[0]!.fee).toBe(0.3)
      const approval = await get<TransactionResponse>('/v1/convert/build-approve', {
        userAddress: user,
        from: usdc,
        to: ether,
        amount: String(amount),
      })
      await send(approval, approval.tx.from)
      const before = await createUser().getBalance({ address: mira.address })
      const { body } = await build({ from: usdc, to: ether, amount: String(amount) })
      const receipt = await send(body, body.tx.to)
      const gas = receipt.gasUsed * receipt.effectiveGasPrice
      const received = (await createUser().getBalance({ address: mira.address })) - before + gas
      expect(received).toBe(BigInt(quotes[0]!.toAmount))
    })

    test('goes through two pairs if that is the best route', async () => {
      const client = createUser()
      const v2 = parseAbi([
        'function createPair(address a, address b) returns (address pair)',
        'function getPair(address a, address b) view returns (address)',
        'function mint(address to) returns (uint256 liquidity)',
      ])
      const factory = { address: addresses.uniswapV2Factory, abi: v2 } as const
      const write = async (call: object) =>
        receiptOf(client, await client.writeContract({ chain: null, ...call } as never))
      const args = [addresses.book, addresses.weth] as const
      await write({ ...factory, functionName: 'createPair', args })
      const pair = await client.readContract({ ...factory, functionName: 'getPair', args })
      // One BOOK is worth one ether in this pair.
      const units = parseEther('1')
      await write({
        address: addresses.book,
        abi: usdcAbi,
        functionName: 'mint',
        args: [pair, units],
      })
      await write({
        address: addresses.weth,
        abi: wethAbi,
        functionName: 'transfer',
        args: [pair, units],
      })
      await write({ address: pair, abi: v2, functionName: 'mint', args: [mira.address] })
      await addDollars()
      // The server has not looked up this pair before.
      const fresh = await createTestServer(['money'], {
        rpcUrls: { [id]: [chain.url] },
        chains: chainData,
      })
      try {
        const query = { from: book, to: usdc, amount: String(parseEther('0.1')) }
        const { body } = await fresh.json(
          `/v1/convert/quotes?${new URLSearchParams(query).toString()}`,
        )
        const [best] = (body as QuotesResponse).quotes
        expect(best).toMatchObject({
          route: [book, `${id}:${addresses.weth}`, usdc],
          fee: 0.6,
        })
      } finally {
        await fresh.stop()
      }
    })

    test('is not offered if the router has another factory', async () => {
      await addDollars()
      const data = chainData['eip155:31337']
      const other = await createTestServer(['money'], {
        rpcUrls: { [id]: [chain.url] },
        chains: {
          [id]: {
            ...data,
            uniswap: { ...data.uniswap, router: addresses.uniswapV3SwapRouter02 },
          },
        },
      })
      try {
        const query = { from: ether, to: usdc, amount: String(parseEther('0.5')) }
        const { body } = await other.json(
          `/v1/convert/quotes?${new URLSearchParams(query).toString()}`,
        )
        expect((body as QuotesResponse).quotes[0]!.fee).toBe(0.05)
      } finally {
        await other.stop()
      }
    })
  })

  describe('with a permit', () => {
    /** A permit for the router, as the kit requests it from the wallet. */
    async function sign(amount: bigint) {
      const client = createUser()
      const deadline = Math.floor(Date.now() / 1000) + 1_200
      const names = ['owner', 'spender', 'value', 'nonce', 'deadline']
      const signature = await client.signTypedData({
        domain: {
          name: 'USD Coin',
          version: '1',
          chainId: 31337,
          verifyingContract: addresses.usdc,
        },
        types: {
          Permit: names.map((name, index) => ({ name, type: index < 2 ? 'address' : 'uint256' })),
        },
        primaryType: 'Permit',
        message: {
          owner: mira.address,
          spender: addresses.uniswapSwapRouter02,
          value: amount,
          nonce: 0n,
          deadline: BigInt(deadline),
        },
      })
      return { signature, deadline }
    }
    const amount = parseUnits('200', 6)
    const swap = { from: usdc, to: ether, amount: String(amount) }

    test('of exactly the amount needs no approval, and leaves no allowance', async () => {
      const { status, body } = await build({
        ...swap,
        eip155: { slippage: 1, permit: await sign(amount) },
      })
      expect(status, JSON.stringify(body)).toBe(200)
      const before = await dollarsOf(mira.address)
      expect((await send(body, body.tx.to)).status).toBe('success')
      expect(before - (await dollarsOf(mira.address))).toBe(amount)
      const left = await get('/v1/convert/allowance', { tokenAddress: usdc, userAddress: user })
      expect(left).toEqual({ allowance: '0' })
    })

    test('continues if someone else has already used the permit', async () => {
      const permit = await sign(amount)
      const { body } = await build({ ...swap, eip155: { permit } })
      const { r, s, yParity } = parseSignature(permit.signature)
      const other = createTestClient({
        mode: 'anvil',
        account: privateKeyToAccount(tomas.privateKey),
        transport: http(chain.url),
      })
        .extend(walletActions)
        .extend(publicActions)
      const hash = await other.writeContract({
        chain: null,
        address: addresses.usdc,
        abi: usdcAbi,
        functionName: 'permit',
        args: [
          mira.address,
          addresses.uniswapSwapRouter02,
          amount,
          BigInt(permit.deadline),
          27 + yParity,
          r,
          s,
        ],
      })
      await receiptOf(other, hash)
      expect((await send(body, body.tx.to)).status).toBe('success')
    })

    test('error: of another amount is refused', async () => {
      const permit = await sign(amount - 1n)
      const { status, body } = await build({ ...swap, eip155: { permit } })
      expect(status).toBe(400)
      expect(body).toMatchObject({ reasons: [{ field: 'amount', code: 'would_revert' }] })
    })

    test.each([
      [{ deadline: 1, signature: '0x12' }, 'signature', 'must be a signature of 65 bytes'],
      [{ deadline: 0, signature: `0x${'1b'.repeat(65)}` }, 'deadline', 'must be above 0'],
    ])('error: %j is refused with 422', async (permit, name, problem) => {
      const { status, body } = await build({ ...swap, eip155: { permit } })
      expect(status).toBe(422)
      const field = `eip155.permit.${name}`
      expect(body).toEqual({
        status: 'FAILED',
        reasons: [{ field, description: `${field} ${problem}` }],
      })
    })
  })

  describe('in one batch with its approval', () => {
    const amount = parseUnits('200', 6)
    const swap = { from: usdc, to: ether, amount: String(amount) }
    const eip155 = { slippage: 1, withApproval: true }

    test('is simulated after the approval, which nobody has made yet', async () => {
      const { status, body } = await build({ ...swap, eip155 })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(Number(body.tx.eip155.gas)).toBeGreaterThan(50_000)
      const query = { userAddress: user, from: usdc, to: ether, amount: String(amount) }
      const approval = await get<TransactionResponse>('/v1/convert/build-approve', query)
      const before = await dollarsOf(mira.address)
      await send(approval, approval.tx.to)
      expect((await send(body, body.tx.to)).status).toBe('success')
      expect(before - (await dollarsOf(mira.address))).toBe(amount)
      const left = await get('/v1/convert/allowance', { tokenAddress: usdc, userAddress: user })
      expect(left).toEqual({ allowance: '0' })
    })

    test('error: of more than the account has is refused, with the reason', async () => {
      const more = String((await dollarsOf(mira.address)) + 1n)
      const { status, body } = await build({ ...swap, amount: more, eip155 })
      expect(status).toBe(400)
      expect(body).toMatchObject({ reasons: [{ code: 'low_allowance' }] })
    })

    test('error: of the native currency is refused', async () => {
      const { status, body } = await build({ ...swap, from: ether, to: usdc, eip155 })
      expect(status).toBe(400)
      expect(body).toMatchObject({ reasons: [{ field: 'eip155.withApproval' }] })
    })

    test('error: is refused if the upstream cannot simulate several calls', async () => {
      await onOlderUpstream(async (older) => {
        const answer = await older.json('/v1/convert/build-transaction', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ projectId: 'default', userAddress: user, ...swap, eip155 }),
        })
        expect(answer.status).toBe(400)
        expect(answer.body).toMatchObject({ reasons: [{ code: 'no_batches' }] })
      })
    })
  })

  describe('of a token that refuses to change an allowance, such as USDT', () => {
    const usdt = `${id}:${addresses.usdt}`
    const amount = parseUnits('200', 6)
    const swap = { from: usdt, to: ether, amount: String(amount) }
    const query = { userAddress: user, ...swap }
    const left = () => get('/v1/convert/allowance', { tokenAddress: usdt, userAddress: user })
    const readTx = ({ to, data }: TransactionResponse['tx']) => ({
      to,
      ...decodeFunctionData({ abi: usdtAbi, data: data as Hex }),
    })
    const approves = (units: bigint) => ({
      to: usdt,
      functionName: 'approve',
      args: [addresses.uniswapSwapRouter02, units],
    })
    async function write(functionName: 'mint' | 'approve', args: readonly [Address, bigint]) {
      const client = createUser()
      const call = { chain: null, address: addresses.usdt, abi: usdtAbi, functionName, args }
      await receiptOf(client, await client.writeContract(call))
    }
    beforeEach(async () => {
      await write('mint', [mira.address, parseUnits('1000', 6)])
      await write('approve', [addresses.uniswapSwapRouter02, 5n])
    })

    test('is approved after its allowance is set to zero', async () => {
      const { tx, next } = await get<ApproveResponse>('/v1/convert/build-approve', query)
      expect(readTx(tx)).toMatchObject(approves(0n))
      expect(readTx(next!)).toMatchObject(approves(amount))
      for (const built of [tx, next!]) {
        const receipt = await send({ tx: built }, built.from)
        expect(receipt.status).toBe('success')
        expect(receipt.gasUsed).toBeLessThanOrEqual(BigInt(built.eip155.gas))
      }
      expect(await left()).toEqual({ allowance: String(amount) })
      const { body } = await build(swap)
      expect((await send(body, body.tx.to)).status).toBe('success')
      expect(await left()).toEqual({ allowance: '0' })
    })

    test('is approved by official clients, which ask again after the first transaction', async () => {
      const first = await get<ApproveResponse>('/v1/convert/build-approve', query)
      await send(first, first.tx.from)
      const second = await get<ApproveResponse>('/v1/convert/build-approve', query)
      expect(second.next).toBeUndefined()
      await send(second, second.tx.from)
      expect(await left()).toEqual({ allowance: String(amount) })
    })

    test('is simulated after both in one batch; without the reset, the batch would fail', async () => {
      const eip155 = { slippage: 1, withApproval: true, withReset: true }
      const { status, body } = await build({ ...swap, eip155 })
      expect(status, JSON.stringify(body)).toBe(200)
      const short = await build({ ...swap, eip155: { ...eip155, withReset: false } })
      expect(short.body).toMatchObject({ reasons: [{ code: 'would_revert' }] })
      const wrong = await build({ ...swap, eip155: { ...eip155, withApproval: false } })
      expect(wrong.body).toMatchObject({ reasons: [{ field: 'eip155.withReset' }] })
    })

    test('gets only the reset if the upstream cannot simulate both', async () => {
      await onOlderUpstream(async (older) => {
        const path = `/v1/convert/build-approve?${new URLSearchParams(query).toString()}`
        const { body } = await older.json(path)
        const { tx, next } = body as ApproveResponse
        expect(readTx(tx)).toMatchObject(approves(0n))
        expect(next).toBeUndefined()
      })
    })

    test('error: is refused if it accepts no approval after a reset either', async () => {
      // Reverts in `approve`, and returns 1 from every other function.
      const bytecode = '0x5f3560e01c63095ea7b31460165760015f5260205ff35b5f5ffd'
      await createUser().setCode({ address: addresses.usdt, bytecode })
      const path = `/v1/convert/build-approve?${new URLSearchParams(query).toString()}`
      const { status, body } = await server.json(path)
      expect(status).toBe(400)
      expect(body).toMatchObject({ reasons: [{ field: 'from', code: 'would_revert' }] })
    })
  })

  test('without an amount, the approval is for the balance', async () => {
    const query = { userAddress: user, from: usdc, to: ether }
    const approval = await get<TransactionResponse>('/v1/convert/build-approve', query)
    await send(approval, approval.tx.from)
    expect(await get('/v1/convert/allowance', { tokenAddress: usdc, userAddress: user })).toEqual({
      allowance: String(await dollarsOf(mira.address)),
    })
  })

  test('fails if the price moves by more than the slippage', async () => {
    const { body } = await build({
      from: ether,
      to: usdc,
      amount: String(parseEther('1')),
      eip155: { slippage: 0.5 },
    })
    const large = await build({ from: ether, to: usdc, amount: String(parseEther('50')) })
    await send(large.body, large.body.tx.to)
    await expect(send(body, body.tx.to)).rejects.toThrow('Too little received')
  })

  test('is refused by the router after its deadline, by default 20 minutes', async () => {
    const swap = { from: ether, to: usdc, amount: String(parseEther('1')) }
    const usual = await build(swap)
    const short = await build({ ...swap, eip155: { deadline: 5 } })
    const client = createUser()
    await client.setNextBlockTimestamp({
      timestamp: BigInt(Math.floor(Date.now() / 1000) + 6 * 60),
    })
    await client.mine({ blocks: 1 })
    await expect(send(short.body, short.body.tx.to)).rejects.toThrow('Transaction too old')
    expect((await send(usual.body, usual.body.tx.to)).status).toBe('success')
  })

  test('error: of more than the account has is refused', async () => {
    const { status, body } = await build({
      from: ether,
      to: usdc,
      amount: String(parseEther('5')),
      userAddress: `${id}:0x00000000000000000000000000000000000000aa`,
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      status: 'FAILED',
      reasons: [
        {
          field: 'amount',
          description:
            'the account has too little of the native currency for the amount and its gas',
          code: 'low_native_balance',
        },
      ],
    })
  })

  test.each([
    [{ eip155: { slippage: 51 } }, 'eip155.slippage', 'eip155.slippage must be from 0.01 to 50'],
    [{ eip155: { deadline: 0 } }, 'eip155.deadline', 'eip155.deadline must be from 1 to 180'],
    [{ eip155: { deadline: 181 } }, 'eip155.deadline', 'eip155.deadline must be from 1 to 180'],
    [
      { eip155: { deadline: 1.5 } },
      'eip155.deadline',
      'eip155.deadline must be a whole number of minutes',
    ],
    [{ eip155: { slippage: 0 } }, 'eip155.slippage', 'eip155.slippage must be from 0.01 to 50'],
    [
      { userAddress: mira.address },
      'userAddress',
      'userAddress must be a CAIP-10 account on an EVM chain',
    ],
    [{ amount: undefined }, 'amount', 'amount is missing'],
  ])('error: %j is refused with 422', async (change, field, description) => {
    const { status, body } = await build({ from: ether, to: usdc, amount: '1', ...change })
    expect(status).toBe(422)
    expect(body).toEqual({ status: 'FAILED', reasons: [{ field, description }] })
  })

  test('the native currency needs no approval', async () => {
    const { allowance } = await get<{ allowance: string }>('/v1/convert/allowance', {
      tokenAddress: ether,
      userAddress: user,
    })
    expect(BigInt(allowance)).toBe(2n ** 256n - 1n)
  })
})
