import { encodeFunctionData, erc20Abi, parseAbi, parseEther, type Address } from 'viem'
import { expect, it } from 'vitest'
import { english } from '../strings/language.ts'
import { describeOperation } from './describeOperation.ts'
import { describeTransaction } from './describeTransaction.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const coin = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const router = '0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'
const wrapped = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const uniswap = { router, wrapped } as const
const basalt = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }
const chain = { ...basalt, uniswap }
const token = (address: Address) =>
  Promise.resolve(address === coin ? { symbol: 'FLD', decimals: 6 } : undefined)

const abi = parseAbi([
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to)',
])
const ether = parseEther('0.2')
const pathOf = { buy: [wrapped, coin], sell: [coin, wrapped] } as const
const swapFor = (minimum: bigint, receiver: Address) =>
  encodeFunctionData({
    abi,
    functionName: 'swapExactTokensForTokens',
    args: [ether, minimum, pathOf.buy, receiver],
  })
const sell = encodeFunctionData({
  abi,
  functionName: 'swapTokensForExactTokens',
  args: [ether, 7_000_000n, pathOf.sell, from],
})

const about = (options: Partial<Parameters<typeof describeTransaction>[0]>) =>
  describeTransaction({
    language: english,
    call: { to: router, value: ether, data: swapFor(5_500_000n, from) },
    chain,
    from,
    fee: parseEther('0.001'),
    missing: 0n,
    token,
    isSettler: () => Promise.resolve(false),
    failure: undefined,
    wasTried: true,
    changes: undefined,
    ...options,
  })

it('a swap says what is paid at most, what is received at least, and by whom', async () => {
  const statement = await about({})
  expect(statement).toMatchObject({
    level: 'plain',
    sentence: 'Swap 0.2 ETH for at least 5.5 FLD',
    notes: [],
    movements: [
      { name: 'ETH', amount: '−0.2 ETH' },
      { name: 'FLD, at least', amount: '+5.5 FLD', isGain: true },
    ],
    details: [
      ['You pay at most', '0.2 ETH'],
      ['You get at least', '5.5 FLD'],
      ['To', 'This account'],
      ['Contract of FLD', coin],
      ['Swapped by Uniswap', router],
      ['Network', 'Basalt'],
      ['Gas, at most', '0.001 ETH'],
    ],
  })
  expect(statement).not.toHaveProperty('second')
  expect(statement).not.toHaveProperty('tick')
})

it('a swap for an exact amount says so; a token without a name is named by its contract', async () => {
  expect(await about({ call: { to: router, value: 0n, data: sell } })).toMatchObject({
    sentence: 'Swap at most 7 FLD for 200000000000000000 units of 0x15d3…6A65',
    movements: [{ name: 'FLD', amount: '−7 FLD' }, {}],
  })
})

it('a swap shows the changes of a simulation, not the limits', async () => {
  const changes = [{ amount: -ether }, { contract: coin, amount: 5_600_000n } as const]
  expect((await about({ changes })).movements).toEqual([
    { name: 'ETH', amount: '−0.2 ETH', isGain: false },
    { name: 'FLD 0x90F7…b906', amount: '+5.6', isGain: true },
  ])
})

it('attack: a swap whose coins go to someone else is dangerous, and names the receiver', async () => {
  const call = { to: router, value: ether, data: swapFor(5_500_000n, other) } as const
  const { movements, ...statement } = await about({ call })
  expect(statement).toMatchObject({
    level: 'danger',
    notes: [
      {
        title: 'Someone else gets the coins',
        text: 'You pay, but the FLD goes to 0x3C44…93BC, not to this account.',
      },
    ],
    tick: 'Send it anyway.',
  })
  expect(statement.details).toContainEqual(['To', other])
  expect(movements).toEqual([{ name: 'ETH', amount: '−0.2 ETH' }])
})

it('attack: a swap without a minimum is dangerous', async () => {
  const call = { to: router, value: ether, data: swapFor(0n, from) } as const
  expect(await about({ call })).toMatchObject({
    level: 'danger',
    notes: [{ title: 'No minimum' }],
    tick: 'Send it anyway.',
  })
})

it.each([
  ['through a contract that is not the network’s router', { to: other }, chain],
  ['on a network without a router', {}, basalt],
  ['with a call that the router would not swap', { data: '0x6d8800aa' }, chain],
] as const)('attack: a swap %s is a call that cannot be decoded', async (_, change, network) => {
  const call = { to: router, value: ether, data: swapFor(5_500_000n, from), ...change } as const
  expect(await about({ call, chain: network })).toMatchObject({
    level: 'warn',
    notes: [{ title: 'We can’t tell what this does' }],
    second: { level: 'danger' },
  })
})

it('an approval and its swap in one batch are approved once', async () => {
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, 7_000_000n],
  })
  const statement = await describeOperation({
    language: english,
    calls: [
      { to: coin, value: 0n, data: approve },
      { to: router, value: 0n, data: sell },
    ],
    chain,
    from,
    fee: 0n,
    isSponsored: true,
    isFirst: false,
    missing: 0n,
    token,
    isSettler: () => Promise.resolve(false),
    changes: undefined,
  })
  expect(statement).toMatchObject({
    level: 'plain',
    steps: [
      { sentence: 'Let 0x1376…2289 spend 7 FLD' },
      { sentence: expect.stringMatching(/^Swap at most 7 FLD for/) as string },
    ],
  })
  expect(statement).not.toHaveProperty('second')
})
