import { decodeFunctionResult, erc20Abi, type Address, type Hex } from 'viem'
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
