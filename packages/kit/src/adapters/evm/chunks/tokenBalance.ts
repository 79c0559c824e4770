import { toLabel } from '@gatefold/protocol'
import { erc20Abi, formatUnits } from 'viem'
import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'

import type { Balance } from '../../../core/connection/Adapter.ts'
import { maxText } from '../../../core/money/fromGateway.ts'

/** Reads the balance of a token from its contract. A lazy chunk: few sites show one. @see ERC-20 */
export async function readTokenBalance(
  client: Client,
  parameters: { address: string; token: string },
): Promise<Balance> {
  const contract = { address: parameters.token as Address, abi: erc20Abi } as const
  const [value, decimals, symbol] = await Promise.all([
    readContract(client, {
      ...contract,
      functionName: 'balanceOf',
      args: [parameters.address as Address],
    }),
    readContract(client, { ...contract, functionName: 'decimals' }),
    readContract(client, { ...contract, functionName: 'symbol' }),
  ])
  return {
    balance: formatUnits(value, decimals),
    symbol: toLabel(symbol, maxText.symbol),
    value,
    decimals,
  }
}
