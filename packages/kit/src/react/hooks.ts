import { useEffect, useMemo, useRef } from 'react'

import { getAccount, getNetwork, isConnected } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { Attempt } from '../core/connection/attempt.ts'
import { currentConnection } from '../core/connection/chainState.ts'
import type { ConnectionStatus } from '../core/connection/chainState.ts'
import type { AccountType } from '../core/connection/Connection.ts'
import { findConnector } from '../core/connection/Connector.ts'
import type { Connector } from '../core/connection/Connector.ts'
import type { disconnect } from '../core/connection/disconnect.ts'
import type { KitEventListener, KitEventName } from '../core/analytics/events.ts'
import type { ConnectedAccount, OpenParameters } from '../core/kit/Kit.ts'
import type { Network } from '../core/networks/Network.ts'
import type { ThemeMode, ThemeState, ThemeVariables } from '../core/appearance/theme.ts'
import { currentView } from '../core/view/view.ts'
import type { ViewName } from '../core/view/view.ts'
import { useInstance, useKitState } from './context.ts'
import { useIdlePrefetch } from './useIdlePrefetch.ts'

/**
 * Opens and closes the modal. `prefetch` loads its code before the click: pass it to the button's
 * `onPointerEnter` and `onFocus`.
 *
 * @example
 * const { open, prefetch } = useModal()
 * return <button onPointerEnter={prefetch} onClick={() => open({ view: 'Networks' })}>Network</button>
 */
export function useModal(): useModal.ReturnType {
  const kit = useInstance()
  useIdlePrefetch()
  const isOpen = useKitState((state) => state.view.open)
  const view = useKitState((state) => currentView(state.view).name)
  const actions = useMemo(
    () => ({
      open: (parameters?: OpenParameters) => kit.open(parameters),
      close: () => kit.close(),
      prefetch: () => kit.prefetch(),
    }),
    [kit],
  )
  return { ...actions, isOpen, view }
}

export declare namespace useModal {
  /** The modal and its actions. */
  type ReturnType = {
    /** Opens the modal, as `kit.open` does; resolves with the connected account. */
    open: (parameters?: OpenParameters) => Promise<ConnectedAccount>
    /** Closes the modal. */
    close: () => void
    /** Loads the modal's code. */
    prefetch: () => void
    /** Whether the modal is open. */
    isOpen: boolean
    /** The view on screen or, while the modal is closed, the view that it would show. */
    view: ViewName
  }
}

/**
 * Opens the connect view.
 *
 * @example
 * const { openConnectModal } = useConnectModal()
 * return openConnectModal && <button onClick={openConnectModal}>Connect</button>
 */
export function useConnectModal(): useConnectModal.ReturnType {
  const kit = useInstance()
  useIdlePrefetch()
  const connected = useKitState(isConnected)
  return { openConnectModal: connected ? undefined : () => kit.open({ view: 'Connect' }) }
}

export declare namespace useConnectModal {
  /** The action. */
  type ReturnType = {
    /** Opens the connect view; undefined while a wallet is connected. */
    openConnectModal: (() => Promise<ConnectedAccount>) | undefined
  }
}

/** Opens the account view. */
export function useAccountModal(): useAccountModal.ReturnType {
  const kit = useInstance()
  useIdlePrefetch()
  const connected = useKitState(isConnected)
  return { openAccountModal: connected ? () => kit.open({ view: 'Account' }) : undefined }
}

export declare namespace useAccountModal {
  /** The action. */
  type ReturnType = {
    /** Opens the account view; undefined while no wallet is connected. */
    openAccountModal: (() => Promise<ConnectedAccount>) | undefined
  }
}

/** Opens the list of networks. */
export function useNetworkModal(): useNetworkModal.ReturnType {
  const kit = useInstance()
  useIdlePrefetch()
  const connected = useKitState(isConnected)
  return { openNetworkModal: connected ? () => kit.open({ view: 'Networks' }) : undefined }
}

export declare namespace useNetworkModal {
  /** The action. */
  type ReturnType = {
    /** Opens the list of networks; undefined while no wallet is connected. */
    openNetworkModal: (() => Promise<ConnectedAccount>) | undefined
  }
}

/**
 * The active account of a chain family, with its status and connector.
 *
 * @example
 * const { address, isConnected } = useKitAccount()
 * @example
 * const solana = useKitAccount({ namespace: 'solana' })
 */
export function useKitAccount(parameters: FamilyParameters = {}): useKitAccount.ReturnType {
  const { namespace } = parameters
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

export declare namespace useKitAccount {
  /** The account; its fields are undefined while no wallet is connected. */
  type ReturnType = {
    /** The address in the family's format. */
    address: string | undefined
    /** The address with its chain, such as `eip155:1:0x…` (CAIP-10). */
    caipAddress: string | undefined
    /** The kind of account. */
    type: AccountType | undefined
    /** Whether a wallet is connected. */
    isConnected: boolean
    /** Whether a wallet is connected, being connected or being restored. */
    status: ConnectionStatus
    /** The connector of the wallet. */
    connector: Connector | undefined
  }
}

/**
 * The active network of a chain family, all configured networks, and `switchNetwork`.
 *
 * @example
 * const { network, networks, switchNetwork } = useKitNetwork()
 * return networks.map((next) => (
 *   <button key={next.caipNetworkId} onClick={() => switchNetwork(next)}>{next.name}</button>
 * ))
 */
export function useKitNetwork(parameters: FamilyParameters = {}): useKitNetwork.ReturnType {
  const { namespace } = parameters
  const kit = useInstance()
  const network = useKitState((state) => getNetwork(state, namespace))
  const networks = useKitState((state) => state.networks)
  const unsupported = useKitState((state) =>
    Boolean(state.chains[namespace ?? state.namespace]?.unsupportedNetworkId),
  )
  return {
    network,
    networks,
    unsupported,
    switchNetwork: (next) =>
      import('../core/networks/switchNetwork.ts').then(({ switchNetwork }) =>
        switchNetwork(kit, { network: next }),
      ),
  }
}

export declare namespace useKitNetwork {
  /** The networks and the action. */
  type ReturnType = {
    /** The active network. */
    network: Network | undefined
    /** All configured networks, of all families. */
    networks: readonly Network[]
    /** Whether the wallet is on a chain that is not configured. */
    unsupported: boolean
    /** Makes a configured network the active one; asks the wallet first if one is connected. */
    switchNetwork: (network: Pick<Network, 'caipNetworkId'>) => Promise<void>
  }
}

/**
 * The available connectors, the current attempt to connect, `connect` and `disconnect`, for sites that
 * render their own wallet list.
 *
 * @example
 * const { connectors, connect } = useKitWallets()
 * return connectors.map(({ id, name }) => <button key={id} onClick={() => connect(id)}>{name}</button>)
 */
export function useKitWallets(): useKitWallets.ReturnType {
  const kit = useInstance()
  const connectors = useKitState((state) => state.connectors)
  const attempt = useKitState((state) => state.attempt)
  return {
    connectors,
    attempt,
    connect: (connectorId) =>
      import('../core/connection/connect.ts').then(({ connect }) => connect(kit, { connectorId })),
    disconnect: (parameters) =>
      import('../core/connection/disconnect.ts').then(({ disconnect }) =>
        disconnect(kit, parameters),
      ),
  }
}

export declare namespace useKitWallets {
  /** The wallets and the actions. */
  type ReturnType = {
    /** The available connectors: installed wallets, and those of the site. */
    connectors: readonly Connector[]
    /** The pending or failed attempt to connect; its progress has the URI for a QR code. */
    attempt: Attempt | undefined
    /** Connects a wallet and resolves with its account. */
    connect: (connectorId: string) => Promise<ConnectedAccount>
    /** Disconnects one connector or, without an id, every wallet. */
    disconnect: (parameters?: disconnect.Parameters) => Promise<void>
  }
}

/**
 * The theme and `setTheme`.
 *
 * @example
 * const { mode, setTheme } = useKitTheme()
 * return <button onClick={() => setTheme({ mode: 'dark' })}>{mode}</button>
 */
export function useKitTheme(): useKitTheme.ReturnType {
  const kit = useInstance()
  const theme = useKitState((state) => state.theme)
  return {
    ...theme,
    setTheme: (next) =>
      import('../core/appearance/appearance.ts').then(({ setTheme }) => setTheme(kit, next)),
  }
}

export declare namespace useKitTheme {
  /** The theme and the action. */
  type ReturnType = ThemeState & {
    /** Changes the theme. A mode or variable that is not given keeps its value. */
    setTheme: (theme: {
      /** The mode. */
      mode?: ThemeMode | undefined
      /** The variables to change. */
      variables?: ThemeVariables | undefined
    }) => Promise<void>
  }
}

/**
 * Subscribes to an event; events always call the latest `listener`.
 *
 * @example useKitEvent('CONNECT_SUCCESS', ({ name }) => console.log(name))
 */
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
