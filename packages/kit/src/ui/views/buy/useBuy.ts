import { useMemo } from 'react'

import { getAccount } from '../../../core/connection/account.ts'
import { getOnrampOrders } from '../../../core/money/onramp/onramp.ts'
import type { OnrampOptions, OnrampToken } from '../../../core/money/onramp/options.ts'
import type { BuyArguments } from '../../../core/view/ViewData.ts'
import { defaultPurchase } from '../../../data/defaultPurchase.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitOnramp } from '../../../react/onrampOptions.ts'
import { useKitTokens } from '../../../react/queries.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'

/** A token with its picture, if the account holds it. */
export type PicturedToken = OnrampToken & { image: string | undefined }

/** The tokens that can be bought for the connected accounts. */
export function useBuyOptions() {
  const { data, isError, isFetching, refetch } = useKitOnramp()
  const chains = useKitState((state) => state.chains)
  const kit = useInstance()
  const held = useKitTokens().data
  const options = useMemo(() => {
    if (!data) return undefined
    const isConnected = ({ network }: OnrampToken) =>
      Boolean(getAccount(kit.getState(), network.chainNamespace))
    const images = new Map(held?.tokens.map(({ id, image }) => [id.toLowerCase(), image]))
    const tokens = data.tokens
      .filter(isConnected)
      .map((token) => ({ ...token, image: images.get(token.id.toLowerCase()) }))
    return { ...data, tokens }
    // `chains` changes with the accounts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [kit, data, held, chains])
  return {
    options,
    isFailed: isError && !data,
    isFetching,
    retry: () => void refetch(),
  }
}

/**
 * The chosen token, currency and way to pay. By default USD Coin on Ethereum and Polygon, and the native currency on other
 * networks. Undefined if there is nothing to buy.
 */
export function useChoice(
  options: (Omit<OnrampOptions, 'tokens'> & { tokens: readonly PicturedToken[] }) | undefined,
  { token: wanted, currency: code, method: id }: BuyArguments,
) {
  const { network: active } = useCurrentNetwork()
  const preferred = useKitState((state) => state.preferences.currency)
  if (!options) return undefined
  const { tokens, currencies } = options
  const isHere = ({ network }: OnrampToken) => network.caipNetworkId === active?.caipNetworkId
  const text = wanted?.toLowerCase()
  const token =
    tokens.find((one) => one.id.toLowerCase() === text) ??
    tokens.find((one) => one.symbol.toLowerCase() === text && isHere(one)) ??
    tokens.find(({ symbol }) => symbol.toLowerCase() === text) ??
    tokens.find(
      (one) =>
        one.symbol === defaultPurchase.symbol &&
        isHere(one) &&
        defaultPurchase.networkIds.includes(one.network.caipNetworkId),
    ) ??
    tokens.find((one) => one.id === active?.caipNetworkId) ??
    tokens.find(isHere) ??
    tokens[0]
  const currency =
    currencies.find((one) => one.code === code) ??
    currencies.find((one) => one.code === preferred) ??
    currencies[0]
  const method = currency?.methods.find((one) => one.id === id) ?? currency?.methods[0]
  return token && currency && method ? { token, currency, method } : undefined
}

/** The newest order of this page whose outcome the visitor has not seen. */
export function useNewestOrder(): string | undefined {
  const kit = useInstance()
  const chains = useKitState((state) => state.chains)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `chains` changes with the accounts
  return useMemo(() => getOnrampOrders(kit)[0], [kit, chains])
}
