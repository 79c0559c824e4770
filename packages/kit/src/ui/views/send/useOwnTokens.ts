import { useMemo } from 'react'

import type { Token } from '../../../core/money/tokens.ts'
import { useKitTokens, useNativeBalance } from '../../../react/queries.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'

/**
 * The tokens of the account on the active network; undefined while they load. Without a gateway, and if it fails, only
 * the native currency.
 */
export function useOwnTokens(): readonly Token[] | undefined {
  const { network } = useCurrentNetwork()
  const { data: list, isLoading } = useKitTokens()
  const { data: balance } = useNativeBalance()
  return useMemo(() => {
    if (!network) return []
    if (list) return list.tokens.filter((token) => token.network === network && !token.isSpam)
    if (isLoading || !balance) return undefined
    if (balance.value === 0n) return []
    const { nativeCurrency, caipNetworkId: id } = network
    return [
      {
        id,
        network,
        address: undefined,
        ...nativeCurrency,
        units: balance.value,
        amount: balance.balance,
        price: undefined,
        value: undefined,
        image: undefined,
        isSpam: false,
      },
    ]
  }, [network, list, isLoading, balance])
}
