import { ApproveQuery, type ApproveResponse } from '@gatefold/protocol/gateway'
import { erc20Abi, type Address } from 'viem'
import { estimateGas, getGasPrice, readContract } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { revertReason } from '../evm/errors.ts'
import { handleQuery, isNative, json, RefusedError, requireChain, toCaip } from '../requests.ts'
import { approvalOf, simulateCalls, withMargin, type SwapCall } from '../swaps/simulateCalls.ts'
import { readAllowance } from './allowance.ts'

/**
 * `GET /v1/convert/build-approve`: the transaction that lets the chain's swap
 * contract spend exactly `amount` of a token. Official clients omit `amount`;
 * the allowance is then the account's current balance. They send the
 * transaction to the address in `tx.from`, so that address is the token's.
 *
 * Some tokens, such as USDT, refuse to change an allowance from one amount to
 * another. For them, `tx` sets the remaining allowance to zero, and `next` is
 * the approval. Official clients send `tx` and then ask for an approval again.
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
    const order = { account: userAddress.address, token: from.address, spender, allowance }
    const [[first, second], gasPrice] = await Promise.all([
      planApproval(chain, order),
      getGasPrice(chain.client),
    ])
    const toTransaction = ({ to, data, value, gas }: Planned) => ({
      from: toCaip(chain, to),
      to: toCaip(chain, to),
      data,
      value: String(value),
      eip155: { gas: String(gas), gasPrice: String(gasPrice) },
    })
    const body: ApproveResponse = {
      tx: toTransaction(first),
      ...(second && { next: toTransaction(second) }),
    }
    return json(body)
  })
}

type Planned = SwapCall & { gas: bigint }

/**
 * Simulates the approval. If the token refuses it because of the remaining allowance, a reset to zero comes first; the
 * approval after it is omitted if the upstream cannot simulate both.
 *
 * @throws {RefusedError} the token refuses the approval in any case.
 */
async function planApproval(
  chain: EvmChain,
  order: { account: Address; token: Address; spender: Address; allowance: bigint },
): Promise<[first: Planned, second?: Planned]> {
  const { account, token, spender, allowance } = order
  const estimate = async (call: SwapCall): Promise<Planned> => ({
    ...call,
    gas: await estimateGas(chain.client, { account, ...call }),
  })
  const approval = approvalOf(token, spender, allowance)
  try {
    return [await estimate(approval)]
  } catch (error) {
    const reason = revertReason(error)
    if (reason === undefined) throw error
    if ((await readAllowance(chain, token, account, spender)) === 0n) throw refused(reason)
  }
  const reset = approvalOf(token, spender, 0n)
  const simulated = await simulateCalls(chain, account, [reset, approval])
  if (simulated.status === 'reverted') throw refused(simulated.reason)
  const first = await estimate(reset)
  if (simulated.status === 'unsupported') return [first]
  return [first, { ...approval, gas: withMargin(simulated.gas) }]
}

function refused(reason: string): RefusedError {
  return new RefusedError(
    'from',
    `the approval would fail: ${reason.slice(0, 200)}`,
    'would_revert',
  )
}
