import type { ChainNamespace } from '@gatefold/protocol'

import { ConnectError } from '../kit/errors.ts'
import type { ConnectedAccount, KitInstance } from '../kit/Kit.ts'
import { getAccount, isConnectedBy } from './account.ts'
import { connectionOf } from './Session.ts'
import type { Session } from './Session.ts'

/**
 * Connects every configured chain family that a session grants. If an error occurs or no family can be
 * connected, ends the session, so that the wallet does not keep an unused one.
 *
 * @param parameters.namespace - the family to activate and whose account to return, if it is granted
 * @throws {ConnectError} `wallet.no_account` if the wallet shared no usable account
 */
export async function attachSession(
  kit: KitInstance,
  session: Session,
  parameters: {
    namespace?: ChainNamespace.ChainNamespace | undefined
    signal?: AbortSignal | undefined
  } = {},
): Promise<ConnectedAccount> {
  const { connectorId } = session
  try {
    parameters.signal?.throwIfAborted()
    const families = familiesOf(kit)
    const before = kit.getState().namespace
    for (const namespace of families) await attachFamily(kit, namespace, session)
    // Activates the requested or previously active family rather than the last one attached.
    const namespace = [parameters.namespace, before, ...families].find(
      (family) => family && isConnectedBy(kit.getState(), connectorId, family),
    )
    if (namespace) kit.dispatch({ type: 'namespace.activated', namespace })
    const account = namespace && getAccount(kit.getState(), namespace)
    if (account) return account
    throw new ConnectError({ code: 'wallet.no_account', details: 'The wallet shared no account.' })
  } catch (error) {
    await kit.connectors.get(connectorId)?.disconnect()
    throw error
  }
}

/**
 * Connects one chain family of a session; does nothing if the session has no accounts of that family.
 */
export async function attachFamily(
  kit: KitInstance,
  namespace: ChainNamespace.ChainNamespace,
  session: Session,
  parameters: { active?: boolean; restored?: boolean } = {},
): Promise<void> {
  const { active = true, restored = false } = parameters
  const connection = connectionOf(session.getState(), namespace)
  if (!connection) return
  const adapter = kit.adapters.get(namespace)
  if (adapter) await adapter.attach({ session, active, restored })
  // Without adapters, the session alone is the connection.
  else if (kit.adapters.size === 0)
    kit.dispatch({ type: 'connection.connected', namespace, connection, active })
}

/** The chain families of the configured networks. */
export function familiesOf(kit: KitInstance): ReadonlySet<ChainNamespace.ChainNamespace> {
  return new Set(kit.getState().networks.map(({ chainNamespace }) => chainNamespace))
}
