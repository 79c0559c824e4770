import type { State } from '../kit/state.ts'
import { isMobile } from '../platform/isMobile.ts'
import { showsGenericInjected } from './walletRows.ts'

/** Whether the visitor has installed a wallet that the connect view lists. @see spec §2.11.2 */
export function hasInstalledWallet({ connectors }: Pick<State, 'connectors'>): boolean {
  return connectors.some(
    (connector) =>
      ['ANNOUNCED', 'MULTI_CHAIN', 'INJECTED'].includes(connector.type) &&
      showsGenericInjected(connector, { mobile: isMobile() }),
  )
}
