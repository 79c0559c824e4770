import { encodeFunctionData, parseAbi, type Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { english } from '../strings/language.ts'
import { describeTransaction } from './describeTransaction.ts'
import { limitCalls } from './limitCalls.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const spender = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const coin = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const unlimited = 2n ** 160n - 1n
const chain = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }
const token = () => Promise.resolve({ symbol: 'FLD', decimals: 6 })
const isSettler = () => Promise.resolve(false)

const approve = ({
  amount = 5_000_000n,
  expiration = 1_800_000_000,
  to = permit2,
}: { amount?: bigint; expiration?: number; to?: Address } = {}) => ({
  to,
  value: 0n,
  data: encodeFunctionData({
    abi: parseAbi([
      'function approve(address token, address spender, uint160 amount, uint48 expiration)',
    ]),
    args: [coin, spender, amount, expiration],
  }),
})
const about = (
  call = approve(),
  options: Partial<Parameters<typeof describeTransaction>[0]> = {},
) =>
  describeTransaction({
    language: english,
    call,
    chain,
    from,
    fee: 0n,
    missing: 0n,
    token,
    isSettler,
    failure: undefined,
    wasTried: true,
    changes: undefined,
    ...options,
  })

describe('an allowance through Permit2', () => {
  it('has its spender, amount, token and end', async () => {
    const end = new Date(1_800_000_000_000)
    const statement = await about()
    expect(statement).toMatchObject({
      level: 'plain',
      sentence: 'Let 0x3C44…93BC spend 5 FLD',
      notes: [],
    })
    expect(statement.details.slice(0, 5)).toEqual([
      ['Spender', spender],
      ['Amount', '5 FLD'],
      ['Allowed until', end.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })],
      ['Through Permit2', permit2],
      ['Contract', coin],
    ])
    expect(statement).not.toHaveProperty('second')
  })

  it.each([
    [0, 'Only in the block of this transaction'],
    [2 ** 48 - 1, 'No end date'],
  ])('with the expiration %s says what it means', async (expiration, text) => {
    expect((await about(approve({ expiration }))).details).toContainEqual(['Allowed until', text])
  })

  it('can end an allowance', async () => {
    const { sentence } = await about(approve({ amount: 0n }))
    expect(sentence).toBe('Stop 0x3C44…93BC from spending your FLD')
  })

  it('that is unlimited is dangerous, and the visitor can choose an amount', async () => {
    const call = approve({ amount: unlimited })
    expect(await about(call)).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend all your FLD',
      notes: [{ title: 'Unlimited spending' }],
      tick: 'I know this contract and want to allow it.',
    })
    const { calls, limits } = await limitCalls({
      calls: [call, approve()],
      from,
      chain,
      token,
      isSettler,
      balance: () => Promise.resolve(900n),
      chosen: new Map([
        [0, 25n],
        [1, 25n],
      ]),
    })
    expect(calls).toEqual([approve({ amount: 25n }), approve()])
    expect([...limits.keys()]).toEqual([0])
  })

  it('for an unknown contract does not name an NFT', async () => {
    const statement = await about(approve(), { token: () => Promise.resolve(undefined) })
    expect(statement.sentence).toBe('Let 0x3C44…93BC spend 5000000 units')
  })

  it('attack: of a contract other than Permit2 is a call that cannot be decoded', async () => {
    expect(await about(approve({ to: coin }))).toMatchObject({
      level: 'warn',
      notes: [{ title: 'We can’t tell what this does' }],
      second: { level: 'danger' },
    })
  })
})
