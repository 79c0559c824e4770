import { DisconnectError } from '../../../core/kit/errors.ts'
import { NotConnectedError } from '../../../core/kit/kitErrors.ts'
import { findConnection, liveConnections } from '../context.ts'
import type { Evm } from '../context.ts'
import { causesOf } from '../failure.ts'

/**
 * Lets one wallet go, or all of them. wagmi revokes the permission, waits 100 ms for the wallet at
 * most, and remembers that the visitor left. The site's own state is cleared whatever the wallet says.
 *
 * @throws {DisconnectError} a wallet refused
 * @see spec §4.15, §5.9.3, §8.4, §9.6.4
 */
export async function disconnect(
  evm: Evm,
  parameters: { connectorId?: string | undefined } = {},
): Promise<void> {
  const { config } = evm
  const { connectorId } = parameters
  const failures: unknown[] = []
  // One after the other: wagmi's state of two at once would bring the first one back.
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

/** Makes another connected wallet the one in use. @see spec §4.1.2 */
export async function switchConnection(
  evm: Evm,
  parameters: { connectorId: string },
): Promise<void> {
  const connection = findConnection(evm, parameters.connectorId)
  if (!connection) throw new NotConnectedError()
  evm.config.setState((state) => ({ ...state, current: connection.connector.uid }))
}

/** A session that the other side has forgotten is as gone as can be. @see spec §5.9.3 */
function isNoMatchingKey(error: unknown): boolean {
  for (const { message } of causesOf(error))
    if (typeof message === 'string' && /no matching key/i.test(message)) return true
  return false
}
