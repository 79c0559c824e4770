import { encodeFunctionData, ethAddress, maxUint256, zeroAddress } from 'viem'
import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { settler, swapAbi, swapContracts } from '../../gallery/swapCalls.ts'
import { english } from '../strings/language.ts'
import { describeTransaction } from './describeTransaction.ts'
import { readSwap } from './readSwap.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const coin = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const holder = swapContracts.zeroEx.allowanceHolder
const { router } = swapContracts.oneInch
const chain = {
  id: 'eip155:31337',
  name: 'Basalt',
  symbol: 'ETH',
  decimals: 18,
  ...swapContracts,
} as const

type Parts = { receiver?: Address; pays?: bigint; target?: Address; get?: Address }
const execute = ({ receiver = from, get = ethAddress }: Parts = {}) =>
  encodeFunctionData({
    abi: swapAbi,
    functionName: 'execute',
    args: [{ recipient: receiver, buyToken: get, minAmountOut: 40n }, [], `0x${'0'.repeat(64)}`],
  })
const exec = ({ pays = 50n, target = settler, ...parts }: Parts = {}) =>
  encodeFunctionData({
    abi: swapAbi,
    functionName: 'exec',
    args: [target, coin, pays, target, execute(parts)],
  })
const swap = ({ receiver = from, pays = 50n }: Parts = {}) =>
  encodeFunctionData({
    abi: swapAbi,
    functionName: 'swap',
    args: [
      other,
      {
        srcToken: coin,
        dstToken: ethAddress,
        srcReceiver: other,
        dstReceiver: receiver,
        amount: pays,
        minReturnAmount: 40n,
        flags: 0n,
      },
      '0x',
    ],
  })

const isSettler = (contract: Address) =>
  Promise.resolve(contract.toLowerCase() === settler.toLowerCase())
const read = (to: Address, data: Hex, value = 0n) =>
  readSwap({ to, data, value }, { chain, from, isSettler })

const sale = { pay: coin, most: 50n, get: undefined, least: 40n, isExact: true, receiver: from }
const purchase = { ...sale, pay: undefined, get: coin }

describe('a swap', () => {
  it('of 0x is read from a call of AllowanceHolder, or of the Settler', async () => {
    expect(await read(holder, exec())).toEqual({ ...sale, by: '0x' })
    expect(await read(settler, execute({ get: coin }), 50n)).toEqual({ ...purchase, by: '0x' })
  })

  it('of 1inch is read from a call of its router, which pays the caller in place of nobody', async () => {
    expect(await read(router, swap())).toEqual({ ...sale, by: '1inch' })
    expect(await read(router, swap({ receiver: zeroAddress }))).toEqual({ ...sale, by: '1inch' })
  })

  it('has another receiver', async () => {
    expect(await read(holder, exec({ receiver: other }))).toMatchObject({ receiver: other })
    expect(await read(holder, exec({ receiver: zeroAddress }))).toMatchObject({
      receiver: zeroAddress,
    })
    expect(await read(router, swap({ receiver: other }))).toMatchObject({ receiver: other })
  })

  it.each<[string, Address, Hex]>([
    ['0x', holder, exec()],
    ['1inch', router, swap()],
  ])('of %s is described in plain words', async (name, to, data) => {
    const statement = await describeTransaction({
      language: english,
      call: { to, value: 0n, data },
      chain,
      from,
      fee: 0n,
      missing: 0n,
      token: () => Promise.resolve({ symbol: 'FLD', decimals: 0 }),
      isSettler,
      failure: undefined,
      wasTried: true,
      changes: undefined,
    })
    expect(statement).toMatchObject({
      level: 'plain',
      sentence: 'Swap 50 FLD for at least 0.00000000000000004 ETH',
      details: expect.arrayContaining([[`Swapped by ${name}`, to]]) as unknown,
    })
    expect(statement).not.toHaveProperty('second')
  })
})

it('attack: a swap of a Settler that is not in the registry is not read', async () => {
  expect(await read(other, execute(), 50n)).toBeUndefined()
})

describe('attack: not read as a swap', () => {
  it.each<[string, Address, Hex]>([
    ['0x through another contract', other, exec()],
    ['0x by a Settler that is not in the registry', holder, exec({ target: other })],
    ['1inch through another contract', other, swap()],
    ['1inch through AllowanceHolder', holder, swap()],
    ['0x through the router of 1inch', router, exec()],
    ['0x for an unlimited amount', holder, exec({ pays: maxUint256 })],
    ['1inch for an unlimited amount', router, swap({ pays: maxUint256 })],
    ['1inch for nothing', router, swap({ pays: 0n })],
  ])('%s', async (_, to, data) => expect(await read(to, data)).toBeUndefined())

  it('contracts that the network does not have', async () => {
    const { zeroEx: _, oneInch: __, ...bare } = chain
    for (const [to, data] of [
      [holder, exec()],
      [router, swap()],
    ] as const)
      expect(
        await readSwap({ to, data, value: 0n }, { chain: bare, from, isSettler }),
      ).toBeUndefined()
  })
})
