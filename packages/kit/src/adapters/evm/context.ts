import type { Config, Connector as WagmiConnector, CreateConnectorFn } from '@wagmi/core'
import type { Abi, Transport } from 'viem'

import type { Adapter, AdapterContext } from '../../core/connection/Adapter.ts'
import type { Account, Connection } from '../../core/connection/Connection.ts'
import type { Session } from '../../core/connection/Session.ts'
import type { Network } from '../../core/networks/Network.ts'
import type { Providers } from './providers.ts'

/** The options of `evm`. */
export type EvmOptions = {
  /**
   * The site's own wagmi config. If set, only `remoteAvatars` and `swapContracts` of the other options are used.
   *
   * @example evm({ config }) // const config = createConfig({ chains: [mainnet], … })
   */
  config?: Config | undefined
  /** wagmi connectors to list in addition to the browser's wallets. */
  connectors?: readonly CreateConnectorFn[] | undefined
  /**
   * viem transports by chain id; by default HTTP to the network's RPC URLs in order, 10 s each.
   *
   * @example evm({ transports: { [mainnet.id]: http('https://rpc.my.site/1') } })
   */
  transports?: Record<number, Transport> | undefined
  /**
   * Omits the test ping (`eth_chainId`) that precedes the first request to a
   * chain's RPC URLs. A URL that fails the ping or serves another chain is
   * tried last.
   */
  disableProviderPing?: boolean | undefined
  /** viem's polling interval in ms; by default 4 s, shorter on fast chains. */
  pollingIntervalMs?: number | undefined
  /**
   * Whether ENS avatars may be loaded from any host that a name's owner has chosen. This reveals the
   * visit to that host. By default, only data URIs and the hosts of the page and the RPC are allowed.
   */
  remoteAvatars?: boolean | undefined
  /**
   * Additional contracts that may spend and swap tokens, by chain id. The
   * official contracts of Uniswap, 0x and 1inch are known on the networks on
   * which the gateway swaps by default. A swap through any other contract is
   * refused.
   *
   * @example evm({ swapContracts: { 31337: ['0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'] } })
   */
  swapContracts?: Record<number, readonly `0x${string}`[]> | undefined
}

/** The EVM adapter with its wagmi config. */
export type EvmAdapter = Adapter & {
  /** The wagmi config. */
  readonly config: Config
}

/** Shared by the modules of one adapter. */
export type Evm = {
  readonly config: Config
  readonly context: AdapterContext
  readonly options: EvmOptions
  readonly providers: Providers
  /** Aborted by `destroy`. */
  readonly signal: AbortSignal
  /** Account requests that are pending in wallets, by connector uid. */
  readonly accountRequests: Map<string, AccountsRequest>
  /** The latest connection attempt of each connector, by uid. */
  readonly attempts: Map<string, Attempt>
  /** Session connectors that are registered in wagmi, by id. */
  readonly sessions: Set<string>
  /** Chain and ABI of transactions sent from this page, by hash. */
  readonly sent: Map<string, { chainId: number; abi: Abi | undefined }>
}

/** A pending account request. */
export type AccountsRequest = Promise<{ accounts: readonly `0x${string}`[]; chainId: number }>

export type Attempt = { result: Promise<Session> | undefined }

/** A wallet's accounts and chain, as returned by its connector. */
export type WalletAccounts = {
  connector: WagmiConnector
  accounts: readonly `0x${string}`[]
  chainId: number
}

export type { WagmiConnector }

type WagmiConnection = { accounts: readonly string[]; chainId: number; connector: WagmiConnector }

/**
 * The usable connections. Excludes those without accounts, and those that wagmi has read from storage
 * but not restored: their connectors have no methods. @see spec §4.1.8
 */
export function liveConnections(config: Config): readonly WagmiConnection[] {
  return [...config.state.connections.values()].filter(
    ({ accounts, connector }) => accounts.length > 0 && typeof connector.getProvider === 'function',
  )
}

/** The active connection, or the connection of one connector. */
export function findConnection(evm: Evm, connectorId?: string): WagmiConnection | undefined {
  const { current } = evm.config.state
  return liveConnections(evm.config).find(({ connector }) =>
    connectorId ? connector.id === connectorId : connector.uid === current,
  )
}

/** Converts a wagmi connection to the core's type. */
export function toConnection(
  evm: Pick<Evm, 'context' | 'sessions'>,
  { connector, accounts, chainId }: WagmiConnection,
): Connection {
  return {
    connectorId: connector.id,
    accounts: toAccounts(accounts),
    caipNetworkId: `eip155:${chainId}`,
    approvedNetworkIds: approvedNetworkIds(evm, connector),
  }
}

/**
 * The chains that a wallet approved through its session; undefined if the wallet can add or switch to others, or has
 * no session.
 */
export function approvedNetworkIds(
  evm: Pick<Evm, 'context' | 'sessions'>,
  { id }: Pick<WagmiConnector, 'id'>,
): Connection['approvedNetworkIds'] {
  const grant = evm.sessions.has(id) ? evm.context.session(id)?.grants.eip155 : undefined
  if (!grant) return undefined
  const { methods, networkIds } = grant
  const acceptsMore =
    methods.includes('wallet_addEthereumChain') || methods.includes('wallet_switchEthereumChain')
  return acceptsMore ? undefined : networkIds
}

export function toAccounts(addresses: readonly string[]): readonly Account[] {
  return addresses.map((address) => ({ namespace: 'eip155', address, type: 'eoa' }))
}

/** Makes wagmi read from the selected network, unless a wallet is connected. */
export function selectChain({ config }: Pick<Evm, 'config'>, network: Network | undefined): void {
  const chainId = Number(network?.id)
  if (liveConnections(config).length > 0 || config.state.chainId === chainId) return
  if (config.chains.some((chain) => chain.id === chainId))
    config.setState((state) => ({ ...state, chainId }))
}
