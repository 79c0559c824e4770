import { smartAccountAbi, smartAccountContracts } from '@gatefold/protocol/frame'
import {
  concat,
  encodeFunctionData,
  encodePacked,
  parseAbi,
  size,
  type Address,
  type Hex,
} from 'viem'

const abi = parseAbi(smartAccountAbi)

export type SmartCall = { to: Address; value: bigint; data: Hex }

/** The call data of an operation that executes calls atomically. */
export function encodeCalls(calls: readonly SmartCall[]): Hex {
  const [first, ...rest] = calls
  if (first && rest.length === 0) return execute(first, 0)
  const transactions = concat(
    calls.map(({ to, value, data }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, to, value, BigInt(size(data)), data],
      ),
    ),
  )
  const data = encodeFunctionData({ abi, functionName: 'multiSend', args: [transactions] })
  return execute({ to: smartAccountContracts.multiSend, value: 0n, data }, 1)
}

/** @param operation - 0 for a call, 1 for a delegate call. */
function execute({ to, value, data }: SmartCall, operation: 0 | 1): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'executeUserOp',
    args: [to, value, data, operation],
  })
}
