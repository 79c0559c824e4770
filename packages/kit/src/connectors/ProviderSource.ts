import type { ConnectorContext } from '../core/connection/Connector.ts'
import type { SessionState } from '../core/connection/Session.ts'

/** An event that the wallet sent for a chain of the session. */
export type WalletEvent = { chainId: string; name: string; data: unknown }

/** The members of a session that providers use. */
export type ProviderSource = {
  /** @throws {NotConnectedError} the session has ended */
  getState(): SessionState
  /** @param parameters.chainId - CAIP-2 */
  request(parameters: {
    chainId: string
    request: { method: string; params?: unknown }
  }): Promise<unknown>
  onChange(listener: () => void): void
  onEvent(listener: (event: WalletEvent) => void): void
  onEnd(listener: () => void): void
  networks: ConnectorContext['networks']
  activeNetwork: ConnectorContext['activeNetwork']
}
