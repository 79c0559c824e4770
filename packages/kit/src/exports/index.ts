export { createGatefold } from './createGatefold.ts'
export { cookieStorage, memoryStorage } from '../core/storage/storage.ts'
export type { GatefoldOptions } from '../core/kit/options.ts'
export type { ConnectedAccount, Kit } from '../core/kit/Kit.ts'
export type {
  Adapter,
  AdapterContext,
  AdapterEvent,
  AdapterFactory,
} from '../core/connection/Adapter.ts'
export type { Account, Connection } from '../core/connection/Connection.ts'
export type {
  ConnectorContext,
  ConnectorFactory,
  ConnectParameters,
  ConnectProgress,
  Connector,
  SessionConnector,
} from '../core/connection/Connector.ts'
export type {
  Session,
  SessionEndReason,
  SessionEvent,
  SessionGrant,
  SessionState,
} from '../core/connection/Session.ts'
export type { Network, NetworkInput } from '../core/networks/Network.ts'
export type { WalletListing } from '../core/wallets/WalletListing.ts'
export type { ViewData, ViewName } from '../core/view/view.ts'
export * from '../core/kit/errors.ts'
export * from '../core/kit/kitErrors.ts'
