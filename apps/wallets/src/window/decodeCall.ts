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

/** What call data says, as far as its first four bytes are known. */
export type DecodedCall = {
  selector: Hex
  /** Length of the whole data in bytes. */
  bytes: number
  /** `undefined` for a function the wallet cannot read. */
  name: string | undefined
  args: readonly { name: string; value: string }[]
}

/** Reads call data; `undefined` when there is none. */
export function decodeCall(data: Hex | undefined): DecodedCall | undefined {
  if (!data || size(data) < 4) return undefined
  const call = { selector: slice(data, 0, 4), bytes: size(data) }
  try {
    // Typed by hand: a function without inputs has no `args` at all.
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
    // Not one of the known functions: shown as the bytes it is.
    return { ...call, name: undefined, args: [] }
  }
}
