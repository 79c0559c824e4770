import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'
import { EventEmitter } from 'eventemitter3'
import { createStore } from 'zustand/vanilla'

import { applyEffects } from './applyEffects.ts'
import type { Adapter } from '../connection/Adapter.ts'
import { open, settleOpen } from '../view/open.ts'
import { restore, restoredState } from '../connection/restore.ts'
import { DestroyedError } from './kitErrors.ts'
import { essentialEvents } from '../analytics/events.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { Kit } from './Kit.ts'
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
import type { WalletConnect, WalletConnectParameters } from '../walletConnect/WalletConnect.ts'

/** What the core needs and does not know how to make: plugged in by `exports/`. */
export type KitParts = {
  /** Loads the client of a server, on first use. */
  loadGateway?(parameters: { url: string; projectId?: string | undefined }): Promise<GatewayClient>
  /** Makes what reaches wallets through a relay; loads nothing by itself. */
  createWalletConnect?(parameters: WalletConnectParameters): WalletConnect
}

/**
 * Makes an instance. `createGatefold` in `exports/` is this with its parts plugged in.
 *
 * @throws {OptionsError} when an option cannot work; the message names it
 */
export function createKit(options: GatefoldOptions, parts: KitParts = {}): Kit {
  const resolved = resolveOptions(options)
  const isServer = typeof window === 'undefined'
  const storage = options.storage ?? (isServer ? memoryStorage() : defaultStorage())
  const persisted = createPersistedStore({
    storage,
    key: resolved.storageKey,
    onProblem: (problem, cause) =>
      kit.alert('STORAGE_PROBLEM', { message: `Storage is ${problem}: ${String(cause)}.` }),
  })

  const blank = initialState({
    networks: resolved.networks,
    defaultNetwork: resolved.defaultNetwork,
    namespaces: resolved.namespaces,
    theme: resolved.theme,
    locale: options.locale ?? 'en',
    embedded: Boolean(options.enableEmbedded),
  })
  // A server and the page must draw the same first picture: only storage that both can read counts.
  const first =
    options.ssr && !storage.shared ? blank : restoredState(blank, persisted.read(), resolved)
  const store = createStore(() => first)
  const emitter = new EventEmitter()
  const undo = new Set<() => void>()
  const shownAlerts = new Set<string>()
  const loaders = new Set<() => void>()
  const adapters = new Map<ChainNamespace.ChainNamespace, Adapter>()
  let destroyed = false
  let starting: Promise<void> | undefined
  let gateway: ReturnType<Kit['gateway']> | undefined
  let toastId = 0
  let hideToast: (() => void) | undefined

  const { relay, verify } = resolved.endpoints
  const walletConnect =
    relay && options.enableWalletConnect !== false && !isServer
      ? parts.createWalletConnect?.({
          endpoints: { relay, verify },
          projectId: resolved.projectId,
          metadata: resolved.metadata,
          storageKey: resolved.storageKey,
          storage,
          networks: () =>
            store
              .getState()
              .networks.filter(
                ({ chainNamespace }) => adapters.size === 0 || adapters.has(chainNamespace),
              ),
        })
      : undefined

  const kit: Kit = {
    options: resolved,
    adapters,
    persisted,
    walletConnect,
    waiters: new Set(),
    getState: store.getState,
    getInitialState: () => first,
    subscribe: (listener) => store.subscribe(listener),
    dispatch(event) {
      if (destroyed) return
      const before = store.getState()
      const after = reducer(before, event)
      if (after === before) return
      store.setState(after, true)
      settleOpen(kit)
      applyEffects(kit, before, after)
    },
    start() {
      if (isServer || destroyed) return
      starting ??= restore(kit)
    },
    async ready() {
      kit.start()
      await starting
    },
    gateway() {
      const { gateway: url } = resolved.endpoints
      if (!url || !parts.loadGateway || destroyed) return Promise.resolve(undefined)
      gateway ??= parts.loadGateway({ url, projectId: resolved.projectId })
      return gateway
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
    onPrefetch(load) {
      loaders.add(load)
      return () => void loaders.delete(load)
    },
    close() {
      const { view } = store.getState()
      if (!view.open) return
      const connected = Object.values(store.getState().chains).some(
        ({ connections }) => connections.length > 0,
      )
      kit.track({ event: 'MODAL_CLOSE', properties: { connected } })
      kit.dispatch({ type: 'toast.hidden' })
      kit.dispatch({ type: 'attempt.changed', attempt: undefined })
      kit.dispatch({ type: 'pairing.changed', pairing: undefined })
      kit.dispatch({ type: 'switching.changed', switching: undefined })
      kit.dispatch({ type: 'view.closed', connected })
    },
    toast(variant, text) {
      hideToast?.()
      const id = ++toastId
      kit.dispatch({
        type: 'toast.shown',
        toast: { id, variant, ...(typeof text === 'string' ? { message: text } : text) },
      })
      if (variant !== 'loading')
        hideToast = kit.later(() => kit.dispatch({ type: 'toast.hidden', id }), limits.toastMs)
    },
    alert(code, values) {
      if (shownAlerts.has(code)) return
      shownAlerts.add(code)
      void import('../notifications/showAlert.ts').then(({ showAlert }) =>
        showAlert(kit, code, values),
      )
    },
    track(event) {
      if (destroyed) return
      emitter.emit(event.event, event.properties)
      options.analytics?.(event)
      if (!resolved.endpoints.gateway || options.features?.analytics === false) {
        if (!essentialEvents.has(event.event) || !resolved.endpoints.gateway) return
      }
      void import('../analytics/report.ts').then(({ sendEvent }) => sendEvent(kit, event))
    },
    on(name, listener) {
      emitter.on(name, listener)
      return () => void emitter.off(name, listener)
    },
    later(run, delayMs) {
      const timer = setTimeout(() => {
        undo.delete(cancel)
        run()
      }, delayMs)
      const cancel = () => {
        clearTimeout(timer)
        undo.delete(cancel)
      }
      undo.add(cancel)
      return cancel
    },
    onDestroy(run) {
      undo.add(run)
    },
    destroy() {
      if (destroyed) return
      kit.close()
      destroyed = true
      settleOpen(kit, new DestroyedError())
      for (const adapter of adapters.values()) adapter.destroy()
      walletConnect?.destroy()
      for (const run of undo) run()
      undo.clear()
      emitter.removeAllListeners()
    },
  }

  const hearing = lazy(() => import('../walletConnect/followSession.ts'))
  walletConnect?.subscribe((event) => {
    if (event.type === 'relay' && event.status !== 'refused') return
    const before = store.getState().view
    // Loaded with the first news, that there is a session: it is here when one ends.
    hearing(({ hearWalletConnect }) => hearWalletConnect(kit, { event, before })).catch((error) => {
      // oxlint-disable-next-line no-console -- adapters follow the session all the same
      console.warn('Gatefold: the visitor was not told of the session.', error)
    })
  })
  for (const factory of options.adapters ?? []) {
    const { namespace } = factory
    adapters.set(
      namespace,
      factory.create({
        networks: () =>
          store.getState().networks.filter(({ chainNamespace }) => chainNamespace === namespace),
        defaultNetwork: () => {
          const chain = store.getState().chains[namespace]
          return store
            .getState()
            .networks.find(({ caipNetworkId }) => caipNetworkId === chain?.networkId)
        },
        storage: prefixedStorage(storage, `${resolved.storageKey}.`),
        walletConnect,
        emit: (event) => onAdapterEvent(kit, namespace, event),
        options: {
          ssr: Boolean(options.ssr),
          eip6963: options.enableEIP6963 !== false,
          injected: options.enableInjected !== false,
        },
      }),
    )
  }

  if (!options.ssr) kit.start()
  return kit
}

/** Translates a wallet's news into the core's. */
function onAdapterEvent(
  kit: Kit,
  namespace: ChainNamespace.ChainNamespace,
  event: Parameters<
    Parameters<NonNullable<GatefoldOptions['adapters']>[number]['create']>[0]['emit']
  >[0],
): void {
  const known = kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId)
  switch (event.type) {
    case 'connectors':
      return kit.dispatch({ type: 'connectors.changed', namespace, connectors: event.connectors })
    case 'connected':
      return kit.dispatch({
        type: 'connection.connected',
        namespace,
        connection: event.connection,
        current: event.current,
        known,
      })
    case 'accountsChanged':
      return kit.dispatch({
        type: 'connection.accountsChanged',
        namespace,
        connectorId: event.connectorId,
        accounts: event.accounts,
      })
    case 'chainChanged':
      return kit.dispatch({
        type: 'connection.chainChanged',
        namespace,
        connectorId: event.connectorId,
        caipNetworkId: event.caipNetworkId,
        known,
      })
    case 'currentChanged':
      return kit.dispatch({
        type: 'connection.currentChanged',
        namespace,
        connectorId: event.connectorId,
        known,
      })
    case 'networkSelected':
      if (known.includes(event.caipNetworkId))
        kit.dispatch({
          type: 'connection.networkSelected',
          namespace,
          networkId: event.caipNetworkId,
        })
      return
    case 'disconnected':
      return kit.dispatch({
        type: 'connection.disconnected',
        namespace,
        connectorId: event.connectorId,
        known,
      })
  }
}
