import { AllowanceQuery } from '@gatefold/protocol/gateway'
import { erc20Abi, maxUint256, type Address } from 'viem'
import { readContract } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { handleQuery, isNative, json, RefusedError, requireChain } from '../requests.ts'

/**
 * `GET /v1/convert/allowance`: how much of a token the router of the chain's swaps may spend. The native currency needs
 * no approval.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.8
 */
export function getAllowance(context: MoneyContext) {
  return handleQuery(context, AllowanceQuery, async ({ tokenAddress, userAddress }) => {
    const chain = requireChain(context, tokenAddress.caipNetworkId, 'tokenAddress')
    const allowance = isNative(tokenAddress.address)
      ? maxUint256
      : await readAllowance(chain, tokenAddress.address, userAddress.address)
    return json({ allowance: String(allowance) })
  })
}

async function readAllowance(chain: EvmChain, token: Address, owner: Address): Promise<bigint> {
  return readContract(chain.client, {
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, requireRouter(chain)],
  })
}

/** @throws {RefusedError} if the chain has no router. */
export function requireRouter({ id, data }: EvmChain): Address {
  if (!data.uniswap)
    throw new RefusedError(
      'chainId',
      `swaps are not available on ${id}, because it has no router`,
      'no_swaps',
    )
  return data.uniswap.router
}
