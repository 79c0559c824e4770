import { AllowanceQuery } from '@gatefold/protocol/gateway'
import { erc20Abi, maxUint256, type Address } from 'viem'
import { readContract } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { handleQuery, isNative, json, requireChain } from '../requests.ts'

/**
 * `GET /v1/convert/allowance`: the allowance of the chain's swap contract for a
 * token. The native currency needs no approval.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.8
 */
export function getAllowance(context: MoneyContext) {
  return handleQuery(context, AllowanceQuery, async ({ tokenAddress, userAddress }) => {
    const chain = requireChain(context, tokenAddress.caipNetworkId, 'tokenAddress')
    const allowance = isNative(tokenAddress.address)
      ? maxUint256
      : await readAllowance(
          chain,
          tokenAddress.address,
          userAddress.address,
          context.swaps.of(chain).spender(chain),
        )
    return json({ allowance: String(allowance) })
  })
}

/** Reads a contract's allowance for a token. */
export async function readAllowance(
  { client }: EvmChain,
  token: Address,
  owner: Address,
  spender: Address,
): Promise<bigint> {
  return readContract(client, {
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, spender],
  })
}
