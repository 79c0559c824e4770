import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'

import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount, getNetwork, isConnected } from '../core/account.ts'
import { currentConnection } from '../core/connection.ts'
import type { KitEventListener, KitEventName } from '../core/events.ts'
import type { Kit, OpenParameters } from '../core/Kit.ts'
import type { Network } from '../core/Network.ts'
import type { State } from '../core/state.ts'
import type { ThemeMode, ThemeVariables } from '../core/theme.ts'
import { currentView } from '../core/view.ts'
import type { ViewData, ViewName } from '../core/view.ts'
import { useKit, useKitContext, useKitState } from './context.ts'

type On = { namespace?: ChainNamespace.ChainNamespace | undefined }

/**
 * Opens and closes the modal.
 *
 * @example const { open } = useModal(); await open('Networks')
 */
export function useModal() {
  const kit = useKit()
  const isOpen = useKitState((state) => state.view.open)
  const view = useKitState((state) => currentView(state.view).name)
  const actions = useMemo(
    () => ({
      open: <name extends ViewName>(view?: name, data?: ViewData[name]) =>
        kit.open(view ? ({ view, data } as OpenParameters) : undefined),
      close: () => kit.close(),
    }),
    [kit],
  )
  return { ...actions, isOpen, view }
}

/** Opens the connect view; undefined while a wallet is connected. */
export function useConnectModal() {
  const kit = useKit()
  const connected = useKitState(isConnected)
  return { openConnectModal: connected ? undefined : () => kit.open({ view: 'Connect' }) }
}

/** Opens the account view; undefined while nothing is connected. */
export function useAccountModal() {
  const kit = useKit()
  const connected = useKitState(isConnected)
  return { openAccountModal: connected ? () => kit.open({ view: 'Account' }) : undefined }
}

/** Opens the network list; undefined while nothing is connected. */
export function useNetworkModal() {
  const kit = useKit()
  const connected = useKitState(isConnected)
  return { openNetworkModal: connected ? () => kit.open({ view: 'Networks' }) : undefined }
}

/** The account in use on a chain family, or on the one in use. */
export function useAccount({ namespace }: On = {}) {
  const account = useKitState((state) => getAccount(state, namespace))
  const status = useKitState(
    (state) => state.chains[namespace ?? state.namespace]?.status ?? 'disconnected',
  )
  const connector = useKitState((state) => {
    const key = namespace ?? state.namespace
    const id = currentConnection(state.chains[key])?.connectorId
    return state.connectors.find((candidate) => candidate.id === id && candidate.chain === key)
  })
  return {
    address: account?.address,
    caipAddress: account?.caipAddress,
    type: account?.type,
    isConnected: status === 'connected',
    status,
    connector,
  }
}

/** The network in use, the networks there are, and how to change it. */
export function useNetwork({ namespace }: On = {}) {
  const kit = useKit()
  const network = useKitState((state) => getNetwork(state, namespace))
  const networks = useKitState((state) => state.networks)
  const unsupported = useKitState((state) =>
    Boolean(state.chains[namespace ?? state.namespace]?.unsupportedNetworkId),
  )
  return {
    network,
    networks,
    /** The wallet is on a chain this site does not use. */
    unsupported,
    switchNetwork: (next: Pick<Network, 'caipNetworkId'>) =>
      import('../core/actions/switchNetwork.ts').then(({ switchNetwork }) =>
        switchNetwork(kit, { network: next }),
      ),
  }
}

/** Every connected wallet, the one in use first. */
export function useConnections({ namespace }: On = {}) {
  const chain = useKitState((state) => state.chains[namespace ?? state.namespace])
  return useMemo(
    () =>
      (chain?.connections ?? []).toSorted(
        (a, b) =>
          Number(b.connectorId === chain?.connectorId) -
          Number(a.connectorId === chain?.connectorId),
      ),
    [chain],
  )
}

/** The installed wallets and how to connect one, for a page that draws its own list. */
export function useWallets() {
  const kit = useKit()
  const connectors = useKitState((state) => state.connectors)
  const attempt = useKitState((state) => state.attempt)
  return {
    connectors,
    attempt,
    connect: (connectorId: string) =>
      import('../core/actions/connect.ts').then(({ connect }) => connect(kit, { connectorId })),
    disconnect: (parameters?: { connectorId?: string }) =>
      import('../core/actions/disconnect.ts').then(({ disconnect }) => disconnect(kit, parameters)),
  }
}

/** The wallet's own provider: EIP-1193 on EVM. Undefined until connected. */
export function useProvider(namespace: ChainNamespace.ChainNamespace = 'eip155') {
  const caipAddress = useKitState((state) => getAccount(state, namespace)?.caipAddress)
  return useKitQuery({
    name: 'provider',
    key: [namespace, caipAddress],
    enabled: Boolean(caipAddress),
    staleTime: Infinity,
    load: (kit) =>
      import('../core/actions/sign.ts').then(({ getProvider }) => getProvider(kit, { namespace })),
  })
}

/**
 * The native balance of the account in use. Fresh for 30 s; after a failure asked again 30 s later.
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
      import('../core/actions/balance.ts').then(async ({ getBalance }) => {
        const balance = await getBalance(kit, on)
        // A view has to tell a chain out of reach from an empty account.
        if (balance.error) throw balance.error
        return balance
      }),
  })
}

/**
 * Name and picture of the account in use. Fresh for 5 minutes.
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
      import('../core/actions/balance.ts').then(({ getIdentity }) => getIdentity(kit, on)),
  })
}

const sign = () => import('../core/actions/sign.ts')
type Sign = Awaited<ReturnType<typeof sign>>

/** A mutation: `mutateAsync({ message })` resolves with the signature. */
export function useSignMessage() {
  return useAction((kit, parameters: Parameters<Sign['signMessage']>[1]) =>
    sign().then(({ signMessage }) => signMessage(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ typedData })` resolves with the signature. */
export function useSignTypedData() {
  return useAction((kit, parameters: Parameters<Sign['signTypedData']>[1]) =>
    sign().then(({ signTypedData }) => signTypedData(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ to, value })` resolves with the hash. */
export function useSend() {
  return useAction((kit, parameters: Parameters<Sign['sendTransaction']>[1]) =>
    sign().then(({ sendTransaction }) => sendTransaction(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ hash })` resolves once the transaction is in a block. */
export function useReceipt() {
  return useAction((kit, parameters: Parameters<Sign['waitForReceipt']>[1]) =>
    sign().then(({ waitForReceipt }) => waitForReceipt(kit, parameters)),
  )
}

/** A mutation: `mutateAsync({ name })` resolves with the address, or undefined. */
export function useResolveName() {
  return useAction((kit, parameters: { name: string }) =>
    sign().then(({ resolveName }) => resolveName(kit, parameters)),
  )
}

/** A mutation that lets wallets go. */
export function useDisconnect() {
  return useAction((kit, parameters: { connectorId?: string } | void) =>
    import('../core/actions/disconnect.ts').then(({ disconnect }) =>
      disconnect(kit, parameters ?? undefined),
    ),
  )
}

/** The theme, and how to change it. */
export function useTheme() {
  const kit = useKit()
  const theme = useKitState((state) => state.theme)
  return {
    ...theme,
    setTheme: (next: { mode?: ThemeMode; variables?: ThemeVariables }) =>
      import('../core/actions/appearance.ts').then(({ setTheme }) => setTheme(kit, next)),
  }
}

/** Calls a function at every event of a name, with the newest function given. */
export function useKitEvent<name extends KitEventName>(
  name: name,
  listener: KitEventListener<name>,
): void {
  const kit = useKit()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(
    () => kit.on(name, (properties) => latest.current(properties)),
    [kit, name],
  )
}

/**
 * A TanStack query in the provider's client, under a key of this instance.
 *
 * @param parameters.retryDelayMs - a failed one is asked again after this pause, and not before
 */
export function useKitQuery<data>(parameters: {
  name: string
  key: readonly unknown[]
  enabled?: boolean | undefined
  staleTime: number
  retryDelayMs?: number | undefined
  load(kit: Kit, signal: AbortSignal): Promise<data>
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

/** A TanStack mutation in the provider's client. */
function useAction<parameters, result>(run: (kit: Kit, parameters: parameters) => Promise<result>) {
  const { kit, queryClient } = useKitContext()
  return useMutation({ mutationFn: (parameters: parameters) => run(kit, parameters) }, queryClient)
}

export type { State }
