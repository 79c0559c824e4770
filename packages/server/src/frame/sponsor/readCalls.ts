import { smartAccountAbi, smartAccountContracts } from '@gatefold/protocol/frame'
import { decodeFunctionData, parseAbi, size, slice, type Address, type Hex } from 'viem'

const abi = parseAbi(smartAccountAbi)

/** One call of an operation. */
export type Call = { to: Address; value: bigint; data: Hex }

/**
 * Decodes the calls of a smart account's operation.
 *
 * @param callData - of the operation.
 * @returns `undefined` if it does anything else, such as a delegate call to another contract.
 */
export function readCalls(callData: Hex): Call[] | undefined {
  const outer = decode(callData)
  if (outer?.functionName !== 'executeUserOp') return undefined
  const [to, value, data, operation] = outer.args
  if (operation === 0) return [{ to, value, data }]
  if (to !== smartAccountContracts.multiSend || value !== 0n) return undefined
  const inner = decode(data)
  if (inner?.functionName !== 'multiSend') return undefined
  return readBatch(inner.args[0])
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}

/** Bytes before the data of a call: kind, address, value, length. */
const headBytes = 1 + 20 + 32 + 32

/** Decodes the packed calls of MultiSend. */
function readBatch(packed: Hex): Call[] | undefined {
  const calls: Call[] = []
  for (let at = 0; at < size(packed);) {
    if (size(packed) < at + headBytes) return undefined
    const kind = slice(packed, at, at + 1)
    const length = BigInt(slice(packed, at + 53, at + headBytes))
    const from = at + headBytes
    const end = from + Number(length)
    // A delegate call would run the code of any contract as the account.
    if (kind !== '0x00' || length > 100_000n || size(packed) < end) return undefined
    calls.push({
      to: slice(packed, at + 1, at + 21),
      value: BigInt(slice(packed, at + 21, at + 53)),
      data: length === 0n ? '0x' : slice(packed, from, end),
    })
    at = end
  }
  return calls.length > 0 ? calls : undefined
}
