import { encodeFunctionData, parseAbi, type Address, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { nativeTokenAddress as native, readOneInchSwap, readZeroExSwap } from './swapCalls.ts'

const account = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const holder = '0x0000000000001ff3684f28c67538d4d072c22734'
const settler = '0xdf31a70a21a1931e02033dbba7deace6c45cfd0f'

const abi = parseAbi([
  'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'function execute(Slippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, Description desc, bytes data)',
])
const execute = (get: Address = weth) =>
  encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [
      { recipient: account, buyToken: get, minAmountOut: 4n },
      ['0x1234'],
      `0x${'0'.repeat(64)}`,
    ],
  })
const exec = ({ token = usdc, operator = settler, data = execute() } = {}) =>
  encodeFunctionData({
    abi,
    functionName: 'exec',
    args: [operator as Address, token as Address, 5n, settler, data],
  })
const swap = ({ pay = usdc, flags = 0n }: { pay?: Address; flags?: bigint } = {}) =>
  encodeFunctionData({
    abi,
    functionName: 'swap',
    args: [
      settler,
      {
        srcToken: pay,
        dstToken: weth,
        srcReceiver: settler,
        dstReceiver: account,
        amount: 5n,
        minReturnAmount: 4n,
        flags,
      },
      '0x12',
    ],
  })

/** Replaces a word of the arguments. */
const withWord = (data: Hex, index: number, change: (word: string) => string): Hex => {
  const start = 10 + index * 64
  return `${data.slice(0, start)}${change(data.slice(start, start + 64))}${data.slice(start + 64)}` as Hex
}
/** A bit above the 160 of an address. */
const dirty = (word: string) => `1${word.slice(1)}`
const elsewhere = (word: string) => `${word.slice(0, -2)}ff`

const paid = { pay: usdc, get: weth, amount: 5n, minimum: 4n, recipient: account }

describe('the swap of 0x', () => {
  const read = (data: Hex, value = 0n, to: Address = holder) => readZeroExSwap({ to, data, value })

  test('has its tokens, amounts, recipient and contracts', () => {
    expect(read(exec())).toEqual({ ...paid, settler, holder })
    expect(read(exec({ data: execute(native) }))).toMatchObject({ get: native })
    expect(read(exec().toUpperCase().replace('0X', '0x') as Hex)).toMatchObject(paid)
  })

  test('of the native currency is a call of the Settler or of AllowanceHolder', () => {
    const contracts = { settler, holder: undefined }
    expect(read(execute(), 5n, settler)).toEqual({ ...paid, pay: native, ...contracts })
    expect(read(exec({ token: native }), 5n)).toMatchObject({ ...paid, pay: native, holder })
  })

  test.each<[string, Hex, bigint?]>([
    ['nothing', '0x'],
    ['another function', '0x6d8800aa'],
    ['a swap of 1inch', swap()],
    ['exec in exec', exec({ data: exec() })],
    ['call data that is cut off', exec().slice(0, -64) as Hex],
    ['a Settler that is paid nothing', execute()],
    ['an operator that is not the Settler', exec({ operator: account })],
    ['a token and the native currency', exec(), 5n],
    ['a value that is not the amount', exec({ token: native }), 4n],
    ['a token with more bits than an address', withWord(exec(), 1, dirty)],
    ['bytes at another offset', withWord(exec(), 4, elsewhere)],
    ['more bytes than the call has', withWord(exec(), 5, dirty)],
    ['a recipient with more bits than an address', withWord(execute(), 0, dirty), 5n],
  ])('error: is not read from %s', (_, data, value) => {
    expect(read(data, value)).toBeUndefined()
  })
})

describe('the swap of 1inch', () => {
  const read = (data: Hex, value = 0n) => readOneInchSwap({ data, value })

  test('has its tokens, amounts and recipient', () => {
    expect(read(swap())).toEqual(paid)
    expect(read(swap({ pay: native }), 5n)).toEqual({ ...paid, pay: native })
  })

  test('may have bytes after it, which the service adds', () => {
    expect(read(`${swap()}9a635db5`)).toEqual(paid)
  })

  test.each<[string, Hex, bigint?]>([
    ['another function', '0x6d8800aa'],
    ['call data that is cut off', swap().slice(0, 10 + 7 * 64) as Hex],
    ['a partial fill', swap({ flags: 1n })],
    ['a token and the native currency', swap(), 5n],
    ['a value that is not the amount', swap({ pay: native }), 4n],
    ['a recipient with more bits than an address', withWord(swap(), 4, dirty)],
  ])('error: is not read from %s', (_, data, value) => {
    expect(read(data, value)).toBeUndefined()
  })
})
