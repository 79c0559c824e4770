import { addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import { nativeTokenAddress, type PriceResponse } from '@gatefold/protocol/gateway'
import { concat, createTestClient, encodeAbiParameters, http } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestGateway.ts'

const id = 'eip155:31337'
const hostile = '0x00000000000000000000000000000000000bad00'
const future = '0x00000000000000000000000000000000000bad02'
const impostor = '0x00000000000000000000000000000000000bad01'

let chain: Chain
let server: TestServer
let now = Date.now()
beforeAll(async () => {
  chain = await startChain()
  server = await createTestServer(
    ['money'],
    { rpcUrls: { [id]: [chain.url] }, chains: chainData },
    { now: () => now },
  )
})
afterAll(async () => {
  await server?.stop()
  await chain?.stop()
})

async function prices(list: string[]) {
  const answer = await server.json('/v1/fungible/price', {
    method: 'POST',
    body: JSON.stringify({ currency: 'usd', addresses: list.map((it) => `${id}:${it}`) }),
  })
  return { ...answer, body: answer.body as PriceResponse }
}

/** Creates a contract that returns the same text for every call. Read as a number, the text is 32. */
async function setToken(address: `0x${string}`, name: string) {
  const text = encodeAbiParameters([{ type: 'string' }], [name])
  // PUSH1 96, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 96, PUSH1 0, RETURN
  const bytecode = concat(['0x6060600c60003960606000f3', text])
  const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  await client.setCode({ address, bytecode })
}

describe('§7.8.7 prices of tokens', () => {
  test('are those of the requested tokens, in their order', async () => {
    const { status, body } = await prices([nativeTokenAddress, addresses.usdc])
    expect(status).toBe(200)
    expect(body.fungibles).toEqual([
      expect.objectContaining({ symbol: 'ETH', decimals: 18 }),
      {
        address: `${id}:${addresses.usdc}`,
        name: 'USD Coin',
        symbol: 'USDC',
        decimals: 6,
        iconUrl: 'http://localhost/public/getTokenImage/USDC',
        price: 1,
      },
    ])
  })

  test('leave out addresses that are not tokens', async () => {
    const { body } = await prices([addresses.multicall3, addresses.usdc])
    expect(body.fungibles.map(({ symbol }) => symbol)).toEqual(['USDC'])
  })

  test('attack: the name of a token outside the list has no control characters', async () => {
    await setToken(hostile, '\u202Eeslaf\u0000\u200B <b>USDC</b>')
    const { body } = await prices([hostile])
    expect(body.fungibles).toEqual([
      expect.objectContaining({
        name: 'eslaf <b>USDC</b>',
        symbol: 'eslaf <b>USDC</b>',
        iconUrl: '',
        price: 0,
      }),
    ])
  })

  test('attack: a token outside the list does not get the image of the listed one with its symbol', async () => {
    await setToken(impostor, 'USDC')
    const { body } = await prices([impostor, addresses.usdc])
    expect(body.fungibles.map(({ symbol, iconUrl }) => [symbol, iconUrl])).toEqual([
      ['USDC', ''],
      ['USDC', 'http://localhost/public/getTokenImage/USDC'],
    ])
  })

  test('attack: an address that was requested before its token was deployed is a token a minute later', async () => {
    const names = async () =>
      (await prices([future, addresses.usdc])).body.fungibles.map(({ name }) => name)
    expect(await names()).toEqual(['USD Coin'])
    await setToken(future, 'New')
    expect(await names()).toEqual(['USD Coin'])
    now += 60_001
    expect(await names()).toEqual(['New', 'USD Coin'])
    await setToken(future, 'Renamed')
    now += 23 * 60 * 60_000
    expect(await names()).toEqual(['New', 'USD Coin'])
    now += 60 * 60_000 + 1
    expect(await names()).toEqual(['Renamed', 'USD Coin'])
  })

  test('attack: reads of contracts cost tokens of the client’s address', async () => {
    const own = await createTestServer(
      ['money'],
      { rpcUrls: { [id]: [chain.url] }, chains: chainData, ipBurst: 300, ipRate: 1 },
      { now: () => now },
    )
    onTestFinished(() => own.stop())
    const request = (first: number, address = '192.0.2.1') =>
      own.json('/v1/fungible/price', {
        address,
        method: 'POST',
        body: JSON.stringify({
          currency: 'usd',
          addresses: Array.from(
            { length: 100 },
            (_, index) => `${id}:0x${(first + index).toString(16).padStart(40, '0')}`,
          ),
        }),
      })
    const statuses = []
    for (let count = 0; count < 4; count += 1)
      statuses.push((await request(0x10_000 + count * 100)).status)
    // 100 addresses without code cost 75 tokens, and the request 5.
    expect(statuses).toEqual([200, 200, 200, 200])
    expect((await request(0x20_000)).status).toBe(429)
    // They are cached now, and cost another client nothing.
    for (let count = 0; count < 50; count += 1)
      expect((await request(0x10_000, '192.0.2.2')).status).toBe(200)
  })

  test.each([
    [[], 'addresses', 'addresses must not be empty'],
    [Array(101).fill(addresses.usdc), 'addresses', 'addresses must have at most 100 items'],
    [['ETH'], 'addresses.0', 'addresses.0 must be a CAIP-10 account on an EVM chain'],
  ])('error: a wrong list is refused with 422', async (list, field, description) => {
    const { status, body } = await prices(list as string[])
    expect(status).toBe(422)
    expect(body).toEqual({ status: 'FAILED', reasons: [{ field, description }] })
  })
})
