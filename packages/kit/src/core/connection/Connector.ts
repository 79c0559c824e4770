import type { WalletListing } from '../wallets/WalletListing.ts'
import type { ChainNamespace } from '@gatefold/protocol'

import type { Endpoints, Metadata } from '../kit/site.ts'
import type { Network } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { ViewEntry, ViewName } from '../view/ViewData.ts'
import type { Session, SessionEvent } from './Session.ts'

/** Where a connector comes from, with AppKit's names. */
export type ConnectorType =
  | 'INJECTED'
  | 'ANNOUNCED'
  | 'EXTERNAL'
  | 'WALLET_CONNECT'
  | 'AUTH'
  | 'MULTI_CHAIN'

/** The identity of a connector and the properties shown in lists. */
export type ConnectorInfo = {
  /** Unique among the connectors of an instance: the wallet's rdns, if it has one. */
  readonly id: string
  /** The name, as lists show it. */
  readonly name: string
  /** Where the connector comes from. */
  readonly type: ConnectorType
  /** The connector's chain family, or the first of several. */
  readonly chain: ChainNamespace.ChainNamespace
  /** All chain families, if the connector's sessions can serve several. */
  readonly chains?: readonly ChainNamespace.ChainNamespace[] | undefined
  /** URL of the icon. */
  readonly imageUrl?: string | undefined
  /** Id of the icon on the gateway. */
  readonly imageId?: string | undefined
  /** The wallet's id in the directory. */
  readonly explorerId?: string | undefined
  /** What the wallet announced about itself. */
  readonly info?:
    | {
        /** Its reverse domain name. */
        rdns?: string | undefined
      }
    | undefined
  /** The view that shows the progress of `connect`; by default `ConnectingExternal`. */
  readonly view?: ViewName | undefined
  /**
   * Whether the connector can connect any wallet in the directory. If so, selecting a wallet that is not installed
   * opens `view`.
   */
  readonly universal?: boolean | undefined
}

/**
 * A way to connect. Adapters create one for each wallet they discover; connectors whose sessions serve
 * several chain families are passed to the instance (`createGatefold({ connectors })`).
 */
export type Connector = ConnectorInfo & {
  /**
   * Requests a session. Once `signal` is aborted, a late response from the wallet is ignored.
   *
   * @throws {UserRejectedError} the visitor declined
   * @throws {ConnectExpiredError} the request expired
   * @throws {ConnectError} any other failure
   */
  connect(parameters: ConnectParameters): Promise<Session>
  /** Restores the session from an earlier visit without prompting; undefined if there is none. */
  restore(): Promise<Session | undefined>
}

/** A connector whose sessions belong to the instance and may serve several families. */
export type SessionConnector = Connector & {
  /** All chain families that its sessions can serve. */
  readonly chains: readonly ChainNamespace.ChainNamespace[]
  /** Called when the instance starts. Resumes attempts that an earlier page left pending. */
  start?(): void
  /** Loads the views and connect methods of a connector of the kit, together with the modal. */
  loadViews?(): Promise<unknown>
  /** Loads the code and data that `connect` needs. */
  preload(): Promise<void>
  /** Ends the session, even a stored one that has not been restored. */
  disconnect(): Promise<void>
  /** Stops all timers, listeners and sockets. Stored sessions are kept. */
  destroy(): void
}

/** What the core passes to a connector's `connect`. */
export type ConnectParameters = {
  /** The requested chain family. If undefined, any family that the wallet grants. */
  namespace?: ChainNamespace.ChainNamespace | undefined
  /** The network to use once connected. */
  network?: Network | undefined
  /** Aborted when the visitor cancels the attempt. */
  signal?: AbortSignal | undefined
  /** Called for each step that a view can show. */
  onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** Whether the progress is on screen. A URI that expires while it is not on screen is not renewed. */
  isShown?: (() => boolean) | undefined
}

/** A URI for a wallet on this or another device. */
export type ConnectProgress = {
  /** The kind of progress. */
  type: 'uri'
  /** The latest URI; kept while the next one is created. */
  uri?: string | undefined
  /** Unix time in ms at which the URI counts as expired. */
  expiresAt?: number | undefined
  /** Whether the URI has expired and was not renewed. */
  expired?: boolean | undefined
  /** Whether the relay is unreachable; the connector keeps reconnecting. */
  offline?: boolean | undefined
  /** The app that was opened with the URI. */
  app?: WalletApp | undefined
}

/** The app that the visitor opened. */
export type WalletApp = {
  /** The wallet's id in the directory. */
  id: string
  /** The wallet's name. */
  name: string
  /** The base of its links: a custom scheme or a universal link. */
  href: string
}

/**
 * Creates a connector for one instance; undefined if the instance's options disable it.
 *
 * @example
 * const myWallet: ConnectorFactory = (context) => ({
 *   id: 'my.wallet',
 *   name: 'My wallet',
 *   type: 'EXTERNAL',
 *   chain: 'eip155',
 *   chains: context.namespaces,
 *   connect: ({ signal }) => requestSession(context, signal),
 *   restore: () => storedSession(context),
 *   preload: async () => {},
 *   disconnect: () => endSession(context),
 *   destroy: () => {},
 * })
 * createGatefold({ connectors: [myWallet], metadata, networks })
 */
export type ConnectorFactory = (context: ConnectorContext) => SessionConnector | undefined

/** The instance as a connector sees it. */
export type ConnectorContext = {
  /** The options of `createGatefold` that connectors use. */
  options: {
    /** The configured servers. */
    endpoints: Pick<Endpoints, 'relay' | 'verify' | 'frame'>
    /** The id of a project on the relay. */
    projectId?: string | undefined
    /** The site, as wallets show it. */
    metadata: Metadata
    /** Prefix of the stored keys. */
    storageKey: string
    /** Whether wallets on other devices can connect. */
    enableWalletConnect?: boolean | undefined
    /** Whether to log the names of the messages to and from the secure frame. */
    enableAuthLogger?: boolean | undefined
  }
  /** The families to connect: those with an adapter, or all configured families if there are no adapters. */
  namespaces: readonly ChainNamespace.ChainNamespace[]
  /** The configured networks of these families; read on every call. */
  networks(): readonly Network[]
  /**
   * The configured networks of every family, including families without an
   * adapter; read on every call.
   */
  allNetworks(): readonly Network[]
  /** The active network of a family. */
  activeNetwork(namespace: ChainNamespace.ChainNamespace): Network | undefined
  /** The language of the UI as a BCP 47 tag. */
  locale(): string
  /** The wallet methods that a family's adapter calls; undefined if it declares none. */
  methods(namespace: ChainNamespace.ChainNamespace): readonly string[] | undefined
  /** Finds a wallet by id: a custom, recent or suggested one, or one of the directory. */
  findWallet(id: string): Promise<WalletListing | undefined>
  /** The client of the gateway; undefined if none is configured, or if it could not be loaded. */
  gateway(): Promise<
    | {
        /** The origins that the project allows. @throws {GatewayError} the gateway failed */
        origins(): Promise<readonly string[]>
      }
    | undefined
  >
  /** The site's storage. Its keys have no prefix. */
  storage: KeyValueStorage
  /**
   * Shows a view in which the visitor answers a request, and opens the modal if it is closed.
   *
   * @param parameters.onDismiss - called once if the visitor closes the view
   * @returns a function that closes the view
   */
  prompt(parameters: {
    /** The view. */
    view: ViewName
    /** Its data, if it needs some. */
    data?: ViewEntry['data']
    /** Called if the visitor closes it. */
    onDismiss: () => void
  }): () => void
  /** Reports a session change. The store applies it before any other listener is called. */
  emit(event: SessionEvent): void
}

/** Whether a connector can connect a chain family; true if no family is given. */
export function servesNamespace(
  connector: Pick<ConnectorInfo, 'chain' | 'chains'>,
  namespace: ChainNamespace.ChainNamespace | undefined,
): boolean {
  if (namespace === undefined) return true
  return connector.chain === namespace || Boolean(connector.chains?.includes(namespace))
}

/** Finds a connector by id among those that serve a chain family. */
export function findConnector(
  connectors: readonly Connector[],
  id: string | undefined,
  namespace?: ChainNamespace.ChainNamespace,
): Connector | undefined {
  return connectors.find(
    (connector) => connector.id === id && servesNamespace(connector, namespace),
  )
}
