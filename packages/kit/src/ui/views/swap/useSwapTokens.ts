import { useMemo } from 'react'

import { limits } from '@gatefold/protocol'

import { getQuote } from '../../../core/money/swap/quote.ts'
import type { Refusal, SwapQuote } from '../../../core/money/swap/quote.ts'
import {
  findToken,
  getGasPrice,
  getPrices,
  getSwapTokens,
  withBalances,
} from '../../../core/money/swap/swapTokens.ts'
import { idOf } from '../../../core/money/tokens.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { GatewayError } from '../../../core/kit/requestErrors.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitQuery, useKitTokens } from '../../../react/queries.ts'
import { useDebounced } from '../../../react/useDebounced.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'

/**
 * How long the list of tokens stays fresh; the gateway's `max-age` is the same.
 */
const listStaleMs = 300_000

/** The tokens that can be swapped on the active network, with balances and prices. */
export function useSwapTokens(): {
  network: Network | undefined
  /** Undefined until both the list and the balances have loaded. */
  tokens: readonly Token[] | undefined
  native: Token | undefined
  /** Whether the gateway has no swaps on this network. */
  isUnsupported: boolean
  isFailed: boolean
  isFetching: boolean
  retry: () => void
} {
  const kit = useInstance()
  const active = useCurrentNetwork()
  const network = useLastValue(active.network, Boolean(active.network))
  const list = useKitQuery({
    name: 'swapTokens',
    key: [network?.caipNetworkId],
    enabled: Boolean(network && kit.options.endpoints.gateway),
    staleTime: listStaleMs,
    load: (_, signal) => getSwapTokens(kit, { network: network!, signal }),
  })
  const held = useKitTokens()
  const tokens = useMemo(
    () =>
      network && list.data && held.data
        ? withBalances(list.data, held.data.tokens, network)
        : undefined,
    [network, list.data, held.data],
  )
  const { error } = list
  const isUnsupported =
    !active.network ||
    !kit.options.endpoints.gateway ||
    (error instanceof GatewayError && error.status === 400)
  return {
    network,
    tokens,
    native: tokens?.find(({ address }) => !address),
    isUnsupported,
    isFailed: !tokens && (list.isError || held.isError),
    isFetching: list.isFetching || held.isFetching,
    retry: () => {
      void list.refetch()
      void held.refetch()
    },
  }
}

/** The tokens of a pair. The token to pay with is the native currency by default; both are never the same. */
export function findPair(
  tokens: readonly Token[] | undefined,
  wanted: { fromToken?: string | undefined; toToken?: string | undefined },
): { pay: Token | undefined; get: Token | undefined } {
  if (!tokens) return { pay: undefined, get: undefined }
  const get = findToken(tokens, wanted.toToken)
  const pay =
    findToken(tokens, wanted.fromToken) ??
    tokens.find((token) => !token.address && token !== get) ??
    tokens.find((token) => token.units > 0n && token !== get)
  return { pay, get: get === pay ? undefined : get }
}

/** The price of gas, refreshed while a component uses it. */
export function useGasPrice(network: Network | undefined): bigint | undefined {
  const kit = useInstance()
  return useKitQuery({
    name: 'gasPrice',
    key: [network?.caipNetworkId],
    enabled: Boolean(network && kit.options.endpoints.gateway),
    staleTime: limits.quoteRefreshMs,
    retryDelayMs: limits.quoteRefreshMs,
    refreshMs: limits.quoteRefreshMs,
    load: (_, signal) => getGasPrice(kit, { network: network!, signal }),
  }).data
}

/** The pair with prices: those of the balances, otherwise the gateway's. Undefined on test networks, as in balances. */
export function usePriced<tokens extends Record<string, Token | undefined>>(
  tokens: tokens,
): tokens {
  const kit = useInstance()
  const currency = useKitState((state) => state.preferences.currency)
  const unpriced = Object.values(tokens).filter(
    (token): token is Token => Boolean(token) && !token!.price && !token!.network.testnet,
  )
  const { data } = useKitQuery({
    name: 'prices',
    key: [currency, ...unpriced.map(idOf)],
    enabled: unpriced.length > 0,
    staleTime: limits.priceCacheMs,
    load: (_, signal) => getPrices(kit, { tokens: unpriced, currency, signal }),
  })
  return Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => {
      if (!token) return [name, undefined]
      const price = token.network.testnet ? undefined : (token.price ?? data?.[idOf(token)])
      return [name, { ...token, price }]
    }),
  ) as tokens
}

/** The quote for a pair and an amount, refreshed while a component uses it. */
export function useQuote(
  pair: { pay: Token | undefined; get: Token | undefined },
  amount: bigint | undefined,
): { quote: SwapQuote | Refusal | undefined; isFailed: boolean } {
  const kit = useInstance()
  const { pay, get } = pair
  const debounced = useDebounced(amount, limits.quoteDelayMs)
  const { data, isError } = useKitQuery({
    name: 'swapQuote',
    key: [pay && idOf(pay), get && idOf(get), String(debounced)],
    enabled: Boolean(pay && get && debounced),
    staleTime: limits.quoteRefreshMs,
    retryDelayMs: limits.quoteRefreshMs,
    refreshMs: limits.quoteRefreshMs,
    load: (_, signal) => getQuote(kit, { pay: pay!, get: get!, amount: debounced!, signal }),
  })
  const isCurrent = amount === debounced && Boolean(amount)
  return { quote: isCurrent ? data : undefined, isFailed: isCurrent && isError && !data }
}
