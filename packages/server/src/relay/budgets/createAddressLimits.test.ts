import { expect, test } from 'vitest'
import { createAddressLimits } from './createAddressLimits.ts'

function create(options: { sockets?: number; clients?: number } = {}) {
  let time = 0
  const limits = createAddressLimits({ sockets: 2, clients: 3, ...options, now: () => time })
  return { ...limits, pass: (ms: number) => void (time += ms) }
}

test('attack: an address may use a number of new client ids, which refills in an hour', () => {
  const { admitClient, pass } = create()
  expect(['1', '2', '3', '4'].map((id) => admitClient('a', id))).toEqual([true, true, true, false])
  expect([admitClient('a', '1'), admitClient('b', '4')]).toEqual([true, true])
  // A client id that another address brought is known.
  expect(admitClient('a', '4')).toBe(true)
  pass(1_199_000)
  expect(admitClient('a', '5')).toBe(false)
  pass(1_000)
  expect([admitClient('a', '5'), admitClient('a', '6')]).toEqual([true, false])
  pass(3_600_000)
  expect(['7', '8', '9', '10'].map((id) => admitClient('a', id))).toEqual([true, true, true, false])
})

test('attack: an address may have a number of open sockets', () => {
  const { admitSocket, opened, closed } = create({ clients: 100 })
  const open = (address: string) => {
    const admitted = admitSocket(address, 'client')
    if (admitted) opened(address)
    return admitted
  }
  expect([open('a'), open('a'), open('a'), open('b')]).toEqual([true, true, false, true])
  closed('a')
  expect([open('a'), open('a')]).toEqual([true, false])
  closed('a')
  closed('a')
  expect([open('a'), open('a'), open('a')]).toEqual([true, true, false])
  expect([open('b'), open('b')]).toEqual([true, false])
})

test('a socket needs a client id that is admitted', () => {
  const { admitSocket } = create({ clients: 1 })
  expect([admitSocket('a', '1'), admitSocket('a', '2'), admitSocket('a', '1')]).toEqual([
    true,
    false,
    true,
  ])
})

test('a socket that is refused uses up no client id', () => {
  const { admitSocket, admitClient, opened } = create({ sockets: 1, clients: 2 })
  expect(admitSocket('a', '1')).toBe(true)
  opened('a')
  expect([admitSocket('a', '2'), admitSocket('a', '3'), admitSocket('a', '4')]).toEqual([
    false,
    false,
    false,
  ])
  expect(admitClient('a', '5')).toBe(true)
})

test('a socket that was not counted does not make room for another', () => {
  const { admitSocket, opened, closed } = create({ sockets: 1 })
  closed('a')
  opened('a')
  expect(admitSocket('a', '1')).toBe(false)
})
