import { useEffect, useMemo, useRef } from 'react'

import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount, getNetwork, isConnected } from '../core/connection/account.ts'
import { currentConnection } from '../core/connection/chainState.ts'
import { findConnector } from '../core/connection/Connector.ts'
import type { KitEventListener, KitEventName } from '../core/analytics/events.ts'
import type { OpenParameters } from '../core/kit/Kit.ts'
import type { Network } from '../core/networks/Network.ts'
import type { ThemeMode, ThemeVariables } from '../core/appearance/theme.ts'
import { currentView } from '../core/view/view.ts'
import type { ViewData, ViewName } from '../core/view/view.ts'
import { useInstance, useKitState } from './context.ts'
import { useIdlePrefetch } from './useIdlePrefetch.ts'

type On = { namespace?: ChainNamespace.ChainNamespace | undefined }

/**
 * Opens and closes the modal. `prefetch` loads its code before the click: pass it to the button's
 * `onPointerEnter` and `onFocus`.
 *
 * @example const { open } = useModal(); await open('Networks')
 */
export function useModal() {
  const kit = useInstance()
  useIdlePrefetch()
  const isOpen = useKitState((state) => state.view.open)
  const view = useKitState((state) => currentView(state.view).name)
  const actions = useMemo(
    () => ({
      open: <name extends ViewName>(view?: name, data?: ViewData[name]) =>
        kit.open(view ? ({ view, data } as OpenParameters) : undefined),
      close: () => kit.close(),
      prefetch: () => kit.prefetch(),
    }),
    [kit],
  )
  return { ...actions, isOpen, view }
}

/** Returns `openConnectModal`, which is undefined while a wallet is connected. */
export function useConnectModal() {
  const kit = useInstance()
  useIdlePrefetch()
  const connected = useKitState(isConnected)
  return { openConnectModal: connected ? undefined : () => kit.open({ view: 'Connect' }) }
}

/** Returns `openAccountModal`, which is undefined while no wallet is connected. */
export function useAccountModal() {
  const kit = useInstance()
  useIdlePrefetch()
  const connected = useKitState(isConnected)
  return { openAccountModal: connected ? () => kit.open({ view: 'Account' }) : undefined }
}

/** Returns `openNetworkModal`, which opens the network list and is undefined while no wallet is connected. */
export function useNetworkModal() {
  const kit = useInstance()
  useIdlePrefetch()
  const connected = useKitState(isConnected)
  return { openNetworkModal: connected ? () => kit.open({ view: 'Networks' }) : undefined }
}

/** The active account of a chain family (by default the active one), with its status and connector. */
export function useAccount({ namespace }: On = {}) {
  const account = useKitState((state) => getAccount(state, namespace))
  const status = useKitState(
    (state) => state.chains[namespace ?? state.namespace]?.status ?? 'disconnected',
  )
  const connector = useKitState((state) => {
    const key = namespace ?? state.namespace
    const id = currentConnection(state.chains[key])?.connectorId
    return findConnector(state.connectors, id, key)
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

/**
 * The active network of a chain family (by default the active one), all configured networks, and
 * `switchNetwork`.
 */
export function useNetwork({ namespace }: On = {}) {
  const kit = useInstance()
  const network = useKitState((state) => getNetwork(state, namespace))
  const networks = useKitState((state) => state.networks)
  const unsupported = useKitState((state) =>
    Boolean(state.chains[namespace ?? state.namespace]?.unsupportedNetworkId),
  )
  return {
    network,
    networks,
    /** Whether the wallet is on a chain that is not configured. */
    unsupported,
    switchNetwork: (next: Pick<Network, 'caipNetworkId'>) =>
      import('../core/networks/switchNetwork.ts').then(({ switchNetwork }) =>
        switchNetwork(kit, { network: next }),
      ),
  }
}

/** The connected wallets of a chain family (by default the active one). The active wallet is first. */
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

/**
 * The available connectors, the current attempt to connect, `connect` and `disconnect`, for sites that
 * render their own wallet list.
 */
export function useWallets() {
  const kit = useInstance()
  const connectors = useKitState((state) => state.connectors)
  const attempt = useKitState((state) => state.attempt)
  return {
    connectors,
    attempt,
    connect: (connectorId: string) =>
      import('../core/connection/connect.ts').then(({ connect }) => connect(kit, { connectorId })),
    disconnect: (parameters?: { connectorId?: string }) =>
      import('../core/connection/disconnect.ts').then(({ disconnect }) =>
        disconnect(kit, parameters),
      ),
  }
}

/** The theme and `setTheme`. */
export function useTheme() {
  const kit = useInstance()
  const theme = useKitState((state) => state.theme)
  return {
    ...theme,
    setTheme: (next: { mode?: ThemeMode; variables?: ThemeVariables }) =>
      import('../core/appearance/appearance.ts').then(({ setTheme }) => setTheme(kit, next)),
  }
}

/** Subscribes to an event; events always call the latest `listener`. */
export function useKitEvent<name extends KitEventName>(
  name: name,
  listener: KitEventListener<name>,
): void {
  const kit = useInstance()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => kit.on(name, (properties) => latest.current(properties)), [kit, name])
}
