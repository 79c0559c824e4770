import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount, getNetwork } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { Balance, Identity } from '../core/connection/Adapter.ts'
import { findGrantingSession, getGrantedAccount } from '../core/connection/findGrantingSession.ts'
import type { KitInstance } from '../core/kit/Kit.ts'
import type { TokenList } from '../core/money/tokens.ts'
import { useKitContext, useKitState } from './context.ts'
import { lastEnd, useRefetchAfterTransaction } from './useRefetchAfterTransaction.ts'
import { queryKey } from './queryKey.ts'

// A separate module, so that pages without these hooks do not load TanStack's query observer.

/**
 * The connected wallet's provider for a chain family: an EIP-1193 provider on EVM, a Wallet Standard wallet on Solana. The
 * query has no data until a wallet is connected, or restored after a reload.
 *
 * @param family - by default the active one
 * @example
 * const { data: provider } = useKitProvider('eip155')
 */
export function useKitProvider(family?: ChainNamespace.ChainNamespace): UseQueryResult {
  const active = useKitState((state) => state.namespace)
  const namespace = family ?? active
  const address = useKitState(
    (state) =>
      getAccount(state, namespace)?.caipAddress ?? getGrantedAccount(state, namespace)?.address,
  )
  // The account of the last visit is known before its wallet is restored.
  const isRestored = useKitState((state) => state.chains[namespace]?.status !== 'reconnecting')
  const connectorId = useKitState(
    (state) => (state.chains[namespace] ?? findGrantingSession(state, namespace))?.connectorId,
  )
  return useKitQuery({
    name: 'provider',
    key: [namespace, address, connectorId],
    enabled: Boolean(address) && isRestored,
    staleTime: Infinity,
    // The provider of a session is useless once the session has ended.
    gcTime: 0,
    load: (kit) =>
      import('../core/account/sign.ts').then(({ getProvider }) => getProvider(kit, { namespace })),
  })
}

/**
 * The native balance of the active account. The balance stays fresh for 30 s. If a request and its retry fail, it
 * is requested again after 30 s. `useKitBalance({ namespace: 'solana' })` is the balance of the account that an email or
 * social login has on Solana.
 *
 * @example
 * const { data } = useKitBalance()
 * return data && `${data.balance} ${data.symbol}`
 */
export function useKitBalance(on: FamilyParameters = {}): UseQueryResult<Balance> {
  return useBalance(on, false)
}

/** The balance of the native currency, whatever the option `tokens`. */
export function useNativeBalance(): UseQueryResult<Balance> {
  return useBalance({}, true)
}

function useBalance(on: FamilyParameters, isNative: boolean): UseQueryResult<Balance> {
  const { kit: instance } = useKitContext()
  const caipAddress = useKitState((state) => {
    const granted = on.namespace && getGrantedAccount(state, on.namespace)
    return granted
      ? `${granted.caipNetworkId}:${granted.address}`
      : getAccount(state, on.namespace)?.caipAddress
  })
  const networkId = useKitState((state) => getNetwork(state, on.namespace)?.caipNetworkId)
  const hasToken = Boolean(networkId && instance.options.tokens?.[networkId])
  return useKitQuery({
    // Without a token, both hooks share one request.
    name: isNative && hasToken ? 'nativeBalance' : 'balance',
    key: [caipAddress, networkId],
    enabled: Boolean(caipAddress),
    staleTime: limits.balanceCacheMs,
    retryDelayMs: limits.balanceRetryDelayMs,
    changesWithTransactions: true,
    load: (kit) =>
      import('../core/account/balance.ts').then(async ({ getBalance, getNativeBalance }) => {
        const balance = await (isNative ? getNativeBalance : getBalance)(kit, on)
        // Distinguishes an unreachable chain from a balance of zero.
        if (balance.error) throw balance.error
        return balance
      }),
  })
}

/**
 * The tokens of the active account on all networks of the site, with prices in the visitor's currency, from the
 * gateway. The list stays fresh for 30 s. While a component uses it, it is requested again every 30 s, and when a submitted transaction has ended.
 *
 * @example
 * const { data } = useKitTokens()
 * return data?.tokens.map(({ id, amount, symbol }) => <p key={id}>{amount} {symbol}</p>)
 */
export function useKitTokens(on: FamilyParameters = {}): UseQueryResult<TokenList> {
  const namespace = useKitState((state) => on.namespace ?? state.namespace)
  const address = useKitState((state) => getAccount(state, namespace)?.address)
  const currency = useKitState((state) => state.preferences.currency)
  const { kit } = useKitContext()
  return useKitQuery({
    name: 'tokens',
    key: [namespace, address, currency],
    enabled: Boolean(address && kit.options.endpoints.gateway),
    staleTime: limits.balanceCacheMs,
    retryDelayMs: limits.balanceRetryDelayMs,
    refreshMs: limits.balanceCacheMs,
    changesWithTransactions: true,
    load: (_, signal) =>
      import('../core/money/tokens.ts').then(({ getTokens }) =>
        getTokens(kit, {
          namespace,
          currency,
          signal,
          // The gateway's cached balances may be older than the transaction.
          refresh: Date.now() - lastEnd(kit.getState()) < limits.balanceCacheMs,
        }),
      ),
  })
}

/**
 * The name and avatar of the active account. They stay fresh for 5 minutes.
 *
 * @example
 * const { data } = useKitIdentity()
 * return data?.name
 */
export function useKitIdentity(on: FamilyParameters = {}): UseQueryResult<Identity> {
  const address = useKitState((state) => getAccount(state, on.namespace)?.address)
  const networkId = useKitState((state) => getNetwork(state, on.namespace)?.caipNetworkId)
  return useKitQuery({
    name: 'identity',
    key: [address, networkId],
    enabled: Boolean(address),
    staleTime: limits.identityCacheMs,
    load: (kit) =>
      import('../core/account/balance.ts').then(({ getIdentity }) => getIdentity(kit, on)),
  })
}

/**
 * A TanStack query in the provider's query client. Its key contains the instance's storage key.
 *
 * @param parameters.retryDelayMs - pause after a failure (two failed requests in a row), in ms; without it,
 * a failed query is not refetched periodically
 * @param parameters.changesWithTransactions - whether to refetch data that is
 *   older than the end of a submitted transaction
 * @param parameters.gcTime - how long data that no component uses is kept, in ms; 5 minutes by default
 * @param parameters.refreshMs - interval at which the query is refetched while it is used, in ms; it may depend on the
 * data
 */
export function useKitQuery<data>(parameters: {
  name: string
  key: readonly unknown[]
  enabled?: boolean | undefined
  staleTime: number
  gcTime?: number
  retryDelayMs?: number | undefined
  refreshMs?: number | ((data: data | undefined) => number | undefined) | undefined
  changesWithTransactions?: boolean | undefined
  load(kit: KitInstance, signal: AbortSignal): Promise<data>
}) {
  const { kit, queryClient } = useKitContext()
  const { retryDelayMs, refreshMs, enabled = true, changesWithTransactions = false } = parameters
  const query = useQuery(
    {
      queryKey: queryKey(kit, parameters.name, ...parameters.key),
      queryFn: ({ signal }) => parameters.load(kit, signal),
      enabled,
      staleTime: parameters.staleTime,
      ...(parameters.gcTime !== undefined && { gcTime: parameters.gcTime }),
      retry: 1,
      retryOnMount: !retryDelayMs,
      refetchOnWindowFocus: ({ state }) => !retryDelayMs || state.status !== 'error',
      refetchInterval: ({ state }) =>
        (state.status === 'error' && retryDelayMs) ||
        (typeof refreshMs === 'function' ? refreshMs(state.data) : refreshMs) ||
        false,
    },
    queryClient,
  )
  useRefetchAfterTransaction(enabled && changesWithTransactions, query)
  return query
}
