import { alertOptions } from '#checks'
import type { ChainNamespace } from '@gatefold/protocol'
import { EventEmitter } from 'eventemitter3'
import { createStore } from 'zustand/vanilla'

import { applyEffects } from './applyEffects.ts'
import type { Adapter, AdapterEvent } from '../connection/Adapter.ts'
import { getNetwork, getSession, isConnected } from '../connection/account.ts'
import type { ConnectionEvent } from '../connection/chainState.ts'
import { servesNamespace } from '../connection/Connector.ts'
import type { ConnectorFactory, SessionConnector } from '../connection/Connector.ts'
import type { SessionEvent } from '../connection/Session.ts'
import { isOnScreen } from '../view/view.ts'
import { open, settleOpen } from '../view/open.ts'
import { restore, restoredState } from '../connection/restore.ts'
import { DestroyedError } from './kitErrors.ts'
import { essentialEvents } from '../analytics/events.ts'
import { siteFeatures } from '../features/siteFeatures.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { internals } from './Kit.ts'
import type { Kit, KitInstance } from './Kit.ts'
import { resolveOptions } from './options.ts'
import type { GatefoldOptions } from './options.ts'
import { lazy } from './lazy.ts'
import { reducer, initialState } from './state.ts'
import {
  createPersistedStore,
  defaultStorage,
  memoryStorage,
  prefixedStorage,
} from '../storage/storage.ts'

/** Dependencies that `exports/` passes in. */
export type KitDependencies = {
  /** Loads the gateway client on first use. */
  loadGateway?(parameters: { url: string; projectId?: string | undefined }): Promise<GatewayClient>
  /** Connectors in addition to `options.connectors`; creating them loads no code. */
  connectors?: readonly ConnectorFactory[]
}

/**
 * Creates an instance. `createGatefold` in `exports/` calls it with the actual dependencies.
 *
 * @throws {OptionsError} for invalid options; the message names the option
 */
export function createKit(
  options: GatefoldOptions,
  dependencies: KitDependencies = {},
): KitInstance {
  const resolved = resolveOptions(options)
  const isServer = typeof window === 'undefined'
  const storage = options.storage ?? (isServer ? memoryStorage() : defaultStorage())
  const persisted = createPersistedStore({
    storage,
    key: resolved.storageKey,
    // Deferred, because the storage is first read before the instance exists.
    onProblem: (problem, cause) =>
      queueMicrotask(() =>
        kit.alert('STORAGE_PROBLEM', { message: `Storage is ${problem}: ${String(cause)}.` }),
      ),
  })

  const blank = initialState({
    networks: resolved.networks,
    defaultNetwork: resolved.defaultNetwork,
    namespaces: resolved.namespaces,
    features: siteFeatures({ local: resolved.features, basic: resolved.basic }),
    theme: resolved.theme,
    locale: options.locale ?? 'en',
    currency: options.currency,
    embedded: Boolean(options.enableEmbedded),
  })
  // Hydration must match the server's render, which has only the state that the server could read.
  const serverState = persisted.readServer()
  const hydrated = serverState ? restoredState(blank, serverState, resolved) : blank
  const first = options.ssr ? hydrated : restoredState(blank, persisted.read(), resolved)
  const store = createStore(() => first)
  const emitter = new EventEmitter()
  const cleanups = new Set<() => void>()
  const shownAlerts = new Set<string>()
  const loaders = new Set<() => void>()
  const adapters = new Map<ChainNamespace.ChainNamespace, Adapter>()
  let destroyed = false
  let starting: Promise<void> | undefined
  let gateway: ReturnType<KitInstance['gateway']> | undefined

  const connectors = new Map<string, SessionConnector>()

  const methods: Omit<Kit, typeof internals> = {
    getState: store.getState,
    getInitialState: () => hydrated,
    subscribe: (listener) => store.subscribe(listener),
    start() {
      if (isServer || destroyed) return
      starting ??= restore(kit)
    },
    async ready() {
      kit.start()
      await starting
    },
    open(parameters) {
      if (destroyed) return Promise.reject(new DestroyedError())
      for (const load of loaders) load()
      kit.start()
      return open(kit, parameters)
    },
    prefetch() {
      if (options.prefetch === 'none') return
      for (const load of loaders) load()
    },
    close() {
      const { view } = store.getState()
      if (!view.open) return
      kit.track({
        event: 'MODAL_CLOSE',
        properties: { connected: isConnected(store.getState()) },
      })
      kit.dispatch({ type: 'view.closed' })
    },
    on(name, listener) {
      emitter.on(name, listener)
      return () => void emitter.off(name, listener)
    },
    destroy() {
      if (destroyed) return
      kit.close()
      destroyed = true
      for (const adapter of adapters.values()) adapter.destroy()
      for (const connector of connectors.values()) connector.destroy()
      for (const run of cleanups) run()
      cleanups.clear()
      emitter.removeAllListeners()
    },
  }

  const kit: KitInstance = {
    ...methods,
    get kit() {
      return handle
    },
    get [internals]() {
      return kit
    },
    options: resolved,
    adapters,
    persisted,
    connectors,
    waiters: new Set(),
    dispatch(event) {
      if (destroyed) return
      const before = store.getState()
      const after = reducer(before, event)
      if (after === before) return
      store.setState(after, true)
      settleOpen(kit)
      applyEffects(kit, before, after)
    },
    gateway() {
      const { gateway: url } = resolved.endpoints
      if (!url || !dependencies.loadGateway || destroyed) return Promise.resolve(undefined)
      gateway ??= dependencies.loadGateway({ url, projectId: resolved.projectId }).catch(() => {
        gateway = undefined
        return undefined
      })
      return gateway
    },
    onPrefetch(load) {
      loaders.add(load)
      return () => void loaders.delete(load)
    },
    alert(code, values) {
      const key = code + JSON.stringify(values)
      if (shownAlerts.has(key)) return
      shownAlerts.add(key)
      void import('../notifications/showAlert.ts').then((module) =>
        module.showAlert(kit, code, values),
      )
    },
    track(event) {
      if (destroyed) return
      emitter.emit(event.event, event.properties)
      options.analytics?.(event)
      if (!resolved.endpoints.gateway || options.features?.analytics === false) {
        if (!essentialEvents.has(event.event) || !resolved.endpoints.gateway) return
      }
      void import('../analytics/report.ts').then((module) => module.sendEvent(kit, event))
    },
    later(run, delayMs) {
      const timer = setTimeout(() => {
        cleanups.delete(cancel)
        run()
      }, delayMs)
      const cancel = () => {
        clearTimeout(timer)
        cleanups.delete(cancel)
      }
      cleanups.add(cancel)
      return cancel
    },
    onDestroy(run) {
      cleanups.add(run)
    },
  }
  const handle: Kit = { ...methods, [internals]: kit }

  const families = [...new Set(resolved.networks.map(({ chainNamespace }) => chainNamespace))]
  const served = resolved.namespaces.length > 0 ? resolved.namespaces : families
  for (const create of isServer
    ? []
    : [...(dependencies.connectors ?? []), ...(options.connectors ?? [])]) {
    const connector = create({
      options: resolved,
      namespaces: served,
      networks: () =>
        store.getState().networks.filter(({ chainNamespace }) => served.includes(chainNamespace)),
      allNetworks: () => store.getState().networks,
      activeNetwork: (namespace) => getNetwork(store.getState(), namespace),
      locale: () => store.getState().locale,
      methods: (namespace) =>
        options.adapters?.find((adapter) => adapter.namespace === namespace)?.methods,
      findWallet: (id) => wallets((module) => module.findWallet(kit, id)),
      gateway: () => kit.gateway(),
      storage,
      prompt(parameters) {
        // Loaded with the first session, before it can request anything.
        let close = () => {}
        let isClosed = false
        const shown = sessions(async (module) => {
          if (!isClosed) close = module.showPrompt(kit, parameters)
        })
        shown.catch(parameters.onDismiss)
        return () => {
          isClosed = true
          close()
        }
      },
      emit: (event) => onSessionEvent(kit, event),
    })
    if (connector) connectors.set(connector.id, connector)
  }
  for (const factory of options.adapters ?? []) {
    const { namespace } = factory
    adapters.set(
      namespace,
      factory.create({
        networks: () =>
          store.getState().networks.filter(({ chainNamespace }) => chainNamespace === namespace),
        defaultNetwork: () => getNetwork(store.getState(), namespace),
        storage: prefixedStorage(storage, `${resolved.storageKey}.`),
        connectors: () =>
          [...connectors.values()].filter((connector) => servesNamespace(connector, namespace)),
        session: (connectorId) => getSession(store.getState(), connectorId),
        emit: (event) => onAdapterEvent(kit, namespace, event),
        options: {
          ssr: Boolean(options.ssr),
          eip6963: options.enableEIP6963 !== false,
          injected: options.enableInjected !== false,
        },
      }),
    )
  }

  if (!isServer) alertOptions(kit)
  if (!options.ssr) kit.start()
  return kit
}

const sessions = lazy(() => import('../connection/followSession.ts'))
const wallets = lazy(() => import('../wallets/findWallet.ts'))

/** Applies a connector's event to the store, then runs its effects. */
function onSessionEvent(kit: KitInstance, event: SessionEvent): void {
  if (event.type === 'alert') return kit.alert(event.code, event.values)
  if (event.type === 'ended') {
    const { connectorId, reason } = event
    const isShown = isOnScreen(kit.getState().view)
    kit.dispatch({ type: 'session.ended', connectorId, reason })
    for (const adapter of kit.adapters.values()) adapter.detach({ connectorId })
    if (!isShown || reason === 'site' || reason === 'superseded') return
  } else if ('session' in event)
    kit.dispatch({ type: 'session.changed', session: event.session.getState() })
  void sessions(async ({ followEvent }) => followEvent(kit, event)).catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- the adapters still update the connections
    console.warn('Gatefold: the session change could not be applied.', error)
  })
}

/** Translates an adapter's event into a transition. */
function onAdapterEvent(
  kit: KitInstance,
  namespace: ChainNamespace.ChainNamespace,
  event: AdapterEvent,
): void {
  switch (event.type) {
    case 'connectors':
      return kit.dispatch({ type: 'connectors.changed', namespace, connectors: event.connectors })
    case 'networkSelected': {
      const { caipNetworkId: networkId } = event
      if (kit.getState().networks.some(({ caipNetworkId }) => caipNetworkId === networkId))
        kit.dispatch({ type: 'connection.networkSelected', namespace, networkId })
      return
    }
    case 'alert':
      return kit.alert(event.code, event.values)
    default:
      return kit.dispatch({
        ...event,
        namespace,
        type: `connection.${event.type}`,
      } as ConnectionEvent)
  }
}
