import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import type { Account, Connection, Connector } from './Connector.ts'
import type { Network } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { WalletConnect } from '../walletConnect/WalletConnect.ts'

/**
 * What `createGatefold({ adapters })` takes: a recipe, so that one `evm()` can serve two instances.
 */
export type AdapterFactory = {
  readonly namespace: ChainNamespace.ChainNamespace
  /** Makes the running adapter. Must not touch the network or the DOM; `start` may. */
  create(context: AdapterContext): Adapter
}

/** What an adapter gets from its instance. */
export type AdapterContext = {
  /** The configured networks of the adapter's namespace, as they are now. */
  networks(): readonly Network[]
  defaultNetwork(): Network | undefined
  /** Persistent text storage, already prefixed for this instance. */
  storage: KeyValueStorage
  /** The session an adapter can take accounts from; undefined where no relay is configured. */
  walletConnect?: WalletConnect | undefined
  /** Tells the core what happened in a wallet. Never called after `destroy`. */
  emit(event: AdapterEvent): void
  options: {
    /** Whether pages are rendered on a server first: no storage or wallet is read before `start`. */
    ssr: boolean
    /** EIP-6963 discovery. @see spec §3.20 enableEIP6963 */
    eip6963: boolean
    /** Whether the generic injected provider is offered. @see spec §3.20 enableInjected */
    injected: boolean
  }
}

/**
 * News from wallets, in the order in which they happened. Idempotent: the same news twice changes nothing.
 */
export type AdapterEvent =
  | { type: 'connectors'; connectors: readonly Connector[] }
  | { type: 'connected'; connection: Connection; current: boolean }
  | { type: 'accountsChanged'; connectorId: string; accounts: readonly Account[] }
  | { type: 'chainChanged'; connectorId: string; caipNetworkId: CaipNetworkId.CaipNetworkId }
  | { type: 'currentChanged'; connectorId: string }
  /** Without a wallet, the site itself has chosen the network to read from. */
  | { type: 'networkSelected'; caipNetworkId: CaipNetworkId.CaipNetworkId }
  | { type: 'disconnected'; connectorId: string }

/** One call of a batch. Hex quantities as EIP-5792 has them; `value` in the chain's smallest unit. */
export type Call = {
  to: `0x${string}`
  data?: `0x${string}` | undefined
  value?: bigint | undefined
}

/** A transaction as a site asks for it; `value` in the chain's smallest unit. @see spec §3.10.1 */
export type TransactionRequest = {
  to: string
  /** bigint, or a decimal text; what is no number counts as zero. @see spec §5.9.1 */
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
  /** Why it was reverted, when it was: the reason string or 'unknown reason'. @see spec §8.4 */
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
 * A running adapter of one chain family. The same interface serves EVM, Solana and Bitcoin;
 * what a family cannot do, it leaves out, and the core says so with a typed error.
 * All methods reject with a `BaseError`; a visitor's refusal is a `UserRejectedError`.
 */
export type Adapter = {
  readonly namespace: ChainNamespace.ChainNamespace
  /** Discovers wallets and listens to them. Idempotent. */
  start(): void
  /** Loads what connecting and signing need, so that a click waits for nothing. */
  preload(): Promise<void>
  /** Restores earlier connections without asking the visitor. Resolves with what came back. */
  reconnect(parameters: {
    connectorIds: readonly string[]
    current?: string | undefined
  }): Promise<readonly Connection[]>
  /** Asks the wallet. After `signal` was aborted, the wallet's answer changes nothing any more. */
  connect(parameters: {
    connectorId: string
    network?: Network | undefined
    signal?: AbortSignal | undefined
  }): Promise<Connection>
  /** Without an id: every connection of this family. */
  disconnect(parameters?: { connectorId?: string | undefined }): Promise<void>
  /** Makes another connected wallet the one in use. */
  switchConnection(parameters: { connectorId: string }): Promise<void>
  /** Asks the wallet to switch; adds the chain where the wallet does not know it. @see spec §4.6.4 */
  switchNetwork(parameters: { network: Network; connectorId?: string | undefined }): Promise<void>
  /** Native balance, formatted in whole units. @see spec §3.9.2 */
  getBalance(parameters: { address: string; network: Network }): Promise<Balance>
  /** Name and picture the chain itself knows (ENS). Absent where a family has no names. */
  getIdentity?(parameters: {
    address: string
    network: Network
  }): Promise<{ name: string | undefined; avatar: string | undefined }>
  /** The address a name stands for, or undefined. */
  resolveName?(parameters: { name: string; network: Network }): Promise<string | undefined>
  signMessage(parameters: { message: string; address?: string | undefined }): Promise<string>
  signTypedData?(parameters: {
    typedData: TypedData
    address?: string | undefined
  }): Promise<string>
  sendTransaction(parameters: TransactionRequest): Promise<string>
  waitForReceipt?(parameters: {
    hash: string
    network?: Network | undefined
    timeoutMs?: number | undefined
  }): Promise<Receipt>
  /** In gas units. */
  estimateGas?(parameters: TransactionRequest): Promise<bigint>
  writeContract?(parameters: WriteContractRequest): Promise<string>
  getCapabilities?(parameters: { address?: string | undefined }): Promise<Record<string, unknown>>
  grantPermissions?(parameters: Record<string, unknown>): Promise<unknown>
  revokePermissions?(parameters: Record<string, unknown>): Promise<unknown>
  getWalletAssets?(parameters: Record<string, unknown>): Promise<unknown>
  sendCalls?(parameters: {
    calls: readonly Call[]
    capabilities?: Record<string, unknown> | undefined
  }): Promise<{ id: string }>
  getCallsStatus?(parameters: { id: string }): Promise<Record<string, unknown>>
  /** The wallet's own provider object (EIP-1193 for EVM) of a connection. */
  getProvider(parameters?: { connectorId?: string | undefined }): Promise<unknown>
  /** Called after networks were added or removed. */
  networksChanged?(): void
  /** Called when another network is selected: without a wallet it is the one to read from. */
  networkSelected?(network: Network): void
  /** Stops every listener and timer. */
  destroy(): void
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
