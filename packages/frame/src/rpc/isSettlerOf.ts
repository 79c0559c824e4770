import { decodeFunctionResult, encodeFunctionData, isAddressEqual, parseAbi } from 'viem'
import type { Address, Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from './createRpc.ts'

const registryAbi = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function prev(uint128 id) view returns (address)',
])

/** The registry's feature number of the Settlers that accounts call directly. */
const takerSubmitted = 2n

/**
 * Whether a contract is the current or the previous Settler of 0x. Each release of 0x has a new Settler, so the
 * addresses are read from its registry. `ownerOf` reverts while the Settlers are paused.
 *
 * @returns `false` also if the registry cannot be read
 * @see https://github.com/0xProject/0x-settler#how-do-i-find-the-most-recent-deployment
 */
export async function isSettlerOf(
  rpc: Rpc,
  { id, zeroEx }: Pick<ChainConfig, 'id' | 'zeroEx'>,
  contract: Address,
): Promise<boolean> {
  if (!zeroEx) return false
  const read = async (functionName: 'ownerOf' | 'prev') => {
    const call = { abi: registryAbi, functionName, args: [takerSubmitted] } as const
    try {
      const request = { to: zeroEx.settlers, data: encodeFunctionData(call) }
      const data = (await rpc(id, 'eth_call', [request, 'latest'])) as Hex
      return isAddressEqual(decodeFunctionResult({ ...call, data }), contract)
    } catch {
      return undefined
    }
  }
  const [isCurrent, isPrevious] = await Promise.all([read('ownerOf'), read('prev')])
  return isCurrent !== undefined && (isCurrent || isPrevious === true)
}
