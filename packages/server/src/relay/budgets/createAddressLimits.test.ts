import { expect, test } from 'vitest'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import { createRateLimit } from '../requests/createRateLimit.ts'
import { createAddressLimits } from './createAddressLimits.ts'

function create(options: { sockets?: number; clients?: number } = {}) {
  let time = 0
  const { sockets = 2, clients: burst = 3 } = options
  const newClients = createTokenBuckets({ burst, perSecond: burst / 3_600, now: () => time })
  const newTopics = createTokenBuckets({ burst: 10, perSecond: 10 / 3_600, now: () => time })
  const connects = createRateLimit({ burst: 100, perSecond: 10, now: () => time })
  const limits = createAddressLimits({ sockets, newClients, newTopics, connects })
  return { limits, pass: (ms: number) => void (time += ms) }
}

test('attack: the number of new client ids per address is limited, and replenished within an hour', () => {
  const { limits, pass } = create()
  expect(['1', '2', '3', '4'].map((id) => limits.admitClient('a', id))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([limits.admitClient('a', '1'), limits.admitClient('b', '4')]).toEqual([true, true])
  // A client id that another address has used is known.
  expect(limits.admitClient('a', '4')).toBe(true)
  pass(1_199_000)
  expect(limits.admitClient('a', '5')).toBe(false)
  pass(1_000)
  expect([limits.admitClient('a', '5'), limits.admitClient('a', '6')]).toEqual([true, false])
  pass(3_600_000)
  expect(['7', '8', '9', '10'].map((id) => limits.admitClient('a', id))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('attack: the number of new subscriptions per address is limited, and replenished within an hour', () => {
  const { limits, pass } = create()
  expect([limits.admitTopics('a', 8), limits.admitTopics('a', 3)]).toEqual([true, false])
  expect([limits.admitTopics('a', 0), limits.admitTopics('b', 10)]).toEqual([true, true])
  expect([limits.admitTopics('a', 2), limits.admitTopics('a', 0)]).toEqual([true, true])
  expect(limits.admitTopics('a', 1)).toBe(false)
  pass(3_600_000)
  expect([limits.admitTopics('a', 10), limits.admitTopics('a', 1)]).toEqual([true, false])
})

test('attack: the subscriptions of clients that connect from an address are limited', () => {
  const { limits, pass } = create()
  const admit = (topics: number) => [limits.mayConnect('a'), limits.admitConnect('a', topics)]
  expect([admit(60), admit(60)]).toEqual([
    [true, true],
    [true, true],
  ])
  expect([limits.mayConnect('a'), limits.mayConnect('b')]).toEqual([false, true])
  // Clients that connect at the same time are counted until the debt is 60 s.
  expect([limits.admitConnect('a', 600), limits.admitConnect('a', 1)]).toEqual([true, false])
  pass(61_999)
  expect(limits.mayConnect('a')).toBe(false)
  pass(1)
  expect(limits.mayConnect('a')).toBe(true)
})

test('attack: the number of open sockets per address is limited', () => {
  const { limits } = create({ clients: 100 })
  const open = (address: string) => {
    const admitted = limits.admitSocket(address, 'client')
    if (admitted) limits.opened(address)
    return admitted
  }
  expect([open('a'), open('a'), open('a'), open('b')]).toEqual([true, true, false, true])
  limits.closed('a')
  expect([open('a'), open('a')]).toEqual([true, false])
  limits.closed('a')
  limits.closed('a')
  expect([open('a'), open('a'), open('a')]).toEqual([true, true, false])
  expect([open('b'), open('b')]).toEqual([true, false])
})

test('a socket needs an admitted client id', () => {
  const { limits } = create({ clients: 1 })
  expect([
    limits.admitSocket('a', '1'),
    limits.admitSocket('a', '2'),
    limits.admitSocket('a', '1'),
  ]).toEqual([true, false, true])
})

test('the client id of a refused socket does not count as a new client id', () => {
  const { limits } = create({ sockets: 1, clients: 2 })
  expect(limits.admitSocket('a', '1')).toBe(true)
  limits.opened('a')
  expect([
    limits.admitSocket('a', '2'),
    limits.admitSocket('a', '3'),
    limits.admitSocket('a', '4'),
  ]).toEqual([false, false, false])
  expect(limits.admitClient('a', '5')).toBe(true)
})

test('closing a socket that was not counted makes no room for another', () => {
  const { limits } = create({ sockets: 1 })
  limits.closed('a')
  limits.opened('a')
  expect(limits.admitSocket('a', '1')).toBe(false)
})
