import { expect, test } from 'vitest'
import type { Entry, Holding, Money } from '../wallet/money.ts'
import { firstSteps } from './firstSteps.ts'

const holding = (symbol: string): Holding => ({
  id: symbol,
  name: symbol,
  symbol,
  network: 'Local',
  amount: '1',
  value: '1',
  image: undefined,
})
const entry = (action: Entry['action'], status: Entry['status'] = 'confirmed'): Entry => ({
  id: action,
  action,
  status,
  time: 0,
  moves: [],
})

function account(parts: {
  symbols?: string[]
  entries?: Entry[]
  isComplete?: boolean
  changes?: Partial<Money>
}): Omit<Money, 'open'> {
  const { symbols = [], entries = [], isComplete = true, changes } = parts
  return {
    holdings: {
      status: 'known',
      value: { holdings: symbols.map(holding), currency: 'USD', total: '0', isPartial: false },
    },
    latest: { status: 'known', value: { entries, isComplete } },
    canBuy: true,
    zone: 'book.eth',
    hasName: false,
    ...changes,
  }
}

const ticked = (money: Omit<Money, 'open'>) =>
  firstSteps(money, true)?.map(({ key, isDone }) => `${key} ${isDone}`)

test('an empty account has three open steps, which begin with the test card', () => {
  expect(ticked(account({}))).toEqual(['fund false', 'swap false', 'name false'])
  const [first] = firstSteps(account({}), true)!
  expect(first).toMatchObject({
    action: 'Pay with a test card',
    opens: { view: 'OnRampProviders' },
  })
})

test('the account’s holdings and transactions complete the steps', () => {
  expect(ticked(account({ symbols: ['ETH'] }))).toEqual(['fund true', 'swap false', 'name false'])
  const swapped = account({ symbols: ['ETH', 'USDC'], entries: [entry('trade')] })
  expect(ticked(swapped)).toEqual(['fund true', 'swap true', 'name false'])
  const pending = account({ symbols: ['ETH'], entries: [entry('trade', 'pending')] })
  expect(ticked(pending)).toEqual(['fund true', 'swap false', 'name false'])
  expect(ticked({ ...swapped, hasName: true })).toEqual([])
})

test('an account that is not new has no first steps', () => {
  expect(ticked(account({ symbols: ['ETH', 'USDC', 'BOOK', 'WETH'] }))).toEqual([])
  const entries = Array.from({ length: 6 }, () => entry('receive'))
  expect(ticked(account({ symbols: ['ETH'], entries }))).toEqual([])
  expect(ticked(account({ symbols: ['ETH'], isComplete: false }))).toEqual([])
})

test('without a provider to buy from, the first step shows the address', () => {
  const [first] = firstSteps(account({ changes: { canBuy: false } }), false)!
  expect(first).toMatchObject({ action: 'Show my address', opens: { view: 'WalletReceive' } })
})

test('without a zone, there is no step for a name', () => {
  expect(ticked(account({ changes: { zone: undefined } }))).toEqual(['fund false', 'swap false'])
})

test('nothing is known while the lists load; there are no steps if they fail', () => {
  expect(ticked(account({ changes: { holdings: { status: 'loading' } } }))).toBeUndefined()
  expect(ticked(account({ changes: { latest: { status: 'loading' } } }))).toBeUndefined()
  expect(ticked(account({ changes: { hasName: undefined } }))).toBeUndefined()
  const failed = { status: 'failed', retry: () => {} } as const
  expect(ticked(account({ changes: { latest: failed } }))).toEqual([])
})
