import { BaseError } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { DisconnectError } from '../kit/requestErrors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { isConnectedBy } from './account.ts'

/**
 * Disconnects one connector, one chain family or, without parameters, every wallet.
 * The site's state is cleared even if the wallet does not respond.
 *
 * @throws {DisconnectError} a wallet failed to disconnect
 * @example await disconnect(kit)
 */
export async function disconnect(kit: Kit, parameters: disconnect.Parameters = {}): Promise<void> {
  const instance = instanceOf(kit)
  const { namespace, connectorId } = parameters
  // A connection that is being restored can be disconnected only once it is restored.
  const isRestoring = Object.entries(instance.getState().chains).some(
    ([key, { status }]) => (!namespace || key === namespace) && status === 'reconnecting',
  )
  if (isRestoring) await instance.ready()
  // Ends the session first, so that all its families are disconnected before a view can request a new session.
  for (const [id, connector] of instance.connectors)
    if ((!connectorId || id === connectorId) && isConnectedBy(instance.getState(), id, namespace))
      await connector.disconnect()
  const adapters = [...instance.adapters].filter(([key]) => !namespace || key === namespace)
  const results = await Promise.allSettled(
    adapters.map(([, adapter]) => adapter.disconnect(connectorId ? { connectorId } : undefined)),
  )
  const failure = results.find((result) => result.status === 'rejected')
  if (!failure) return
  const cause: unknown = failure.reason
  instance.track({ event: 'DISCONNECT_ERROR', properties: { message: String(cause) } })
  if (cause instanceof DisconnectError) throw cause
  const message = cause instanceof BaseError ? cause.shortMessage : (cause as Error)?.message
  throw new DisconnectError(adapters.length > 1 ? { cause, message } : { cause })
}

export declare namespace disconnect {
  /** Selects what to disconnect. */
  type Parameters = {
    /** Only this chain family; by default all. */
    namespace?: ChainNamespace.ChainNamespace | undefined
    /** Only this connector; by default all. */
    connectorId?: string | undefined
  }
}

/** Makes another connected wallet the active one. */
export async function switchConnection(
  kit: Kit,
  parameters: {
    /** The chain family. */
    namespace: ChainNamespace.ChainNamespace
    /** Id of the wallet's connector. */
    connectorId: string
  },
): Promise<void> {
  const instance = instanceOf(kit)
  await instance.adapters.get(parameters.namespace)?.switchConnection(parameters)
}
