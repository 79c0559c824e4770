import { nativeTokenAddress, type QuotesResponse } from '@gatefold/protocol/gateway'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Env } from '../../http/access.ts'
import type { MoneyContext } from '../context.ts'
import { getQuotes } from './quotes.ts'

const id = 'eip155:1'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** A server whose source has many routes, the best one first. */
function start(amounts: bigint[]) {
  const quotes = amounts.map((amountOut) => ({
    amountOut,
    gas: 100_000n,
    priceImpact: 0.1,
    route: [nativeTokenAddress, usdc],
    fee: 0.3,
  }))
  const source = { hasDeadline: true, spender: () => usdc, quote: async () => ({ quotes }) }
  const context = {
    config: { trustedProxies: 0 },
    evmChains: new Map([[id, { id, data: {} }]]),
    limits: { address: { take: () => 0 }, project: { take: () => 0 } },
    now: () => 0,
    projects: { get: () => ({ active: true, allowedOrigins: ['*'] }) },
    swaps: { of: () => source },
  } as unknown as MoneyContext
  return new Hono<Env>().get('/quotes', getQuotes(context))
}

test('of many routes, only the three best ones are returned', async () => {
  const query = new URLSearchParams({
    from: `${id}:${nativeTokenAddress}`,
    to: `${id}:${usdc}`,
    amount: '1',
    gasPrice: '1',
  })
  const response = await start([9n, 8n, 7n, 6n, 5n]).request(`/quotes?${query}`)
  const { quotes } = (await response.json()) as QuotesResponse
  expect(quotes.map(({ toAmount }) => toAmount)).toEqual(['9', '8', '7'])
})
