import { decodeFunctionData, type Hex, maxUint256, parseAbi, size, slice } from 'viem'

const known = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function mint(address to, uint256 amount)',
  'function burn(uint256 amount)',
  'function deposit()',
  'function withdraw(uint256 amount)',
  'function multicall(bytes[] data)',
])

/** Decoded call data. */
export type DecodedCall = {
  selector: Hex
  /** Length of the call data in bytes. */
  bytes: number
  /** `undefined` for an unknown function. */
  name: string | undefined
  args: readonly { name: string; value: string }[]
}

/** Decodes call data; `undefined` if it is shorter than a selector. */
export function decodeCall(data: Hex | undefined): DecodedCall | undefined {
  if (!data || size(data) < 4) return undefined
  const call = { selector: slice(data, 0, 4), bytes: size(data) }
  try {
    // The annotation is needed because a function without inputs has no `args`.
    const decoded: { functionName: string; args?: readonly unknown[] } = decodeFunctionData({
      abi: known,
      data,
    })
    const { functionName, args = [] } = decoded
    const inputs = known.find(({ name }) => name === functionName)?.inputs ?? []
    return {
      ...call,
      name: functionName,
      args: args.map((value, index) => ({
        name: inputs[index]?.name ?? `${index}`,
        value: value === maxUint256 ? 'Unlimited' : String(value),
      })),
    }
  } catch {
    // An unknown function is shown as its selector and length.
    return { ...call, name: undefined, args: [] }
  }
}
