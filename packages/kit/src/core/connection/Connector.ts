import type { ChainNamespace } from '@gatefold/protocol'

import type { Network } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { ViewName } from '../view/ViewData.ts'
import type { Session, SessionEvent } from './Session.ts'

/** Where a connector comes from. Spelled as the official kit spells it. @see spec §3.1 */
export type ConnectorType =
  | 'INJECTED'
  | 'ANNOUNCED'
  | 'EXTERNAL'
  | 'WALLET_CONNECT'
  | 'AUTH'
  | 'MULTI_CHAIN'

/** What identifies a connector and what a list shows of it. @see spec §3.1 */
export type ConnectorInfo = {
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  /** Its chain family; the first one of several. */
  readonly chain: ChainNamespace.ChainNamespace
  /** All families that it serves, where its sessions can serve several. */
  readonly chains?: readonly ChainNamespace.ChainNamespace[] | undefined
  readonly imageUrl?: string | undefined
  readonly imageId?: string | undefined
  readonly explorerId?: string | undefined
  readonly info?: { rdns?: string | undefined } | undefined
  /** The view that draws the progress of `connect`; `ConnectingExternal` without it. */
  readonly view?: ViewName | undefined
  /** Reaches any wallet of the directory: a tap on one that is not installed opens `view`. */
  readonly universal?: boolean | undefined
}

/**
 * A way to connect. Adapters make one for each wallet that they discover; connectors whose session
 * serves several chain families are given to the instance (`createGatefold({ connectors })`).
 */
export type Connector = ConnectorInfo & {
  /**
   * Requests a session. After `signal` has aborted, a late answer of the wallet changes nothing.
   *
   * @throws {UserRejectedError} the visitor declined
   * @throws {ConnectExpiredError} the request expired
   * @throws {ConnectError} anything else
   */
  connect(parameters: ConnectParameters): Promise<Session>
  /** The session of an earlier visit, without asking the visitor; undefined where there is none. */
  restore(): Promise<Session | undefined>
}

/** A connector whose sessions the instance owns, whatever families they serve. */
export type SessionConnector = Connector & {
  readonly chains: readonly ChainNamespace.ChainNamespace[]
  /** Called once the page has started: resumes what an earlier page left pending. */
  start?(): void
  /** Loads what `connect` needs. */
  preload(): Promise<void>
  /** Ends the session, also one that is stored and not restored. */
  disconnect(): Promise<void>
  /** Stops every timer, listener and socket. Stored sessions stay. */
  destroy(): void
}

export type ConnectParameters = {
  /** The chain family that the caller wants; without it any that the wallet grants. */
  namespace?: ChainNamespace.ChainNamespace | undefined
  /** The network to be on once connected. */
  network?: Network | undefined
  signal?: AbortSignal | undefined
  /** Called with each step that a view can draw. */
  onProgress?: ((progress: ConnectProgress) => void) | undefined
  /** Whether the progress is on screen: a URI that is not visible is not renewed. */
  isShown?: (() => boolean) | undefined
}

/** A URI for a wallet on this or another device. */
export type ConnectProgress = {
  type: 'uri'
  /** The latest one; stays while the next one is made. */
  uri?: string | undefined
  /** Unix time in ms from which the URI counts as expired. @see spec §4.7 */
  expiresAt?: number | undefined
  /** It expired and was not renewed. */
  expired?: boolean | undefined
  /** The server behind it cannot be reached and is retried. */
  offline?: boolean | undefined
  /** The app that was opened with the URI. */
  app?: WalletApp | undefined
}

/** A wallet's app as the visitor opened it. `href` is its scheme or universal link. */
export type WalletApp = { name: string; href: string }

/** Makes a connector for one instance; undefined where its options rule the connector out. */
export type ConnectorFactory = (context: ConnectorContext) => SessionConnector | undefined

/** What a connector gets from its instance. */
export type ConnectorContext = {
  /** What it uses of the instance's options. @see GatefoldOptions */
  options: {
    endpoints: { relay?: string | undefined; verify?: string | undefined }
    projectId?: string | undefined
    metadata: { name: string; description: string; url: string; icons: readonly string[] }
    storageKey: string
    enableWalletConnect?: boolean | undefined
  }
  /** The families to connect: those with an adapter, or all configured ones without adapters. */
  namespaces: readonly ChainNamespace.ChainNamespace[]
  /** The configured networks of these families, current at each call. */
  networks(): readonly Network[]
  /** The network in use on a family. */
  activeNetwork(namespace: ChainNamespace.ChainNamespace): Network | undefined
  /** The wallet methods that a family's adapter calls; undefined where it does not say. */
  methods(namespace: ChainNamespace.ChainNamespace): readonly string[] | undefined
  /** The host's storage, without a prefix. */
  storage: KeyValueStorage
  /** Reports a change of a session. The store has it before any other listener is called. */
  emit(event: SessionEvent): void
}

/** Whether a connector can connect a chain family. */
export function servesNamespace(
  connector: Pick<ConnectorInfo, 'chain' | 'chains'>,
  namespace: ChainNamespace.ChainNamespace | undefined,
): boolean {
  if (namespace === undefined) return true
  return connector.chain === namespace || Boolean(connector.chains?.includes(namespace))
}

/** The connector of an id that serves a chain family. */
export function findConnector(
  connectors: readonly Connector[],
  id: string | undefined,
  namespace?: ChainNamespace.ChainNamespace,
): Connector | undefined {
  return connectors.find(
    (connector) => connector.id === id && servesNamespace(connector, namespace),
  )
}

/** The connector that reaches wallets which are not installed, where there is one. */
export function findUniversalConnector(connectors: readonly Connector[]): Connector | undefined {
  return connectors.find(({ universal }) => universal)
}
