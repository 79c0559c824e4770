import { beforeEach, describe, expect, test } from 'vitest'
import { createStorageBudgets, type StorageBudgets } from './createStorageBudgets.ts'

const slotMs = 60_000
const bytes = { address: 10_000, client: 20_000, project: 30_000, process: 40_000 }

let time: number
let budgets: StorageBudgets
beforeEach(() => {
  time = 1_000 * slotMs
  budgets = createStorageBudgets({ bytes, now: () => time })
})

let count = 0
const item = (size: number, name = `m${(count += 1)}`, expiresAt = time + 10 * slotMs) => ({
  name,
  bytes: size,
  expiresAt,
})
const payer = (address: string, clientId = address, projectId = address) => ({
  address,
  clientId,
  projectId,
})

test.each<[string, number, (index: number) => ReturnType<typeof payer>]>([
  ['address', 10_000, (index) => payer('a', `${index}`, `${index}`)],
  ['client', 20_000, (index) => payer(`${index}`, 'a', `${index}`)],
  ['project', 30_000, (index) => payer(`${index}`, `${index}`, 'a')],
  ['process', 40_000, (index) => payer(`${index}`)],
])('attack: a budget per %s is used up to its last byte', (_kind, most, payerOf) => {
  for (let index = 0; index < most / 2_000; index += 1)
    expect(budgets.charge(payerOf(index), [item(2_000)])).toHaveLength(1)
  expect(budgets.charge(payerOf(99), [item(1)])).toBeUndefined()
  const others = budgets.charge(payer('other'), [item(1_024)])
  expect(others?.length).toBe(_kind === 'process' ? undefined : 1)
})

test('an address, a client and a project of the same name have their own budgets', () => {
  expect(budgets.charge(payer('a', 'b', 'c'), [item(10_000)])).toHaveLength(1)
  expect(budgets.charge(payer('b', 'c', 'a'), [item(10_000)])).toHaveLength(1)
  expect(budgets.charge(payer('c', 'a', 'b'), [item(10_000)])).toHaveLength(1)
})

test('attack: a small message counts as 1 KiB', () => {
  for (let index = 0; index < 9; index += 1)
    expect(budgets.charge(payer('a'), [item(1)])).toHaveLength(1)
  expect(budgets.charge(payer('a'), [item(0)])).toBeUndefined()
  // 784 bytes remain.
  budgets.release(['none'])
  expect(budgets.charge(payer('a'), [])).toEqual([])
})

test('a message of more than 1 KiB counts with its bytes', () => {
  expect(budgets.charge(payer('a'), [item(5_000), item(5_001)])).toBeUndefined()
  expect(budgets.charge(payer('a'), [item(5_000), item(5_000)])).toHaveLength(2)
})

test('a batch is charged for all messages or for none', () => {
  expect(budgets.charge(payer('a'), [item(6_000), item(6_000)])).toBeUndefined()
  expect(budgets.charge(payer('a'), [item(10_000)])).toHaveLength(1)
})

test('a message is charged once, even when the budget is used up', () => {
  const first = item(10_000, 'once')
  expect(budgets.charge(payer('a'), [first, first])).toEqual(['once'])
  expect(budgets.charge(payer('a'), [first])).toEqual([])
  expect(budgets.charge(payer('a'), [first, item(1, 'more')])).toBeUndefined()
  expect(budgets.charge(payer('b'), [first, item(1, 'more')])).toEqual(['more'])
})

test('a released message is no longer charged, and only once', () => {
  const one = item(10_000)
  const two = item(2_000)
  budgets.charge(payer('a', 'x', 'y'), [one])
  budgets.charge(payer('b', 'x', 'y'), [two])
  budgets.release([one.name, one.name, 'unknown'])
  budgets.release([one.name])
  expect(budgets.charge(payer('a'), [item(10_001)])).toBeUndefined()
  expect(budgets.charge(payer('a'), [item(10_000)])).toHaveLength(1)
  // Two is still charged.
  expect(budgets.charge(payer('b'), [item(8_001)])).toBeUndefined()
  expect(budgets.charge(payer('b'), [item(8_000)])).toHaveLength(1)
})

describe('an expired message', () => {
  test('is released within a minute', () => {
    expect(budgets.charge(payer('a'), [item(9_000, 'a', time + slotMs)])).toHaveLength(1)
    expect(budgets.charge(payer('a'), [item(1_000, 'b', time + slotMs)])).toBeUndefined()
    time += 2 * slotMs - 1
    expect(budgets.charge(payer('a'), [item(9_000)])).toBeUndefined()
    time += 1
    expect(budgets.charge(payer('a'), [item(9_000)])).toHaveLength(1)
  })

  test('is released together with others of the same minute', () => {
    const at = time + slotMs
    expect(budgets.charge(payer('a'), [item(5_000, 'a', at), item(4_000, 'b', at)])).toHaveLength(2)
    time += 2 * slotMs
    expect(budgets.charge(payer('a'), [item(10_000)])).toHaveLength(1)
  })

  test('is released although others expire later', () => {
    budgets.charge(payer('a'), [item(5_000, 'soon', time), item(5_000, 'late', time + 9 * slotMs)])
    time += slotMs
    expect(budgets.charge(payer('a'), [item(5_001)])).toBeUndefined()
    expect(budgets.charge(payer('a'), [item(5_000)])).toHaveLength(1)
  })

  test('is released if it had expired before it was charged', () => {
    budgets.charge(payer('a'), [item(10_000, 'old', time - 5 * slotMs)])
    expect(budgets.charge(payer('a'), [item(1)])).toBeUndefined()
    time += slotMs
    expect(budgets.charge(payer('a'), [item(10_000)])).toHaveLength(1)
  })

  test('may be published again', () => {
    budgets.charge(payer('a'), [item(9_000, 'again', time)])
    time += slotMs
    expect(budgets.charge(payer('a'), [item(9_000, 'again')])).toEqual(['again'])
  })
})
