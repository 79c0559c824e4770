import { expect, test } from 'vitest'
import { acceptKnownTransaction } from './transactionHash.ts'

// The example transaction from EIP-155, and its hash.
const rawTransaction =
  '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
const hash = '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788'
const known = { error: { code: -32_000, message: 'already known' } }

test('the error “already known” is replaced by the transaction’s hash', () => {
  expect(
    acceptKnownTransaction({ method: 'eth_sendRawTransaction', params: [rawTransaction] }, known),
  ).toEqual({ result: hash })
})

test.each([
  [
    'another error',
    'eth_sendRawTransaction',
    '0xf86c',
    { error: { code: -32_000, message: 'nonce too low' } },
  ],
  ['the reply to another method', 'eth_call', '0xf86c', known],
  ['the error for a blob transaction', 'eth_sendRawTransaction', '0x03f86c', known],
  ['a result', 'eth_sendRawTransaction', '0xf86c', { result: '0x1' }],
])('%s is returned unchanged', (_name, method, raw, reply) => {
  expect(acceptKnownTransaction({ method, params: [raw] }, reply)).toBe(reply)
})

test.each([undefined, {}, [], [7]])(
  'the error is returned unchanged if the params contain no transaction (%j)',
  (params) => {
    expect(acceptKnownTransaction({ method: 'eth_sendRawTransaction', params }, known)).toBe(known)
  },
)
