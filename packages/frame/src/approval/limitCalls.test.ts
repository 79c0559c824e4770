import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Call } from './describeTransaction.ts'
import { limitCalls, type ChosenLimits } from './limitCalls.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const router = '0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'
const wrapped = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const chain = {
  id: 'eip155:31337',
  name: 'Basalt',
  symbol: 'ETH',
  decimals: 18,
  uniswap: { router, wrapped },
} as const

const abi = parseAbi([
  'function increaseAllowance(address spender, uint256 amount)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)',
])
const call = (data: Hex, to: Call['to'] = token): Call => ({ to, value: 0n, data })
const approve = (amount: bigint, spender: `0x${string}` = router) =>
  call(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }))
const swap = (amount: bigint, pay: `0x${string}` = token) =>
  call(
    encodeFunctionData({
      abi,
      functionName: 'swapExactTokensForTokens',
      args: [amount, 1n, [pay, wrapped], from],
    }),
    router,
  )

const limit = (calls: readonly Call[], chosen: ChosenLimits = new Map(), symbol = 'FLD') =>
  limitCalls({
    calls,
    from,
    chain,
    token: () => Promise.resolve(symbol ? { symbol, decimals: 6 } : undefined),
    isSettler: () => Promise.resolve(false),
    balance: () => Promise.resolve(900n),
    chosen,
  })

describe('an unlimited approval', () => {
  it('stays unlimited if nobody knows what is needed, with the balance to choose', async () => {
    const { calls, limits } = await limit([approve(maxUint256)])
    expect(calls).toEqual([approve(maxUint256)])
    expect(limits).toEqual(
      new Map([
        [
          0,
          {
            call: 0,
            symbol: 'FLD',
            decimals: 6,
            amount: undefined,
            needed: undefined,
            balance: 900n,
          },
        ],
      ]),
    )
  })

  it('is lowered to what the swaps after it need', async () => {
    const { calls, limits } = await limit([approve(maxUint256), swap(40n), swap(2n)])
    expect(calls).toEqual([approve(42n), swap(40n), swap(2n)])
    expect(limits.get(0)).toMatchObject({ amount: 42n, needed: 42n })
  })

  it.each([
    ['of another token', [approve(maxUint256), swap(40n, other)]],
    ['through another contract', [approve(maxUint256, other), swap(40n)]],
    ['before it', [swap(40n), approve(maxUint256)]],
  ])('is not lowered by a swap %s', async (_, calls) => {
    expect((await limit(calls)).calls).toEqual(calls)
  })

  it('has the amount that the visitor has chosen, also unlimited', async () => {
    const calls = [approve(maxUint256), swap(40n)]
    const lowered = await limit(calls, new Map([[0, 25n]]))
    expect(lowered.calls).toEqual([approve(25n), swap(40n)])
    expect(lowered.limits.get(0)).toMatchObject({ amount: 25n, needed: 40n })
    const unlimited = await limit(calls, new Map([[0, undefined]]))
    expect(unlimited.calls).toEqual(calls)
    expect(unlimited.limits.get(0)).toMatchObject({ amount: undefined, needed: 40n })
  })

  it('can be an increase of the allowance', async () => {
    const args = [router, maxUint256] as const
    const increase = encodeFunctionData({ abi, functionName: 'increaseAllowance', args })
    const { calls } = await limit([call(increase)], new Map([[0, 25n]]))
    const lowered = encodeFunctionData({
      abi,
      functionName: 'increaseAllowance',
      args: [router, 25n],
    })
    expect(calls).toEqual([call(lowered)])
  })

  it('of a contract that is not a token is not changed: the amount can be an id', async () => {
    const { calls, limits } = await limit([approve(maxUint256)], new Map([[0, 25n]]), '')
    expect([calls, limits.size]).toEqual([[approve(maxUint256)], 0])
  })
})

it('other calls are not changed, whatever the visitor has chosen', async () => {
  const calls = [approve(40n), call('0x'), call('0x6d8800aa'), swap(40n)]
  const chosen = new Map(calls.map((_, index) => [index, 25n]))
  const { calls: limited, limits } = await limit(calls, chosen)
  expect([limited, limits.size]).toEqual([calls, 0])
})
