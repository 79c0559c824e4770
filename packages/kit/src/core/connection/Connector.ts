import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

/** Where a connector comes from. Spelled as the official kit spells it. @see spec §3.1 */
export type ConnectorType =
  | 'INJECTED'
  | 'ANNOUNCED'
  | 'EXTERNAL'
  | 'WALLET_CONNECT'
  | 'AUTH'
  | 'MULTI_CHAIN'

/** A way to reach one wallet on one chain family. @see spec §3.1 */
export type Connector = {
  id: string
  name: string
  type: ConnectorType
  chain: ChainNamespace.ChainNamespace
  /** All families the wallet serves, when it serves several. */
  chains?: readonly ChainNamespace.ChainNamespace[] | undefined
  imageUrl?: string | undefined
  imageId?: string | undefined
  explorerId?: string | undefined
  info?: { rdns?: string | undefined } | undefined
}

/** @see spec §3.3.1 */
export type AccountType = 'eoa' | 'smartAccount' | 'payment' | 'ordinal'

/** One account a wallet has shown. @see spec §3.2.1, §3.3.1 */
export type Account = {
  namespace: ChainNamespace.ChainNamespace
  address: string
  type: AccountType
  publicKey?: string | undefined
  path?: string | undefined
}

/** A connected wallet. `accounts[0]` is the one in use. @see spec §3.2.1 */
export type Connection = {
  connectorId: string
  accounts: readonly Account[]
  /** The chain the wallet is on; it can be one the site does not use. */
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
  /** The chains the wallet agreed to, where it agrees to each; undefined where it takes any. */
  approvedNetworkIds?: readonly CaipNetworkId.CaipNetworkId[] | undefined
  /** E-mail or social name of an embedded wallet. */
  name?: string | undefined
}
