import { limits } from '@gatefold/protocol'
import type { UseQueryResult } from '@tanstack/react-query'

import type { PreparedTransfer } from '../../../core/connection/Adapter.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { useKitState } from '../../../react/context.ts'
import { getAccount } from '../../../core/connection/account.ts'
import { useKitQuery } from '../../../react/queries.ts'

/**
 * Simulates a transfer and estimates its cost. Without a receiver, simulates a
 * transfer to the account itself.
 *
 * @param parameters.enabled - if false, only `refetch` simulates
 */
export function useTransfer(parameters: {
  token: Token | undefined
  to?: string | undefined
  amount: bigint | undefined
  enabled?: boolean
}): UseQueryResult<PreparedTransfer> {
  const { token, amount, enabled = true } = parameters
  const own = useKitState((state) => getAccount(state)?.address)
  const to = parameters.to ?? own
  return useKitQuery({
    name: 'transfer',
    key: [own, token?.id, to, String(amount)],
    enabled: Boolean(enabled && token && to && amount !== undefined),
    staleTime: limits.transferCheckMs,
    load: (kit) =>
      import('../../../core/money/transfer.ts').then(({ prepareTransfer }) =>
        prepareTransfer(kit, { token, to: to ?? '', amount }),
      ),
  })
}
