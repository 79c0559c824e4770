import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { PaymasterBody, PaymasterFields } from './paymaster.ts'

const address = `0x${'aB'.repeat(20)}`
const operation = {
  sender: address,
  nonce: '0x1',
  factory: address,
  factoryData: '0xaB',
  callData: '0x',
  callGasLimit: '0x2',
  verificationGasLimit: '0x3',
  preVerificationGas: '0x4',
  maxFeePerGas: '0x5',
  maxPriorityFeePerGas: '0x6',
  paymasterVerificationGasLimit: '0x7',
  paymasterPostOpGasLimit: '0x8',
}
const needed = ['sender', 'nonce', 'callData', 'maxFeePerGas', 'maxPriorityFeePerGas']
const bodyOf = (sent: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'pm_getPaymasterData',
  params: [sent, address, '0x1', { owner: address }],
})
const accepts = (body: unknown) => v.is(PaymasterBody, body)

test('a request is read with all of its members, and quantities become numbers', () => {
  expect(v.parse(PaymasterBody, bodyOf(operation))).toEqual({
    ...bodyOf(operation),
    params: [
      {
        ...operation,
        nonce: 1n,
        callGasLimit: 2n,
        verificationGasLimit: 3n,
        preVerificationGas: 4n,
        maxFeePerGas: 5n,
        maxPriorityFeePerGas: 6n,
        paymasterVerificationGasLimit: 7n,
        paymasterPostOpGasLimit: 8n,
      },
      address,
      1n,
      { owner: address },
    ],
  })
})

test('an operation requires some members; missing gas values are 0', () => {
  for (const member of Object.keys(operation)) {
    const { [member as 'nonce']: _, ...rest } = operation
    expect([member, accepts(bodyOf(rest))]).toEqual([member, !needed.includes(member)])
  }
  const least = Object.fromEntries(
    Object.entries(operation).filter(([key]) => needed.includes(key)),
  )
  expect(v.parse(PaymasterBody, bodyOf(least)).params[0]).toMatchObject({
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
  })
})

test('a request requires all of its members', () => {
  const body = bodyOf(operation)
  for (const member of Object.keys(body)) {
    const { [member as 'params']: _, ...rest } = body
    expect([member, accepts(rest)]).toEqual([member, false])
  }
  expect(accepts({ ...body, method: 'pm_getPaymasterStubData' })).toBe(true)
  for (const change of [{ method: 'pm_sponsorUserOperation' }, { jsonrpc: '1.0' }, { id: 1.5 }])
    expect(accepts({ ...body, ...change })).toBe(false)
  expect(accepts({ ...body, params: [...body.params.slice(0, 3), {}] })).toBe(false)
})

describe('attack: an operation', () => {
  test.each<[string, unknown[], [value: unknown, message?: string][]]>([
    [
      'sender',
      [address],
      [
        [address.slice(2), 'must be an address'],
        [`${address}0`, 'must be an address'],
        [`x${address}`, 'must be an address'],
        [1, 'must be text'],
      ],
    ],
    [
      'callData',
      ['0x', `0x${'00'.repeat(24_576)}`],
      [
        [`0x${'00'.repeat(24_577)}`, 'must have at most 24576 bytes'],
        ['0x0', 'must be bytes in hexadecimal'],
        ['0xgg', 'must be bytes in hexadecimal'],
        ['x0x', 'must be bytes in hexadecimal'],
        ['0x00\n', 'must be bytes in hexadecimal'],
        [1, 'must be text'],
      ],
    ],
    ['factoryData', [`0x${'00'.repeat(4_096)}`], [[`0x${'00'.repeat(4_097)}`]]],
    [
      'nonce',
      ['0x0', '0xAb', `0x${'f'.repeat(64)}`],
      [
        [`0x${'0'.repeat(65)}`, 'must be a quantity in hexadecimal'],
        ['0x', 'must be a quantity in hexadecimal'],
        ['1', 'must be a quantity in hexadecimal'],
        ['x0x1', 'must be a quantity in hexadecimal'],
        [1, 'must be text'],
      ],
    ],
    ...['callGasLimit', 'maxFeePerGas', 'paymasterPostOpGasLimit'].map(
      (member): [string, unknown[], [unknown, string?][]] => [
        member,
        [`0x${'f'.repeat(32)}`],
        [[`0x1${'0'.repeat(32)}`, 'must fit into 128 bits']],
      ],
    ),
  ])('with another %s is refused', (member, right, wrong) => {
    const read = (value: unknown) =>
      v.safeParse(PaymasterBody, bodyOf({ ...operation, [member]: value }))
    for (const value of right) expect(read(value).success).toBe(true)
    for (const [value, message] of wrong) {
      const problems = read(value).issues?.map((issue) => issue.message) ?? []
      expect(problems).toContain(message ?? problems[0])
    }
  })
})

test('the fields of a paid operation are required', () => {
  const fields = {
    paymaster: address,
    paymasterData: '0x',
    paymasterVerificationGasLimit: '0x1',
    paymasterPostOpGasLimit: '0x0',
  }
  expect(v.parse(PaymasterFields, fields)).toEqual(fields)
  for (const member of Object.keys(fields)) {
    const { [member as 'paymaster']: _, ...rest } = fields
    expect([member, v.is(PaymasterFields, rest)]).toEqual([member, false])
  }
})
