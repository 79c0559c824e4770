import { servesNamespace } from '../connection/Connector.ts'
import type { Connector } from '../connection/Connector.ts'
import type { State } from '../kit/state.ts'
import type { WalletListing } from './WalletListing.ts'
import { isSameWallet, uniqueConnectors } from './walletRows.ts'

/**
 * The connector of a directory wallet that is installed, for the chain family that the view lists.
 *
 * @see spec §9.9.3
 */
export function installedConnector(
  { connectors, view }: Pick<State, 'connectors' | 'view'>,
  wallet: WalletListing,
): Connector | undefined {
  return uniqueConnectors(connectors).find(
    (connector) =>
      !connector.universal &&
      isSameWallet(wallet, connector) &&
      servesNamespace(connector, view.namespace),
  )
}
