import type { ViewName } from './ViewData.ts'

/** How a view takes part in closing, going back and changes of the connection. */
export type ViewRule = {
  /** Shows an account: opened without one, Connect is shown. */
  needsConnection?: boolean
  /** The visitor has to answer before closing: always, or `above` a view that blocks. @see spec §2.9 */
  blocksClose?: true | 'above'
  /** After the active network changed: `stay` in a view that holds for any network. */
  onNetworkChange?: 'back' | 'stay'
  /** Its purpose is to change the network: left also while no wallet is connected. */
  changesNetwork?: boolean
  /** Left once the network is a configured one: always, or `after` it was not. @see spec §4.6.1 */
  resolvesNetwork?: 'always' | 'after'
  /** After the last wallet was disconnected: `stay` where another one is to be connected. */
  onDisconnect?: 'close' | 'stay'
  /** Draws `state.attempt`: a URI is renewed while it is on screen. */
  drawsAttempt?: boolean
  /** Removed from the state when the visitor goes back from the view. */
  clears?: 'attempt' | 'switching'
}

/** One row for each view that differs from the defaults. @see docs/views.md */
const rules: { readonly [name in ViewName]?: ViewRule } = {
  Account: { needsConnection: true, onNetworkChange: 'stay' },
  AccountSettings: { needsConnection: true },
  ConnectingExternal: { onNetworkChange: 'stay', clears: 'attempt' },
  ConnectingWalletConnect: { onNetworkChange: 'stay', onDisconnect: 'stay', drawsAttempt: true },
  ConnectingWalletConnectBasic: {
    onNetworkChange: 'stay',
    onDisconnect: 'stay',
    drawsAttempt: true,
  },
  Networks: { changesNetwork: true },
  ProfileWallets: { onNetworkChange: 'stay', onDisconnect: 'stay' },
  SIWXSignMessage: { onNetworkChange: 'stay' },
  SwitchActiveChain: { onNetworkChange: 'stay' },
  SwitchNetwork: {
    blocksClose: 'above',
    changesNetwork: true,
    resolvesNetwork: 'after',
    clears: 'switching',
  },
  Transactions: { needsConnection: true },
  UnsupportedChain: { blocksClose: true, resolvesNetwork: 'always' },
  WalletReceive: { needsConnection: true },
  WalletSend: { needsConnection: true },
}

const defaults: ViewRule = {}

/** The rule of a view. */
export function viewRule(name: ViewName): ViewRule {
  return rules[name] ?? defaults
}
