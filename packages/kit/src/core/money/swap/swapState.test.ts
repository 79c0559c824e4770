import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'

import type { Token } from '../tokens.ts'
import { minimumOf, slippageFor } from './quote.ts'
import type { Refusal, SwapQuote } from './quote.ts'
import { parseAmount, swapState } from './swapState.ts'

const token = (address: string | undefined, decimals: number, units: bigint) =>
  ({ address, decimals, units, symbol: address ? 'USDC' : 'ETH' }) as Token
const ether = token(undefined, 18, 10n ** 18n)
const dollar = token('0x1', 6, 500_000_000n)
const gasPrice = 10n ** 9n
const reserve = gasPrice * BigInt(limits.swapGasUnits)
const quote = { units: 1n, gas: 200_000n } as SwapQuote

const stateOf = (
  pay: Token | undefined,
  text: string,
  more: {
    get?: Token
    quote?: SwapQuote | Refusal
    native?: Token
    isFailed?: boolean
    operation?: { fee: bigint | undefined }
  } = {},
) =>
  swapState({
    pay,
    get: pay === ether ? dollar : ether,
    text,
    native: ether,
    gasPrice,
    quote,
    isFailed: false,
    ...more,
  })

test.each([
  ['no token', undefined, '1', {}, 'noToken'],
  ['no amount', ether, '', {}, 'noAmount'],
  ['zero', ether, '0.00', {}, 'noAmount'],
  ['more decimals than the token has', dollar, '1.0000001', {}, 'decimals'],
  ['more than the balance', dollar, '500.000001', {}, 'balance'],
  ['an amount that leaves nothing for gas', ether, '1', {}, 'balance'],
  ['no native currency for gas', dollar, '5', { native: token(undefined, 18, 0n) }, 'gas'],
  ['no quote yet', dollar, '5', { quote: undefined }, 'quoting'],
  ['no gateway', dollar, '5', { quote: undefined, isFailed: true }, 'failed'],
  ['no route', dollar, '5', { quote: { refused: 'no_route' } }, 'refused'],
  ['nothing missing', dollar, '500', {}, 'ready'],
] as const)('§9.3.1 with %s', (_, pay, text, more, status) => {
  expect(stateOf(pay, text, more).status).toBe(status)
})

test('the maximum of the native currency leaves gas; that of a token is its balance', () => {
  expect(stateOf(ether, '').max).toBe(10n ** 18n - reserve)
  expect(stateOf(ether, '').reserve).toBe(reserve)
  expect(stateOf(dollar, '').max).toBe(500_000_000n)
  expect(stateOf(token(undefined, 18, 1n), '').max).toBe(0n)
})

describe('a smart account', () => {
  const empty = token(undefined, 18, 0n)

  test('without ether swaps tokens if a sponsor pays, or if the fee is not known', () => {
    for (const fee of [0n, undefined])
      expect(stateOf(dollar, '5', { native: empty, operation: { fee } }).status).toBe('ready')
    expect(stateOf(dollar, '5', { native: empty, operation: { fee: 1n } }).status).toBe('gas')
  })

  test('can pay with all ether if a sponsor pays', () => {
    const state = stateOf(ether, '1', { operation: { fee: 0n } })
    expect(state).toMatchObject({ status: 'ready', max: 10n ** 18n, reserve: 0n, fee: 0n })
  })

  test('can pay with what its fee leaves; the maximum leaves an eighth more', () => {
    const operation = { fee: 8n * 10n ** 15n }
    expect(stateOf(ether, '0.992', { operation })).toMatchObject({
      status: 'ready',
      max: 991n * 10n ** 15n,
    })
    expect(stateOf(ether, '0.992001', { operation }).status).toBe('balance')
  })
})

test.each([
  ['', 0n],
  ['.5', 500_000n],
  ['5.', 5_000_000n],
  ['1.2345678', undefined],
])('parses %j while it is typed', (text, units) => {
  expect(parseAmount(text, 6)).toBe(units)
})

test('§9.3.1 the minimum is the quote less the slippage, exactly', () => {
  expect(minimumOf(10n ** 30n + 1n, 100)).toBe(99n * 10n ** 28n)
  expect(minimumOf(199n, 100)).toBe(197n)
})

test('a later quote uses the largest slippage that keeps the minimum', () => {
  const minimum = minimumOf(1_000_000n, 100)
  expect(slippageFor(1_000_000n, minimum, 100)).toBe(100)
  expect(slippageFor(995_000n, minimum, 100)).toBe(50)
  // A better price raises the minimum.
  expect(slippageFor(2_000_000n, minimum, 100)).toBe(100)
  expect(slippageFor(minimum, minimum, 100)).toBeUndefined()
  expect(slippageFor(minimum - 1n, minimum, 100)).toBeUndefined()
  for (const units of [990_100n, 993_333n, 999_999n]) {
    const slippage = slippageFor(units, minimum, 100)!
    expect(minimumOf(units, slippage)).toBeGreaterThanOrEqual(minimum)
  }
})
