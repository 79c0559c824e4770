import { ChainNamespace } from '@gatefold/protocol'
import type { BaseError } from '@gatefold/protocol'

import type { Alert } from '../notifications/alerts.ts'
import type { Attempt } from '../connection/attempt.ts'
import { connectionReducer, initialChainState } from '../connection/chainState.ts'
import type { ChainState, ConnectionEvent } from '../connection/chainState.ts'
import type { Connector } from '../connection/Connector.ts'
import type { RemoteFeatures } from '../features/features.ts'
import type { PendingTransaction } from '../money/pending/PendingTransaction.ts'
import type { Network } from '../networks/Network.ts'
import type { SessionEndReason, SessionState } from '../connection/Session.ts'
import type { ThemeState } from '../appearance/theme.ts'
import type { ToastText } from '../notifications/toasts.ts'
import { defaultPreferences } from './preferences.ts'
import type { Preferences } from './preferences.ts'
import { viewRule } from '../view/rules.ts'
import { currentView, initialViewState, viewReducer } from '../view/view.ts'
import type { ViewEvent, ViewState } from '../view/view.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/** The kind of a toast. */
export type ToastVariant = 'info' | 'success' | 'error' | 'loading'

/** A short message for the visitor. */
export type Toast = {
  /** Unique in the instance. */
  id: number
  /** The kind. */
  variant: ToastVariant
  /** The text; in English if `key` is set. */
  message: string
  /** The catalog's key, used to show the text in the visitor's language. */
  key?: ToastText['key']
  /** The values in the text, by name. */
  values?: ToastText['values']
}

/** The pending network switch, or how the last one failed. */
export type Switching = {
  /** CAIP-2 id of the requested network. */
  networkId: string
  /** `silent`: no response from the wallet for a minute. */
  status: 'waiting' | 'silent' | 'rejected' | 'failed'
  /** Why it failed. */
  error?: BaseError | undefined
}

/** Wallets that the connect view suggests in addition to installed ones. */
export type Suggestions = {
  /** The wallets in `featuredWalletIds`. */
  featured: readonly WalletListing[]
  /** Hidden wallets. */
  excluded: readonly WalletListing[]
  /** The gateway's most used wallets. */
  recommended: readonly WalletListing[]
  /**
   * Number of directory wallets that match the site's options, without featured wallets; undefined until
   * the gateway responds.
   */
  count: number | undefined
}

/** The state of an instance: plain data that every change replaces. Read it with `kit.getState()` or `useKitState`. */
export type State = {
  /** The modal: whether it is open, and the view that it shows. */
  view: ViewState
  /** The configured networks. */
  networks: readonly Network[]
  /** The active chain family. */
  namespace: ChainNamespace.ChainNamespace
  /** Connections and the active network, by chain family. */
  chains: Partial<Record<ChainNamespace.ChainNamespace, ChainState>>
  /** The available connectors: installed wallets, and those of the site. */
  connectors: readonly Connector[]
  /** The effective features. */
  features: RemoteFeatures
  /** Status of the request for the gateway's feature configuration. */
  server: 'unused' | 'loading' | 'ready' | 'failed'
  /** Sessions that may serve several families, by connector id; ended ones are kept with their reason. */
  sessions: Readonly<Record<string, SessionState>>
  /** The current attempt to connect. */
  attempt: Attempt | undefined
  /** The pending network switch. */
  switching: Switching | undefined
  /** The message on screen. */
  toast: Toast | undefined
  /** Messages for the site's developer, shown with the option `debug`. */
  alerts: readonly Alert[]
  /** The current theme. */
  theme: ThemeState
  /** The current language as a BCP 47 tag. */
  locale: string
  /** The visitor's choices in the account view, with the site's defaults. */
  preferences: Preferences
  /** Recently used wallets, newest first. */
  recent: readonly WalletListing[]
  /** Suggestions from the site and the gateway; undefined until loaded. */
  suggestions: Suggestions | undefined
  /** The transactions that this site submitted, of all accounts, newest first; empty until loaded. */
  pending: readonly PendingTransaction[]
}

export type StateEvent =
  | ViewEvent
  | ConnectionEvent
  | { type: 'networks.changed'; networks: readonly Network[] }
  | { type: 'namespace.activated'; namespace: ChainNamespace.ChainNamespace }
  | {
      type: 'connectors.changed'
      namespace: ChainNamespace.ChainNamespace
      connectors: readonly Connector[]
    }
  | { type: 'connectors.added'; connectors: readonly Connector[] }
  | { type: 'features.resolved'; features: RemoteFeatures; server: State['server'] }
  | { type: 'server.loading' }
  | { type: 'attempt.changed'; attempt: Attempt | undefined }
  | { type: 'session.changed'; session: SessionState }
  | { type: 'session.ended'; connectorId: string; reason: SessionEndReason }
  | { type: 'switching.changed'; switching: Switching | undefined }
  | { type: 'toast.shown'; toast: Toast }
  | { type: 'toast.hidden'; id?: number | undefined }
  | { type: 'alert.shown'; alert: Alert }
  | { type: 'alert.hidden'; code: string }
  | { type: 'theme.changed'; theme: ThemeState }
  | { type: 'locale.changed'; locale: string }
  | { type: 'preferences.changed'; preferences: Partial<Preferences> }
  | { type: 'recent.changed'; recent: readonly WalletListing[] }
  | { type: 'suggestions.changed'; suggestions: Suggestions }
  | { type: 'pending.changed'; pending: State['pending'] }

export function initialState(parameters: {
  networks: readonly Network[]
  defaultNetwork: Network | undefined
  namespaces: readonly ChainNamespace.ChainNamespace[]
  features: RemoteFeatures
  theme: ThemeState
  locale: string
  currency?: string | undefined
  embedded: boolean
}): State {
  const { networks, defaultNetwork } = parameters
  const chains: State['chains'] = {}
  for (const namespace of parameters.namespaces) {
    const network =
      defaultNetwork?.chainNamespace === namespace
        ? defaultNetwork
        : networks.find(({ chainNamespace }) => chainNamespace === namespace)
    chains[namespace] = initialChainState(network?.caipNetworkId)
  }
  return {
    view: initialViewState(parameters.embedded),
    networks,
    namespace:
      defaultNetwork?.chainNamespace ?? parameters.namespaces[0] ?? ChainNamespace.defaultNamespace,
    chains,
    connectors: [],
    features: parameters.features,
    server: 'unused',
    sessions: {},
    attempt: undefined,
    switching: undefined,
    toast: undefined,
    alerts: [],
    theme: parameters.theme,
    locale: parameters.locale,
    preferences: defaultPreferences(parameters.currency),
    recent: [],
    suggestions: undefined,
    pending: [],
  }
}

/** The root reducer. */
export function reducer(state: State, event: StateEvent): State {
  if (event.type.startsWith('view.')) return reduceView(state, event as ViewEvent)
  if (event.type.startsWith('connection.')) {
    const change = event as ConnectionEvent
    const before = state.chains[change.namespace] ?? initialChainState()
    const after = connectionReducer(before, change, state.networks)
    return after === before
      ? state
      : { ...state, chains: { ...state.chains, [change.namespace]: after } }
  }
  const other = event as Exclude<StateEvent, ViewEvent | ConnectionEvent>
  switch (other.type) {
    case 'namespace.activated':
      return state.namespace === other.namespace ? state : { ...state, namespace: other.namespace }
    case 'connectors.changed':
      return {
        ...state,
        connectors: [
          ...state.connectors.filter(
            ({ id, chain, chains }) =>
              // An adapter's connector replaces the instance's connector with the same id.
              (chains || chain !== other.namespace) &&
              !(chains && other.connectors.some((connector) => connector.id === id)),
          ),
          ...other.connectors,
        ],
      }
    case 'connectors.added':
      return {
        ...state,
        connectors: [
          ...state.connectors,
          ...other.connectors.filter(
            ({ id }) => !state.connectors.some((known) => known.id === id),
          ),
        ],
      }
    case 'server.loading':
      return { ...state, server: 'loading' }
    case 'session.changed':
      return {
        ...state,
        sessions: { ...state.sessions, [other.session.connectorId]: other.session },
      }
    case 'session.ended':
      return endSession(state, other)
    case 'toast.hidden':
      return state.toast && (other.id === undefined || other.id === state.toast.id)
        ? { ...state, toast: undefined }
        : state
    case 'alert.shown':
      return { ...state, alerts: [...state.alerts, other.alert] }
    case 'alert.hidden':
      return { ...state, alerts: state.alerts.filter(({ code }) => code !== other.code) }
    case 'preferences.changed':
      return { ...state, preferences: { ...state.preferences, ...other.preferences } }
    default: {
      // The remaining events have the names and new values of the properties that change.
      const { type: _, ...change } = other
      return { ...state, ...change }
    }
  }
}

/** Applies a view transition. Closing the modal or going back also clears the state that belongs to the view. */
function reduceView(state: State, event: ViewEvent): State {
  const connected = Object.values(state.chains).some(({ connections }) => connections.length > 0)
  const view = viewReducer(state.view, event, { connected })
  if (view === state.view) return state
  const next = { ...state, view }
  if (event.type === 'view.closed')
    return { ...next, attempt: undefined, switching: undefined, toast: undefined }
  const { clears } = viewRule(currentView(state.view).name)
  return event.type === 'view.back' && clears ? { ...next, [clears]: undefined } : next
}

/** Removes the connections of an ended session, on all families. */
function endSession(
  state: State,
  { connectorId, reason }: { connectorId: string; reason: SessionEndReason },
): State {
  const session = state.sessions[connectorId]
  const chains = Object.fromEntries(
    Object.entries(state.chains).map(([key, chain]) => {
      const namespace = key as ChainNamespace.ChainNamespace
      const event = { type: 'connection.disconnected', namespace, connectorId } as const
      return [namespace, connectionReducer(chain, event, state.networks)]
    }),
  )
  const sessions = session
    ? { ...state.sessions, [connectorId]: { ...session, end: reason } }
    : state.sessions
  return { ...state, chains, sessions }
}
