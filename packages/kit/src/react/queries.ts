import { useQuery } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount, getNetwork } from '../core/connection/account.ts'
import type { KitInstance } from '../core/kit/Kit.ts'
import { useKitContext, useKitState } from './context.ts'

// A separate module, so that pages without these hooks do not load TanStack's query observer.

type On = { namespace?: ChainNamespace.ChainNamespace | undefined }

/**
 * A query whose data is the connected wallet's provider for a chain family (by default the active one): an
 * EIP-1193 provider on EVM. It has no data until a wallet is connected.
 */
export function useProvider(family?: ChainNamespace.ChainNamespace) {
  const active = useKitState((state) => state.namespace)
  const namespace = family ?? active
  const caipAddress = useKitState((state) => getAccount(state, namespace)?.caipAddress)
  return useKitQuery({
    name: 'provider',
    key: [namespace, caipAddress],
    enabled: Boolean(caipAddress),
    staleTime: Infinity,
    load: (kit) =>
      import('../core/account/sign.ts').then(({ getProvider }) => getProvider(kit, { namespace })),
  })
}

/**
 * A query for the native balance of the active account. The balance stays fresh for 30 s. If a request and
 * its retry fail, it is requested again after 30 s.
 *
 * @see spec §9.1.2–3, §8.1.2
 */
export function useBalance(on: On = {}) {
  const caipAddress = useKitState((state) => getAccount(state, on.namespace)?.caipAddress)
  const networkId = useKitState((state) => getNetwork(state, on.namespace)?.caipNetworkId)
  return useKitQuery({
    name: 'balance',
    key: [caipAddress, networkId],
    enabled: Boolean(caipAddress),
    staleTime: limits.balanceCacheMs,
    retryDelayMs: limits.balanceRetryDelayMs,
    load: (kit) =>
      import('../core/account/balance.ts').then(async ({ getBalance }) => {
        const balance = await getBalance(kit, on)
        // Distinguishes an unreachable chain from a balance of zero.
        if (balance.error) throw balance.error
        return balance
      }),
  })
}

/**
 * A query for the name and avatar of the active account. They stay fresh for 5 minutes.
 *
 * @see spec §9.1.3
 */
export function useIdentity(on: On = {}) {
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
 */
export function useKitQuery<data>(parameters: {
  name: string
  key: readonly unknown[]
  enabled?: boolean | undefined
  staleTime: number
  retryDelayMs?: number | undefined
  load(kit: KitInstance, signal: AbortSignal): Promise<data>
}) {
  const { kit, queryClient } = useKitContext()
  const { retryDelayMs } = parameters
  return useQuery(
    {
      queryKey: ['gatefold', kit.options.storageKey, parameters.name, ...parameters.key],
      queryFn: ({ signal }) => parameters.load(kit, signal),
      enabled: parameters.enabled ?? true,
      staleTime: parameters.staleTime,
      retry: 1,
      retryOnMount: !retryDelayMs,
      refetchOnWindowFocus: ({ state }) => !retryDelayMs || state.status !== 'error',
      refetchInterval: ({ state }) => (state.status === 'error' && retryDelayMs) || false,
    },
    queryClient,
  )
}
