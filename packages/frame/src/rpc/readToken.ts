import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Address, type Hex } from 'viem'
import type { Token } from '../approval/describeTransaction.ts'
import type { Rpc } from './createRpc.ts'

/** Selectors of `symbol()` and `decimals()`. */
const selectors = { symbol: '0x95d89b41', decimals: '0x313ce567' } as const

/**
 * Reads the symbol and decimals of a token. @returns `undefined` for a contract
 * without them.
 */
export async function readToken(
  rpc: Rpc,
  chainId: string,
  address: Address,
): Promise<Token | undefined> {
  const read = async (name: keyof typeof selectors) =>
    (await rpc(chainId, 'eth_call', [{ to: address, data: selectors[name] }, 'latest'])) as Hex
  try {
    const [symbol, decimals] = await Promise.all([read('symbol'), read('decimals')])
    return {
      symbol: decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: symbol }),
      decimals: decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data: decimals }),
    }
  } catch {
    return undefined
  }
}

/** Reads an account's balance of a token, in atomic units. @returns `undefined` if the node or the contract fails. */
export async function readBalance(
  rpc: Rpc,
  chainId: string,
  { token, account }: { token: Address; account: Address },
): Promise<bigint | undefined> {
  const call = { abi: erc20Abi, functionName: 'balanceOf' } as const
  try {
    const data = encodeFunctionData({ ...call, args: [account] })
    const result = (await rpc(chainId, 'eth_call', [{ to: token, data }, 'latest'])) as Hex
    return decodeFunctionResult({ ...call, data: result })
  } catch {
    return undefined
  }
}
