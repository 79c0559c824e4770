import { encodeFunctionData, ethAddress, parseAbi, type Address, type Hex } from 'viem'

/** Functions of 0x's AllowanceHolder and Settler, and of 1inch's router. */
export const swapAbi = parseAbi([
  'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'function execute(Slippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, Description desc, bytes data)',
])

/** Contracts of 0x and 1inch. */
export const swapContracts = {
  zeroEx: {
    allowanceHolder: '0x0000000000001fF3684f28c67538d4D072C22734',
    settlers: '0x00000000000004533Fe15556B1E086BB1A72cEae',
  },
  oneInch: { router: '0x111111125421cA6dc452d289314280a0f8842A65' },
} as const

/** A Settler of 0x. */
export const settler = '0xDf31A70a21A1931e02033dBBa7DEaCe6c45cfd0f'

type Sale = { token: Address; amount: bigint; minimum: bigint; to: Address }

/** Sells a token for ether through 0x. */
export function sellThroughZeroEx({ token, amount, minimum, to }: Sale): Hex {
  const slippage = { recipient: to, buyToken: ethAddress, minAmountOut: minimum } as const
  const data = encodeFunctionData({
    abi: swapAbi,
    functionName: 'execute',
    args: [slippage, [], `0x${'0'.repeat(64)}`],
  })
  const args = [settler, token, amount, settler, data] as const
  return encodeFunctionData({ abi: swapAbi, functionName: 'exec', args })
}

/** Sells a token for ether through 1inch. */
export function sellThroughOneInch({ token, amount, minimum, to }: Sale): Hex {
  const sale = {
    srcToken: token,
    dstToken: ethAddress,
    srcReceiver: settler,
    dstReceiver: to,
    amount,
    minReturnAmount: minimum,
    flags: 0n,
  } as const
  return encodeFunctionData({ abi: swapAbi, functionName: 'swap', args: [settler, sale, '0x'] })
}
