import type { ChainNamespace } from '@gatefold/protocol'

import type { Network } from '../networks/Network.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/**
 * The screens of the modal and what each needs. Names as the official router spells them, so that a
 * site can move over. @see spec §2.4
 */
export type ViewData = {
  Account: undefined
  AccountSettings: undefined
  AllWallets: undefined
  ApproveTransaction: undefined
  BuyInProgress: undefined
  Connect: undefined
  ConnectWallets: undefined
  ConnectSocials: undefined
  ConnectingExternal: {
    connectorId: string
    namespace: ChainNamespace.ChainNamespace
    wallet?: WalletListing | undefined
  }
  ConnectingFarcaster: undefined
  ConnectingMultiChain: { connectorId: string }
  ConnectingSocial: { provider: string }
  ConnectingWalletConnect: { wallet?: WalletListing | undefined } | undefined
  ConnectingWalletConnectBasic: undefined
  Create: undefined
  Downloads: { wallet: WalletListing }
  EmailLogin: undefined
  EmailVerifyDevice: undefined
  EmailVerifyOtp: undefined
  GetWallet: undefined
  Networks: undefined
  OnRampProviders: undefined
  ProfileWallets: undefined
  RegisterAccountName: undefined
  RegisterAccountNameSuccess: undefined
  SIWXSignMessage: undefined
  Swap:
    | { fromToken?: string | undefined; toToken?: string | undefined; amount?: string | undefined }
    | undefined
  SwitchActiveChain: { network: Network; redirectTo?: ViewName | undefined }
  SwitchNetwork: { network: Network }
  Transactions: undefined
  UnsupportedChain: { context?: 'app' | 'swap' | undefined } | undefined
  UpdateEmailWallet: undefined
  WalletReceive: undefined
  WalletSend: undefined
  WhatIsABuy: undefined
  WhatIsANetwork: undefined
  WhatIsAWallet: undefined
}

export type ViewName = keyof ViewData

/** A place in the history: a view and its data. */
export type ViewEntry = {
  [name in ViewName]: undefined extends ViewData[name]
    ? { name: name; data?: ViewData[name] }
    : { name: name; data: ViewData[name] }
}[ViewName]

/** @see spec §3.11, §2.5, §2.12.1 */
export type ViewState = {
  open: boolean
  /** The visitor tried to leave a view that cannot be left yet. @see spec §4.3.3 */
  shake: boolean
  /** Shown in the page itself instead of over it. */
  embedded: boolean
  /** The chain family that was asked for; the connect view shows its wallets only. */
  namespace: ChainNamespace.ChainNamespace | undefined
  /** Never empty; the last one is on screen. */
  history: readonly ViewEntry[]
  direction: 'next' | 'prev'
}

export type ViewEvent =
  | { type: 'view.opened'; entry: ViewEntry; namespace?: ChainNamespace.ChainNamespace | undefined }
  | { type: 'view.closed'; connected: boolean }
  | { type: 'view.pushed'; entry: ViewEntry; namespace?: ChainNamespace.ChainNamespace | undefined }
  | { type: 'view.replaced'; entry: ViewEntry }
  | { type: 'view.reset'; entry: ViewEntry; namespace?: ChainNamespace.ChainNamespace | undefined }
  | { type: 'view.back'; connected: boolean }
  | { type: 'view.shake'; on: boolean }

export const connectEntry: ViewEntry = { name: 'Connect' }
const accountEntry: ViewEntry = { name: 'Account' }

export function initialViewState(embedded = false): ViewState {
  return {
    open: false,
    shake: false,
    embedded,
    namespace: undefined,
    history: [connectEntry],
    direction: 'next',
  }
}

/** The view on screen. */
export function currentView(state: ViewState): ViewEntry {
  return state.history.at(-1) ?? connectEntry
}

/** Whether the visitor sees the card: opened over the page, or standing in it. */
export function isOnScreen(state: ViewState): boolean {
  return state.open || state.embedded
}

/** Pure transitions of the router. @see spec §2.5, §2.7, views.md 1.1 */
export function viewReducer(state: ViewState, event: ViewEvent): ViewState {
  switch (event.type) {
    case 'view.opened':
      return {
        ...state,
        open: true,
        shake: false,
        namespace: event.namespace,
        // The same view stays the same entry: what was drawn for it before the click is shown.
        history: [isSame(currentView(state), event.entry) ? currentView(state) : event.entry],
        direction: 'next',
      }
    case 'view.closed':
      return {
        ...state,
        open: false,
        shake: false,
        namespace: undefined,
        history: [state.embedded && event.connected ? accountEntry : connectEntry],
        direction: 'prev',
      }
    case 'view.pushed': {
      if (isSame(currentView(state), event.entry)) return state
      return {
        ...state,
        namespace: event.namespace ?? state.namespace,
        history: [...state.history, event.entry],
        direction: 'next',
      }
    }
    case 'view.replaced':
      return { ...state, history: [...state.history.slice(0, -1), event.entry], direction: 'next' }
    case 'view.reset':
      return {
        ...state,
        namespace: event.namespace ?? state.namespace,
        history: [event.entry],
        direction: state.history.some(({ name }) => name === event.entry.name) ? 'prev' : 'next',
      }
    case 'view.back': {
      if (state.history.length < 2) return state
      const rest = state.history.slice(0, -1)
      const back = rest.at(-1)?.name === 'Connect' && event.connected ? [accountEntry] : rest
      return { ...state, history: back, direction: 'prev' }
    }
    case 'view.shake':
      return state.shake === event.on ? state : { ...state, shake: event.on }
  }
}

function isSame(a: ViewEntry, b: ViewEntry): boolean {
  return a.name === b.name && JSON.stringify(a.data ?? null) === JSON.stringify(b.data ?? null)
}

/**
 * Which view `open()` shows, when it is no namespace change.
 *
 * @see spec §2.6.2–4
 */
export function entryToOpen(parameters: {
  requested?: ViewEntry | undefined
  connected: boolean
  hasAdapters: boolean
  manualWalletConnect: boolean
  mobile: boolean
}): ViewEntry {
  const { requested, connected, hasAdapters, manualWalletConnect, mobile } = parameters
  if (manualWalletConnect || (!hasAdapters && !connected))
    return mobile ? { name: 'AllWallets' } : { name: 'ConnectingWalletConnectBasic' }
  if (requested) return requested
  return connected ? accountEntry : connectEntry
}

/**
 * Whether the visitor may leave; if not, the card shakes instead.
 *
 * @see spec §2.9; views.md 1.1 “Close”
 */
export function canClose(state: ViewState, parameters: { signInPending: boolean }): boolean {
  const view = currentView(state)
  if (view.name === 'UnsupportedChain') return false
  if (view.name === 'SwitchNetwork' && state.history.at(-2)?.name === 'UnsupportedChain')
    return false
  if (view.name === 'SIWXSignMessage' || view.name === 'ApproveTransaction')
    return !parameters.signInPending
  return true
}

/** What happens to the modal after the network changed under it. @see views.md 1.1 */
export function afterNetworkChange(
  state: ViewState,
  parameters: {
    connected: boolean
    previous: Network | undefined
    next: Network | undefined
    /** The previous network was one the site does not know. */
    previousUnsupported: boolean
  },
): 'back' | 'stay' {
  if (!state.open) return 'stay'
  const { connected, previous, next, previousUnsupported } = parameters
  const view = currentView(state).name
  // These hold for any network, or lead on themselves.
  if (
    view === 'Account' ||
    view === 'ConnectingExternal' ||
    view === 'ConnectingWalletConnect' ||
    view === 'ConnectingWalletConnectBasic' ||
    view === 'ProfileWallets' ||
    view === 'SIWXSignMessage' ||
    view === 'SwitchActiveChain'
  )
    return 'stay'
  if (view === 'UnsupportedChain' || (view === 'SwitchNetwork' && previousUnsupported))
    return next ? 'back' : 'stay'
  if (previous?.caipNetworkId === next?.caipNetworkId) return 'stay'
  // Without a wallet the site may change the network by itself, while the visitor is elsewhere.
  if (!connected) return view === 'Networks' || view === 'SwitchNetwork' ? 'back' : 'stay'
  const sameFamily = previous?.chainNamespace === next?.chainNamespace
  return sameFamily && !previousUnsupported ? 'back' : 'stay'
}

/** What happens to the modal after the account in use changed under it. @see views.md 1.1 */
export function afterAddressChange(
  state: ViewState,
  parameters: { connected: boolean; switchingNamespace: boolean; authenticated: boolean },
): 'back' | 'close' | 'stay' {
  if (!state.open) return 'stay'
  if (parameters.connected)
    return parameters.switchingNamespace && parameters.authenticated ? 'back' : 'stay'
  const { name } = currentView(state)
  // Where one wallet had to go, another is to come.
  const goesOn = name === 'ProfileWallets' || name.startsWith('ConnectingWalletConnect')
  return parameters.switchingNamespace || goesOn || state.embedded ? 'stay' : 'close'
}
