import type { ChainNamespace } from '@gatefold/protocol'

import type { Network } from '../networks/Network.ts'
import type { ViewEntry } from './ViewData.ts'
import { viewRule } from './rules.ts'

export type { BuyArguments, SwapArguments, ViewData, ViewEntry, ViewName } from './ViewData.ts'

/** The modal: whether it is open, and its history of views. */
export type ViewState = {
  /** Whether the modal is open. */
  open: boolean
  /** Whether the card shakes, because the visitor tried to close a view that blocks closing. */
  shake: boolean
  /** Whether the modal is rendered inside the page instead of over it. */
  embedded: boolean
  /** The requested chain family; the connect view lists only its wallets. */
  namespace: ChainNamespace.ChainNamespace | undefined
  /** Never empty; the last entry is on screen. */
  history: readonly ViewEntry[]
  /** The direction of the last change, for the transition. */
  direction: 'next' | 'prev'
}

export type ViewEvent =
  | { type: 'view.opened'; entry: ViewEntry; namespace?: ChainNamespace.ChainNamespace | undefined }
  | { type: 'view.closed' }
  | { type: 'view.pushed'; entry: ViewEntry; namespace?: ChainNamespace.ChainNamespace | undefined }
  | { type: 'view.replaced'; entry: ViewEntry }
  | { type: 'view.reset'; entry: ViewEntry; namespace?: ChainNamespace.ChainNamespace | undefined }
  | { type: 'view.back' }
  | { type: 'view.returned'; entry: ViewEntry }
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

/** Whether the card is visible: open over the page, or embedded in it. */
export function isOnScreen(state: ViewState): boolean {
  return state.open || state.embedded
}

/**
 * Pure transitions of the router.
 *
 * @param context.connected - whether any wallet is connected
 * @see spec §2.5, §2.7; docs/views.md
 */
export function viewReducer(
  state: ViewState,
  event: ViewEvent,
  context: { connected: boolean },
): ViewState {
  switch (event.type) {
    case 'view.opened':
      return {
        ...state,
        open: true,
        shake: false,
        namespace: event.namespace,
        // The same view keeps its entry, so that a view that was rendered ahead is reused.
        history: [isSame(currentView(state), event.entry) ? currentView(state) : event.entry],
        direction: 'next',
      }
    case 'view.closed':
      return {
        ...state,
        open: false,
        shake: false,
        namespace: undefined,
        history: [state.embedded && context.connected ? accountEntry : connectEntry],
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
      const history = rest.at(-1)?.name === 'Connect' && context.connected ? [accountEntry] : rest
      return { ...state, history, direction: 'prev' }
    }
    case 'view.returned': {
      // If there is no such entry, the index is -1, so that only the view on screen is removed.
      const last = state.history.findLastIndex(({ name }) => name === event.entry.name)
      const history = [...state.history.slice(0, last), event.entry]
      return { ...state, history, direction: 'prev' }
    }
    case 'view.shake':
      return state.shake === event.on ? state : { ...state, shake: event.on }
  }
}

function isSame(a: ViewEntry, b: ViewEntry): boolean {
  return a.name === b.name && JSON.stringify(a.data ?? null) === JSON.stringify(b.data ?? null)
}

/**
 * The view that `open()` shows. If `open()` requests another chain family, SwitchNetwork is shown over it.
 * A view that needs a wallet becomes Connect while none is connected.
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
  if (!requested) return connected ? accountEntry : connectEntry
  return viewRule(requested.name).needsConnection && !connected ? connectEntry : requested
}

/** How the modal reacts when the active network changes. @see docs/views.md */
export function afterNetworkChange(
  state: ViewState,
  parameters: {
    connected: boolean
    previous: Network | undefined
    next: Network | undefined
    /** Whether the previous network was unsupported. */
    previousUnsupported: boolean
  },
): 'back' | 'stay' {
  if (!state.open) return 'stay'
  const { connected, previous, next, previousUnsupported } = parameters
  const rule = viewRule(currentView(state).name)
  if (rule.onNetworkChange === 'stay') return 'stay'
  if (
    rule.resolvesNetwork === 'always' ||
    (rule.resolvesNetwork === 'after' && previousUnsupported)
  )
    return next ? 'back' : 'stay'
  if (previous?.caipNetworkId === next?.caipNetworkId) return 'stay'
  // Without a wallet, the site may change the network while the visitor is in an unrelated view.
  if (!connected) return rule.changesNetwork ? 'back' : 'stay'
  const sameFamily = previous?.chainNamespace === next?.chainNamespace
  return sameFamily && !previousUnsupported ? 'back' : 'stay'
}

/** How the modal reacts when the last wallet disconnects. @see docs/views.md */
export function afterDisconnect(state: ViewState): 'close' | 'stay' {
  const { onDisconnect = 'close' } = viewRule(currentView(state).name)
  return !state.open || state.embedded ? 'stay' : onDisconnect
}
