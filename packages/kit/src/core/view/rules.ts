import type { ViewName } from './ViewData.ts'

/** How a view behaves on close, on back, and when the connection changes. */
export type ViewRule = {
  /** Needs an account; without one, Connect is shown instead. */
  needsConnection?: boolean
  /** Requires an answer before closing: always, or only `above` a view that blocks. @see spec §2.9 */
  blocksClose?: true | 'above'
  /** When the active network changes: `stay` for views that apply to any network. */
  onNetworkChange?: 'back' | 'stay'
  /** Changes the network. A network change therefore closes it even while no wallet is connected. */
  changesNetwork?: boolean
  /**
   * Closes when the wallet is on a configured network: always, or only `after` it was on an unsupported
   * one. @see spec §4.6.1
   */
  resolvesNetwork?: 'always' | 'after'
  /** When the last wallet disconnects: `stay` for views that connect another one. */
  onDisconnect?: 'close' | 'stay'
  /** Shows `state.attempt`; its URI is renewed while the view is on screen. */
  drawsAttempt?: boolean
  /** The part of the state to clear when the visitor goes back from the view. */
  clears?: 'attempt' | 'switching'
}

/** The rules of views, by name. */
export type ViewRules = { [name in ViewName]?: ViewRule }

const anytime: ViewRule = {}
/** A view of the account on the active network. */
const ofNetwork: ViewRule = { needsConnection: true }
/** A view of the account on all networks. */
const ofAccount: ViewRule = { needsConnection: true, onNetworkChange: 'stay' }

/** The views that are not `ofAccount`, so that the first load contains few names. @see docs/views.md */
const rules: ViewRules = {
  AllWallets: anytime,
  Connect: anytime,
  ConnectWallets: anytime,
  ConnectingExternal: { onNetworkChange: 'stay', clears: 'attempt' },
  ConnectingWalletConnect: { onNetworkChange: 'stay', onDisconnect: 'stay', drawsAttempt: true },
  ConnectingWalletConnectBasic: {
    onNetworkChange: 'stay',
    onDisconnect: 'stay',
    drawsAttempt: true,
  },
  Downloads: anytime,
  GetWallet: anytime,
  Networks: { changesNetwork: true },
  ProfileWallets: { onNetworkChange: 'stay', onDisconnect: 'stay' },
  SwapSelectToken: ofNetwork,
  SwitchActiveChain: { onNetworkChange: 'stay' },
  SwitchNetwork: {
    blocksClose: 'above',
    changesNetwork: true,
    resolvesNetwork: 'after',
    clears: 'switching',
  },
  UnsupportedChain: { blocksClose: true, resolvesNetwork: 'always' },
  WalletSend: ofNetwork,
  WalletSendPreview: ofNetwork,
  WalletSendSelectToken: ofNetwork,
  WhatIsANetwork: anytime,
  WhatIsAWallet: anytime,
}

export function viewRule(name: ViewName): ViewRule {
  return rules[name] ?? ofAccount
}

/** Adds the rules of a connector's views. */
export function addViewRules(added: ViewRules): void {
  Object.assign(rules, added)
}
