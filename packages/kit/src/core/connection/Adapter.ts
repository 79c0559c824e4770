import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import { UnsupportedOperationError } from '../kit/errors.ts'
import type { Network } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { Account, Connection } from './Connection.ts'
import type { Connector, SessionConnector } from './Connector.ts'
import type { Session, SessionState } from './Session.ts'

/** An entry of `createGatefold({ adapters })`. It is a factory, so that one `evm()` can serve two instances. */
export type AdapterFactory = {
  readonly namespace: ChainNamespace.ChainNamespace
  /** The wallet methods that the adapter calls; session connectors request permission for them. */
  readonly methods?: readonly string[] | undefined
  /** Creates the adapter, without using the network or the DOM; `start` may use both. */
  create(context: AdapterContext): Adapter
}

/** The instance as an adapter sees it. */
export type AdapterContext = {
  /** The configured networks of the adapter's namespace; read on every call. */
  networks(): readonly Network[]
  defaultNetwork(): Network | undefined
  /** Persistent key-value storage; its keys have this instance's prefix. */
  storage: KeyValueStorage
  /** The instance's connectors that serve this namespace. Does not include the adapter's own connectors. */
  connectors(): readonly SessionConnector[]
  /** The session of a connector, or undefined once it has ended. */
  session(connectorId: string): SessionState | undefined
  /** Reports wallet changes to the core. Never called after `destroy`. */
  emit(event: AdapterEvent): void
  options: {
    /**
     * Whether pages are first rendered on a server. If so, storage and wallets are not read before
     * `start`.
     */
    ssr: boolean
    /** EIP-6963 discovery. @see spec §3.20 enableEIP6963 */
    eip6963: boolean
    /** Whether the generic injected provider is offered. @see spec §3.20 enableInjected */
    injected: boolean
  }
}

/** Wallet changes, in order. Idempotent: a repeated event changes nothing. */
export type AdapterEvent =
  /** All connectors that the adapter offers. */
  | { type: 'connectors'; connectors: readonly Connector[] }
  | { type: 'connected'; connection: Connection; active: boolean }
  | { type: 'accountsChanged'; connectorId: string; accounts: readonly Account[] }
  | { type: 'chainChanged'; connectorId: string; caipNetworkId: CaipNetworkId.CaipNetworkId }
  | { type: 'activated'; connectorId: string }
  /** While no wallet is connected, the site selected another network to read from. */
  | { type: 'networkSelected'; caipNetworkId: CaipNetworkId.CaipNetworkId }
  | { type: 'disconnected'; connectorId: string }

/** One call of a batch; `value` in the chain's smallest unit. @see EIP-5792 */
export type Call = {
  to: `0x${string}`
  data?: `0x${string}` | undefined
  value?: bigint | undefined
}

/** A transaction as a site requests it; `value` in the chain's smallest unit. @see spec §3.10.1 */
export type TransactionRequest = {
  to: string
  /** An integer. A fraction throws; text that is not a number counts as zero. @see spec §5.9.1 */
  value?: bigint | string | undefined
  data?: `0x${string}` | undefined
  gas?: bigint | undefined
  gasPrice?: bigint | undefined
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

export type Receipt = {
  hash: string
  status: 'success' | 'reverted'
  blockNumber: bigint
  /** If the transaction reverted: the revert reason, or 'unknown reason'. @see spec §8.4 */
  reason?: string | undefined
}

/** A native balance. @see spec §3.9.2, §8.11.3 */
export type Balance = {
  /** In whole units. */
  balance: string
  symbol: string
  /** In the smallest unit. */
  value: bigint
  decimals: number
  /** Set if the balance could not be read; `balance` is then '0.00' and the symbol ETH. */
  error?: unknown
}

/**
 * A chain family: its wallets and connections, and the actions of its accounts.
 * Methods reject with a `BaseError`, which is a `UserRejectedError` if the visitor declined.
 */
export type Adapter = {
  readonly namespace: ChainNamespace.ChainNamespace
  /** Discovers wallets and subscribes to their changes. Idempotent. */
  start(): void
  /**
   * Loads the code for connecting and signing, so that a click does not wait for it; with a connector,
   * the code for attaching its session.
   */
  preload(parameters?: { connectorId?: string | undefined }): Promise<void>
  /**
   * Connects the session's accounts of this family and subscribes to the session's provider. Idempotent.
   *
   * @param parameters.active - whether the connection becomes the active one
   * @param parameters.restored - whether the session is from an earlier visit. Such a session is ignored
   * if the wallet is already connected
   */
  attach(parameters: { session: Session; active: boolean; restored?: boolean }): Promise<void>
  /** Removes a connection without sending a request to the wallet. */
  detach(parameters: { connectorId: string }): void
  /**
   * Disconnects one connector or, without an id, all connectors of this family, and notifies the
   * wallets.
   */
  disconnect(parameters?: { connectorId?: string | undefined }): Promise<void>
  /** Makes another connection the active one. */
  switchConnection(parameters: { connectorId: string }): Promise<void>
  /** Requests a network switch; adds the chain if the wallet does not know it. @see spec §4.6.4 */
  switchNetwork(parameters: { network: Network; connectorId?: string | undefined }): Promise<void>
  /** The actions of the family's accounts. Loaded on first use. */
  actions(): Promise<Actions>
  /** The wallet's provider for a connection: EIP-1193 on EVM. */
  getProvider(parameters?: { connectorId?: string | undefined }): Promise<unknown>
  /** Called with true before the first session from an earlier visit is attached, and with false after the last. */
  restoring?(active: boolean): void
  /** Called after networks were added or removed. */
  networksChanged?(): void
  /** Called when another network becomes active. Without a wallet, the adapter reads from it. */
  networkSelected?(network: Network): void
  /** Removes all listeners and timers. */
  destroy(): void
}

/** The actions of a chain family's accounts: three that every family has, and capabilities that only some have. */
export type Actions = {
  /** Native balance, formatted in whole units. @see spec §3.9.2 */
  getBalance(parameters: { address: string; network: Network }): Promise<Balance>
  signMessage(parameters: { message: string; address?: string | undefined }): Promise<string>
  sendTransaction(parameters: TransactionRequest): Promise<string>
} & Partial<Capabilities>

/** Capabilities that only some chain families have, by name. */
export type Capabilities = {
  /** Names and avatars stored on the chain (ENS). */
  identity: {
    getIdentity(parameters: {
      address: string
      network: Network
    }): Promise<{ name: string | undefined; avatar: string | undefined }>
    /** Resolves a name to its address, or undefined. */
    resolveName(parameters: { name: string; network: Network }): Promise<string | undefined>
  }
  /** EIP-712. */
  typedData: {
    signTypedData(parameters: {
      typedData: TypedData
      address?: string | undefined
    }): Promise<string>
  }
  contracts: {
    /** In gas units. */
    estimateGas(parameters: TransactionRequest): Promise<bigint>
    writeContract(parameters: WriteContractRequest): Promise<string>
  }
  receipts: {
    waitForReceipt(parameters: {
      hash: string
      network?: Network | undefined
      timeoutMs?: number | undefined
    }): Promise<Receipt>
  }
  /** EIP-5792. */
  batch: {
    getCapabilities(parameters: { address?: string | undefined }): Promise<Record<string, unknown>>
    sendCalls(parameters: {
      calls: readonly Call[]
      capabilities?: Record<string, unknown> | undefined
    }): Promise<{ id: string }>
    getCallsStatus(parameters: { id: string }): Promise<Record<string, unknown>>
  }
  /** ERC-7715, ERC-7811. */
  permissions: {
    grantPermissions(parameters: Record<string, unknown>): Promise<unknown>
    revokePermissions(parameters: Record<string, unknown>): Promise<unknown>
    getWalletAssets(parameters: Record<string, unknown>): Promise<unknown>
  }
}

/**
 * Returns a capability of an adapter.
 *
 * @param operation - the operation to name in the error
 * @throws {UnsupportedOperationError} the chain family lacks the capability
 */
export async function capability<name extends keyof Capabilities>(
  adapter: Adapter,
  name: name,
  operation: keyof Capabilities[name] & string,
): Promise<Capabilities[name]> {
  const actions: Partial<Capabilities> = await adapter.actions()
  const found = actions[name]
  if (!found) throw new UnsupportedOperationError(operation)
  return found
}

export type TypedData = {
  domain?: Record<string, unknown> | undefined
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

export type WriteContractRequest = {
  address: `0x${string}`
  abi: readonly unknown[]
  functionName: string
  args?: readonly unknown[] | undefined
  value?: bigint | undefined
}
