import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import { UnsupportedOperationError } from '../kit/errors.ts'
import type { Network } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { Account, Connection } from './Connection.ts'
import type { Connector, SessionConnector } from './Connector.ts'
import type { Session, SessionState } from './Session.ts'

/** What `createGatefold({ adapters })` takes: a factory, so that one `evm()` can serve two instances. */
export type AdapterFactory = {
  readonly namespace: ChainNamespace.ChainNamespace
  /** The wallet methods that the adapter calls: a session connector asks the wallet to approve them. */
  readonly methods?: readonly string[] | undefined
  /** Makes the adapter. Must not touch the network or the DOM; `start` may. */
  create(context: AdapterContext): Adapter
}

/** What an adapter gets from its instance. */
export type AdapterContext = {
  /** The configured networks of the adapter's namespace, current at each call. */
  networks(): readonly Network[]
  defaultNetwork(): Network | undefined
  /** Persistent text storage with a prefix of this instance. */
  storage: KeyValueStorage
  /** Connectors of the instance that serve the namespace beside the adapter's own. */
  connectors(): readonly SessionConnector[]
  /** The session of a connector, while it lasts. */
  session(connectorId: string): SessionState | undefined
  /** Reports changes of wallets to the core. Never called after `destroy`. */
  emit(event: AdapterEvent): void
  options: {
    /** Pages are rendered on a server first: no storage or wallet is read before `start`. */
    ssr: boolean
    /** EIP-6963 discovery. @see spec §3.20 enableEIP6963 */
    eip6963: boolean
    /** Whether the generic injected provider is offered. @see spec §3.20 enableInjected */
    injected: boolean
  }
}

/** Changes of wallets, in order. Idempotent: the same event twice changes nothing. */
export type AdapterEvent =
  /** All connectors that the adapter offers. */
  | { type: 'connectors'; connectors: readonly Connector[] }
  | { type: 'connected'; connection: Connection; active: boolean }
  | { type: 'accountsChanged'; connectorId: string; accounts: readonly Account[] }
  | { type: 'chainChanged'; connectorId: string; caipNetworkId: CaipNetworkId.CaipNetworkId }
  | { type: 'activated'; connectorId: string }
  /** Without a wallet, the site itself selected the network to read from. */
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
  /** bigint or a decimal text; anything else counts as zero. @see spec §5.9.1 */
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
  /** The revert reason, or 'unknown reason'. @see spec §8.4 */
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
  /** Set when it could not be read; the balance is then '0.00' ETH. */
  error?: unknown
}

/**
 * A chain family: what every family has, and the capabilities that it declares.
 * Methods reject with a `BaseError`; a visitor's refusal is a `UserRejectedError`.
 */
export type Adapter = {
  readonly namespace: ChainNamespace.ChainNamespace
  readonly capabilities: Partial<Capabilities>
  /** Discovers wallets and subscribes to them. Idempotent. */
  start(): void
  /**
   * Loads what connecting and signing need, so that a click waits for nothing; with a connector,
   * what attaching its session needs.
   */
  preload(parameters?: { connectorId?: string | undefined }): Promise<void>
  /**
   * Makes the session's accounts of this family a connection, and follows its provider. Idempotent.
   *
   * @param parameters.active - whether it becomes the active connection
   * @param parameters.restored - from an earlier visit: a wallet that is connected already is skipped
   */
  attach(parameters: { session: Session; active: boolean; restored?: boolean }): Promise<void>
  /** Removes a connection without a request to the wallet. */
  detach(parameters: { connectorId: string }): void
  /** Disconnects one connector at its wallet; without an id every connection of this family. */
  disconnect(parameters?: { connectorId?: string | undefined }): Promise<void>
  /** Makes another connection the active one. */
  switchConnection(parameters: { connectorId: string }): Promise<void>
  /** Requests a switch; adds a chain that the wallet does not know. @see spec §4.6.4 */
  switchNetwork(parameters: { network: Network; connectorId?: string | undefined }): Promise<void>
  /** Native balance, formatted in whole units. @see spec §3.9.2 */
  getBalance(parameters: { address: string; network: Network }): Promise<Balance>
  signMessage(parameters: { message: string; address?: string | undefined }): Promise<string>
  sendTransaction(parameters: TransactionRequest): Promise<string>
  /** The wallet's provider of a connection: EIP-1193 on EVM. */
  getProvider(parameters?: { connectorId?: string | undefined }): Promise<unknown>
  /** Called before the first and after the last session of an earlier visit is attached. */
  restoring?(active: boolean): void
  /** Called after networks were added or removed. */
  networksChanged?(): void
  /** Called when another network becomes active: without a wallet it is the one to read from. */
  networkSelected?(network: Network): void
  /** Stops every listener and timer. */
  destroy(): void
}

/** What only some chain families can do, by name. */
export type Capabilities = {
  /** Names and pictures that the chain itself knows (ENS). */
  identity: {
    getIdentity(parameters: {
      address: string
      network: Network
    }): Promise<{ name: string | undefined; avatar: string | undefined }>
    /** The address of a name, or undefined. */
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
 * A capability of an adapter.
 *
 * @param operation - what the caller wants, for the error
 * @throws {UnsupportedOperationError} the chain family does not have it
 */
export function capability<name extends keyof Capabilities>(
  adapter: Adapter,
  name: name,
  operation: keyof Capabilities[name] & string,
): Capabilities[name] {
  const found = adapter.capabilities[name]
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
