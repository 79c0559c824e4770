import { ApproveQuery, type TransactionResponse } from '@gatefold/protocol/gateway'
import { erc20Abi } from 'viem'
import { estimateGas, getGasPrice, readContract } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import { handleQuery, isNative, json, RefusedError, requireChain, toCaip } from '../requests.ts'
import { approvalOf } from '../swaps/simulateCalls.ts'

/**
 * `GET /v1/convert/build-approve`: the transaction that lets the chain's swap
 * contract spend exactly `amount` of a token. Official clients omit `amount`;
 * the allowance is then the account's current balance. They send the
 * transaction to the address in `tx.from`, so that address is the token's.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.11
 */
export function getBuildApprove(context: MoneyContext) {
  return handleQuery(context, ApproveQuery, async ({ userAddress, from, amount }) => {
    const chain = requireChain(context, from.caipNetworkId, 'from')
    if (isNative(from.address))
      throw new RefusedError('from', 'from is the native currency, which needs no approval')
    const spender = context.swaps.of(chain).spender(chain)
    const allowance =
      amount ??
      (await readContract(chain.client, {
        address: from.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [userAddress.address],
      }))
    if (allowance === 0n) throw new RefusedError('from', 'the account has none of this token')
    const { data } = approvalOf(from.address, spender, allowance)
    const [gas, gasPrice] = await Promise.all([
      estimateGas(chain.client, { account: userAddress.address, to: from.address, data }),
      getGasPrice(chain.client),
    ])
    const body: TransactionResponse = {
      tx: {
        from: toCaip(chain, from.address),
        to: toCaip(chain, from.address),
        data,
        value: '0',
        eip155: { gas: String(gas), gasPrice: String(gasPrice) },
      },
    }
    return json(body)
  })
}
