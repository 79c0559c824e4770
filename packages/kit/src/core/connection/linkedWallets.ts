import type { ChainNamespace } from '@gatefold/protocol'

import type { Connector } from './Connector.ts'
import type { KitInstance } from '../kit/Kit.ts'
import { shortAddress } from '../account/shortAddress.ts'
import { showToast } from '../notifications/showToast.ts'
import { toastOf } from '../notifications/toasts.ts'
import { viewRule } from '../view/rules.ts'
import { currentView } from '../view/view.ts'
import { getSession } from './account.ts'
import { findConnector, servesNamespace } from './Connector.ts'
import { disconnect, switchConnection } from './disconnect.ts'
import { push, reset } from '../view/navigate.ts'

/*
 * Actions of the wallet views. `switchWallet`, `disconnectWallet` and `disconnectAll` show their outcome in
 * a toast, unlike `switchConnection` and `disconnect`.
 */

type Wallet = { namespace: ChainNamespace.ChainNamespace; connectorId: string }

/**
 * Lists the wallets of a chain family, to connect another one.
 *
 * @returns false if a wallet is connected and the site allows only one at a time. An alert then informs
 * the site's developer
 * @see spec §5.8.3
 */
export function addWallet(
  kit: KitInstance,
  parameters: { namespace: ChainNamespace.ChainNamespace },
): boolean {
  const { namespace } = parameters
  const { features, chains } = kit.getState()
  if (!features.multiWallet && chains[namespace]?.connections.length) {
    kit.alert('MULTI_WALLET_NOT_ENABLED')
    return false
  }
  push(kit, { name: 'Connect' }, namespace)
  return true
}

/** Makes another connected wallet the active one. */
export async function switchWallet(kit: KitInstance, parameters: Wallet): Promise<void> {
  const wallet = nameOf(kit, parameters)
  try {
    await switchConnection(kit, parameters)
    kit.dispatch({ type: 'namespace.activated', namespace: parameters.namespace })
    showToast(kit, 'success', toastOf('toast.inUse', { wallet }))
  } catch {
    showToast(kit, 'error', toastOf('toast.switchFailed', { wallet }))
  }
}

/**
 * Disconnects one wallet. Lists the remaining ones, or closes the modal if none remain. A view that
 * waits for this disconnect to connect another wallet stays open.
 *
 * @see spec §4.1.6–7, §8.4; docs/views.md#account
 */
export async function disconnectWallet(kit: KitInstance, parameters: Wallet): Promise<void> {
  const wallet = nameOf(kit, parameters)
  const isAnyConnected = () =>
    Object.values(kit.getState().chains).some(({ connections }) => connections.length > 0)
  try {
    await disconnect(kit, parameters)
  } catch {
    showToast(kit, 'error', toastOf('toast.disconnectFailed'))
    return
  }
  const { view } = kit.getState()
  if (!view.open || !isAnyConnected()) return
  const { name } = currentView(view)
  if (viewRule(name).drawsAttempt) return
  if (name !== 'ProfileWallets') {
    reset(kit, { name: 'Account' })
    push(kit, { name: 'ProfileWallets' })
  }
  showToast(kit, 'success', toastOf('toast.disconnected', { wallet }))
}

/** Disconnects all wallets of a chain family. */
export async function disconnectAll(
  kit: KitInstance,
  parameters: { namespace: ChainNamespace.ChainNamespace },
): Promise<void> {
  try {
    await disconnect(kit, parameters)
    showToast(kit, 'success', toastOf('toast.allDisconnected'))
  } catch {
    showToast(kit, 'error', toastOf('toast.disconnectFailed'))
  }
}

/** Available wallets that were connected earlier, in this visit or a previous one, but are not connected now. */
export function walletsUsedBefore(
  kit: KitInstance,
  parameters: { namespace: ChainNamespace.ChainNamespace },
): readonly Connector[] {
  const { namespace } = parameters
  const { connectors, chains } = kit.getState()
  const stored = kit.persisted.read().connections[namespace] ?? {}
  const linked = chains[namespace]?.connections ?? []
  return connectors.filter(
    (connector) =>
      servesNamespace(connector, namespace) &&
      stored[connector.id] === 'disconnected' &&
      !linked.some(({ connectorId }) => connectorId === connector.id),
  )
}

/** Removes a wallet from the previously connected ones. */
export function forgetWallet(kit: KitInstance, parameters: Wallet): void {
  const { namespace, connectorId } = parameters
  const { connections } = kit.persisted.read()
  const { [connectorId]: _, ...rest } = connections[namespace] ?? {}
  kit.persisted.write({ connections: { ...connections, [namespace]: rest } })
}

/** The wallet's name or, if the extension was removed, the address of its account. */
function nameOf(kit: KitInstance, { namespace, connectorId }: Wallet): string {
  const { connectors, chains } = kit.getState()
  const connector = findConnector(connectors, connectorId, namespace)
  const connection = chains[namespace]?.connections.find((one) => one.connectorId === connectorId)
  const name = getSession(kit.getState(), connectorId)?.peer.name || connector?.name
  return name ?? shortAddress(connection?.accounts[0]?.address ?? connectorId)
}
