import { limits } from '@gatefold/protocol'

import { getAccount, getSession } from '../../../core/connection/account.ts'
import { currentConnection } from '../../../core/connection/chainState.ts'
import { isSmartAccount } from '../../../core/connection/isSmartAccount.ts'
import { getQuote, isRefusal, minimumOf } from '../../../core/money/swap/quote.ts'
import type { SwapQuote } from '../../../core/money/swap/quote.ts'
import { idOf } from '../../../core/money/tokens.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitQuery } from '../../../react/queries.ts'

/** The fee of a swap that a smart account makes in one operation. */
export type OperationFee = {
  /** The highest fee of the quoted swap, in the smallest unit; 0 if a sponsor pays; undefined if not known. */
  fee: bigint | undefined
  /** Whether the wallet has not answered yet. */
  isLoading: boolean
  /** Reads the fee for half of the balance, before there is a quote. */
  readFee(): Promise<bigint | undefined>
}

/**
 * The fee of a swap, which only the wallet of a smart account knows.
 *
 * @returns undefined for an account that pays for gas itself
 * @see docs/contracts/frame.md#fees
 */
export function useOperationFee(swap: {
  pay: Token | undefined
  get: Token | undefined
  quote: SwapQuote | undefined
  slippage: number
  deadline: number
}): OperationFee | undefined {
  const { pay, get, quote, slippage, deadline } = swap
  const kit = useInstance()
  const account = useKitState((state) => getAccount(state)?.address) ?? ''
  const isOperation = useKitState((state) => {
    if (!pay || !account) return false
    const { chainNamespace, caipNetworkId } = pay.network
    const connection = currentConnection(state.chains[chainNamespace])
    const session = getSession(state, connection?.connectorId)
    return isSmartAccount(session, { address: account, caipNetworkId })
  })
  const read = async (of: SwapQuote) => {
    const { getSwapFee } = await import('../../../core/money/swap/swap.ts')
    const minimum = minimumOf(of.units, slippage)
    return getSwapFee(kit, { ...of, minimum, slippage, deadline, account })
  }
  const { data, isLoading } = useKitQuery({
    name: 'swapFee',
    key: [account, pay && idOf(pay), get && idOf(get), String(quote?.amount), slippage, deadline],
    enabled: Boolean(isOperation && quote && quote.amount <= quote.pay.units),
    staleTime: limits.transferCheckMs,
    load: async () => ({ fee: await read(quote!) }),
  })
  if (!isOperation) return undefined
  return {
    fee: quote && data?.fee,
    isLoading,
    async readFee() {
      if (!pay || !get || pay.units < 2n) return undefined
      try {
        const half = await getQuote(kit, { pay, get, amount: pay.units / 2n })
        return isRefusal(half) ? undefined : await read(half)
      } catch {
        // The fee is then shown with the approval.
        return undefined
      }
    },
  }
}
