import { expect, it } from 'vitest'
import { readCalls } from './readCalls.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const to = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const read = (change: Record<string, unknown>) =>
  readCalls([{ version: '2.0.0', from, chainId: '0x7a69', calls: [{ to }], ...change }], {
    from,
    chainId: 'eip155:31337',
  })

it('reads the calls, and the version', () => {
  expect(read({})).toEqual({ calls: [{ to, value: 0n, data: '0x' }], isVersion1: false })
  expect(read({ version: '1.0', calls: [{ to, value: '0x1', data: '0x01' }] })).toEqual({
    calls: [{ to, value: 1n, data: '0x01' }],
    isVersion1: true,
  })
})

it('ignores optional capabilities', () => {
  expect(read({ capabilities: { paymasterService: { optional: true } } }).calls).toHaveLength(1)
})

it.each([
  ['to', to.slice(2)],
  ['to', '12'],
  ['data', 'ab'],
  ['data', ''],
])('error: §5.10.7 refuses calls whose %s is “%s”, without 0x', (member, value) => {
  expect(() => read({ calls: [{ to, [member]: value }] })).toThrow(`calls.0.${member}`)
})

it.each([
  ['no calls', { calls: [] }, /must not be empty/],
  ['too many calls', { calls: Array.from({ length: 21 }, () => ({ to })) }, /at most 20 calls/],
  ['another account', { from: to }, /another account/],
  ['another network', { chainId: '0x1' }, /another network/],
  ['an invalid address', { calls: [{ to: '0x12' }] }, /calls\.0\.to/],
  [
    'a capability that is missing',
    { capabilities: { paymasterService: { url: 'https://pay.example' } } },
    /does not have the capability paymasterService/,
  ],
  [
    'a capability of a call that is missing',
    { calls: [{ to, capabilities: { flowControl: {} } }] },
    /does not have the capability flowControl/,
  ],
])('error: refuses %s', (_, change, text) => {
  expect(() => read(change)).toThrow(text)
})
