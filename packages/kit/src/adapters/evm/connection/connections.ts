import { DisconnectError, NotConnectedError } from '../../../core/kit/requestErrors.ts'
import { findConnection, liveConnections } from '../context.ts'
import type { Evm } from '../context.ts'
import { causesOf } from '../failure.ts'

/**
 * Disconnects one wallet, or all of them. wagmi revokes the permission, waits at most 100 ms for the
 * wallet, and records that the visitor disconnected. The site's state is cleared even if a wallet
 * fails.
 *
 * @throws {DisconnectError} a wallet failed to disconnect
 * @see spec §4.15, §5.9.3, §8.4, §9.6.4
 */
export async function disconnect(
  evm: Evm,
  parameters: { connectorId?: string | undefined } = {},
): Promise<void> {
  const { config } = evm
  const { connectorId } = parameters
  const failures: unknown[] = []
  // Disconnects one wallet at a time: if two disconnect at once, wagmi restores the first.
  for (const { connector } of liveConnections(config)) {
    if (connectorId && connector.id !== connectorId) continue
    try {
      await connector.disconnect()
    } catch (error) {
      if (!isNoMatchingKey(error)) failures.push(error)
    }
    if (config.state.connections.has(connector.uid))
      config._internal.events.disconnect({ uid: connector.uid })
  }
  if (failures.length > 0) throw new DisconnectError({ cause: failures[0] })
}

/** Makes another connected wallet the active one. @see spec §4.1.2 */
export async function switchConnection(
  evm: Evm,
  parameters: { connectorId: string },
): Promise<void> {
  const connection = findConnection(evm, parameters.connectorId)
  if (!connection) throw new NotConnectedError()
  evm.config.setState((state) => ({ ...state, current: connection.connector.uid }))
}

/**
 * The wallet's own provider, without the kit's wrapper.
 *
 * @throws {NotConnectedError} no wallet is connected
 */
export async function getProvider(
  evm: Evm,
  parameters: { connectorId?: string | undefined } = {},
): Promise<unknown> {
  const connection = findConnection(evm, parameters.connectorId)
  if (!connection) throw new NotConnectedError()
  return evm.providers.original(await connection.connector.getProvider())
}

/** Whether the peer no longer knows the session, which counts as disconnected. @see spec §5.9.3 */
function isNoMatchingKey(error: unknown): boolean {
  for (const { message } of causesOf(error))
    if (typeof message === 'string' && /no matching key/i.test(message)) return true
  return false
}
