import type { Connector } from './Connector.ts'

// Not in Connector.ts, which every page loads.

/** Finds the connector that can connect wallets that are not installed, if any. */
export function findUniversalConnector(connectors: readonly Connector[]): Connector | undefined {
  return connectors.find(({ universal }) => universal)
}
