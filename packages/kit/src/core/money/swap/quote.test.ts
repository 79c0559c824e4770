import { limits } from '@gatefold/protocol'
import { describe, expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import type { GatewayClient } from '../../features/GatewayClient.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import { useKits } from '../../testing/useKits.ts'
import type { Token } from '../tokens.ts'
import { getQuote } from './quote.ts'

const { start } = useKits()
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const best = {
  toAmount: '99',
  fee: 0.3,
  priceImpact: 0.05,
  gas: '180000',
  hasDeadline: false,
  route: [`eip155:1:${usdc}`, 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'],
}

/** Quotes 5 units of USDC for ether with a gateway that answers with `answer`. */
function quote(answer: unknown) {
  const request = vi.fn<GatewayClient['request']>(async () => {
    if (answer instanceof Error) throw answer
    return answer as Record<string, unknown>
  })
  const { kit } = start({ networks: [mainnet] }, { request, analyticsEnabled: async () => false })
  const network = kit.getState().networks[0]!
  const [pay, get] = [
    { network, address: usdc },
    { network, address: undefined },
  ] as Token[]
  const pair = { pay: pay!, get: get!, amount: 5n }
  return { pair, request, quoted: getQuote(kit, pair) }
}
const quoteOf = async (change: object) => quote({ quotes: [{ ...best, ...change }] }).quoted

describe('a quote', () => {
  test('is the first one of the gateway, for exactly the pair and the amount', async () => {
    const { pair, request, quoted } = quote({ quotes: [best, { ...best, toAmount: '1' }] })
    expect(await quoted).toEqual({
      ...pair,
      units: 99n,
      fee: 0.3,
      priceImpact: 0.05,
      gas: 180_000n,
      hasDeadline: false,
      route: [usdc, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'],
    })
    expect(request.mock.calls).toEqual([
      [
        '/v1/convert/quotes',
        {
          query: {
            amount: '5',
            from: `eip155:1:${usdc}`,
            to: 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
          },
          signal: undefined,
        },
      ],
    ])
  })

  test('of an older gateway has no fee, a usual gas, a deadline and no route', async () => {
    expect(await quote({ quotes: [{ toAmount: '99' }] }).quoted).toMatchObject({
      fee: 0,
      priceImpact: undefined,
      gas: BigInt(limits.swapGasUnits),
      hasDeadline: true,
      route: [],
    })
  })

  test.each([-1, Number.NaN, Infinity, '1'])(
    'attack: a price impact of %s is unknown',
    async (value) => {
      expect(await quoteOf({ priceImpact: value, fee: value })).toMatchObject({
        priceImpact: undefined,
        fee: 0,
      })
    },
  )

  test('without price impact has an impact of 0, not an unknown one', async () => {
    expect(await quoteOf({ priceImpact: 0 })).toMatchObject({ priceImpact: 0 })
  })

  test('attack: of a route, only addresses are used', async () => {
    expect(await quoteOf({ route: [7, null, `eip155:1:${usdc}`] })).toMatchObject({ route: [usdc] })
    expect(await quoteOf({ route: 'all' })).toMatchObject({ route: [] })
  })

  test.each(['1.5', '-1', '', 99, undefined])(
    'attack: error: an amount of %j is not accepted',
    async (toAmount) => {
      await expect(quoteOf({ toAmount })).rejects.toThrow('The gateway sent a malformed quote.')
    },
  )

  test('attack: error: a malformed gas is not accepted', async () => {
    await expect(quoteOf({ gas: 'much' })).rejects.toThrow('The gateway sent a malformed quote.')
  })
})

describe('without a quote', () => {
  test.each([
    [
      'the reason of the first provider',
      { quotes: [], reasons: [{ code: 'low_liquidity' }] },
      'low_liquidity',
    ],
    ['that there is no route', { quotes: [], reasons: [] }, 'no_route'],
    ['that there is no route, if the reason is malformed', { reasons: [{ code: 7 }] }, 'no_route'],
    [
      'that there is no route, if nothing is listed',
      { quotes: 'none', reasons: 'none' },
      'no_route',
    ],
    [
      'that there is too little liquidity, for an amount of 0',
      { quotes: [{ ...best, toAmount: '0' }] },
      'low_liquidity',
    ],
    [
      'the reason of an error',
      new GatewayError('No.', { reason: 'amount_too_small' }),
      'amount_too_small',
    ],
  ])('the result says %s', async (_, answer, refused) => {
    expect(await quote(answer).quoted).toEqual({ refused })
  })

  test('error: an error without a reason is passed on', async () => {
    const error = new GatewayError('Down.', { status: 503 })
    await expect(quote(error).quoted).rejects.toBe(error)
  })
})
