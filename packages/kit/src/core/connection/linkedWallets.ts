import type { ChainNamespace } from '@gatefold/protocol'

import type { Connector } from './Connector.ts'
import type { Kit } from '../kit/Kit.ts'
import { shortAddress } from '../account/shortAddress.ts'
import { toastOf } from '../notifications/toasts.ts'
import { viewRule } from '../view/rules.ts'
import { currentView } from '../view/view.ts'
import { getSession } from './account.ts'
import { findConnector, servesNamespace } from './Connector.ts'
import { disconnect, switchConnection } from './disconnect.ts'
import { push, reset } from '../view/navigate.ts'

/*
 * What a visitor does with linked wallets. Each of these tells how it went in a toast, so that a
 * view only calls them; `connect`, `disconnect` and `switchConnection` are the silent ones.
 */

type Wallet = { namespace: ChainNamespace.ChainNamespace; connectorId: string }

/**
 * Offers the wallets of a chain family, to link one more.
 *
 * @returns false where the site keeps one wallet at a time; an alert tells its developer
 * @see spec §5.8.3
 */
export function addWallet(
  kit: Kit,
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

/** Puts another linked wallet to use. */
export async function switchWallet(kit: Kit, parameters: Wallet): Promise<void> {
  const wallet = nameOf(kit, parameters)
  try {
    await switchConnection(kit, parameters)
    kit.dispatch({ type: 'namespace.activated', namespace: parameters.namespace })
    kit.toast('success', toastOf('toast.inUse', { wallet }))
  } catch {
    kit.toast('error', toastOf('toast.switchFailed', { wallet }))
  }
}

/**
 * Lets one wallet go. With others left the list of them is shown, without it the modal closes; where
 * it was in the way of another wallet, that one's page goes on.
 *
 * @see spec §4.1.6–7, §8.4; docs/views.md#account
 */
export async function disconnectWallet(kit: Kit, parameters: Wallet): Promise<void> {
  const wallet = nameOf(kit, parameters)
  const left = () =>
    Object.values(kit.getState().chains).some(({ connections }) => connections.length > 0)
  try {
    await disconnect(kit, parameters)
  } catch {
    kit.toast('error', toastOf('toast.disconnectFailed'))
    return
  }
  const { view } = kit.getState()
  if (!view.open || !left()) return
  const { name } = currentView(view)
  if (viewRule(name).drawsAttempt) return
  if (name !== 'ProfileWallets') {
    reset(kit, { name: 'Account' })
    push(kit, { name: 'ProfileWallets' })
  }
  kit.toast('success', toastOf('toast.disconnected', { wallet }))
}

/** Lets all wallets of a chain family go. */
export async function disconnectAll(
  kit: Kit,
  parameters: { namespace: ChainNamespace.ChainNamespace },
): Promise<void> {
  try {
    await disconnect(kit, parameters)
    kit.toast('success', toastOf('toast.allDisconnected'))
  } catch {
    kit.toast('error', toastOf('toast.disconnectFailed'))
  }
}

/** Wallets that were connected in an earlier visit or earlier in this one, and are there to be asked. */
export function walletsUsedBefore(
  kit: Kit,
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

/** Takes a wallet off the list of those used before. */
export function forgetWallet(kit: Kit, parameters: Wallet): void {
  const { namespace, connectorId } = parameters
  const { connections } = kit.persisted.read()
  const { [connectorId]: _, ...rest } = connections[namespace] ?? {}
  kit.persisted.write({ connections: { ...connections, [namespace]: rest } })
}

/** What a wallet is called; one whose extension has gone, by its address. */
function nameOf(kit: Kit, { namespace, connectorId }: Wallet): string {
  const { connectors, chains } = kit.getState()
  const connector = findConnector(connectors, connectorId, namespace)
  const connection = chains[namespace]?.connections.find((one) => one.connectorId === connectorId)
  const name = getSession(kit.getState(), connectorId)?.peer.name || connector?.name
  return name ?? shortAddress(connection?.accounts[0]?.address ?? connectorId)
}
