import { encodeFunctionData, erc20Abi, maxUint256, parseEther, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Change } from '../rpc/simulateChanges.ts'
import { english } from '../strings/language.ts'
import { describeOperation } from './describeOperation.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chain = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }

const call = (data: Hex, value = 0n) => ({ to: contract, value, data }) as const
const approve = (amount: bigint) =>
  call(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [other, amount] }))

const about = (options: Partial<Parameters<typeof describeOperation>[0]>) =>
  describeOperation({
    language: english,
    calls: [{ to: other, value: parseEther('1.5'), data: '0x' }],
    chain,
    from,
    fee: parseEther('0.001'),
    isSponsored: true,
    isFirst: false,
    missing: 0n,
    token: () => Promise.resolve({ symbol: 'FLD', decimals: 6 }),
    isSettler: () => Promise.resolve(false),
    changes: undefined,
    ...options,
  })

describe('operations of smart accounts', () => {
  it('shows the changes of a simulation', async () => {
    const changes: Change[] = [{ amount: -5n * 10n ** 17n }, { contract, amount: 3_000_000n }]
    const movements = [
      { name: 'ETH', amount: '−0.5 ETH', isGain: false },
      { name: 'FLD 0x90F7…b906', amount: '+3', isGain: true },
    ]
    expect(await about({ calls: [call('0x6d8800aa')], changes })).toMatchObject({
      movements,
      second: { movements },
    })
  })

  it('says that the site pays for a call', async () => {
    expect(await about({})).toMatchObject({
      level: 'plain',
      sentence: 'Send 1.5 ETH to 0x3C44…93BC',
      movements: [{ name: 'ETH', amount: '−1.5 ETH' }],
      details: [
        ['To', other],
        ['Network', 'Basalt'],
        ['Network fee', 'Paid by the site'],
      ],
    })
  })

  it('says that the first operation creates the account, and that the visitor pays', async () => {
    const statement = await about({ isSponsored: false, isFirst: true })
    expect(statement.notes).toEqual([
      {
        level: 'info',
        title: 'Creates your smart account',
        text: 'You are using it for the first time on Basalt. The address stays the same.',
      },
    ])
    expect(statement.details.at(-1)).toEqual(['Network fee', 'At most 0.001 ETH, paid by you'])
  })

  it('a batch names each of its calls', async () => {
    const statement = await about({ calls: [approve(40_000_000n), call('0x', 1n)] })
    expect(statement).toMatchObject({
      level: 'plain',
      sentence: '2 calls, all of them or none',
      movements: [{ name: 'ETH', amount: '−0.000000000000000001 ETH' }],
      steps: [
        { sentence: 'Let 0x3C44…93BC spend 40 FLD' },
        { sentence: 'Send 0.000000000000000001 ETH to 0x90F7…b906' },
      ],
    })
  })

  it('attack: a dangerous call is not hidden in a batch', async () => {
    const statement = await about({ calls: [call('0x', 1n), approve(maxUint256)] })
    expect(statement).toMatchObject({
      level: 'danger',
      notes: [{ level: 'danger', title: 'Unlimited spending' }],
      tick: 'I know this contract and want to allow it.',
    })
  })

  it('attack: an unknown call in a batch needs a second approval, which shows its bytes', async () => {
    const statement = await about({ calls: [call('0x', 1n), call('0x6d8800aa')] })
    expect(statement).toMatchObject({ level: 'warn', steps: [{}, { exact: '0x6d8800aa' }] })
    expect(statement.second).toMatchObject({
      level: 'danger',
      exact: '0x6d8800aa',
      tick: 'I understand that I can’t know what this does.',
    })
  })

  it('the missing amount is named first', async () => {
    const statement = await about({ isSponsored: false, missing: parseEther('0.2') })
    expect(statement).toMatchObject({
      level: 'danger',
      notes: [{ title: '0.2 ETH short' }],
      tick: 'Send it anyway.',
    })
  })
})
