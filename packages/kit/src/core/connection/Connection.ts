import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

/** The kind of an account. On EVM, `eoa` is a key pair and `smartAccount` a contract. */
export type AccountType = 'eoa' | 'smartAccount' | 'payment' | 'ordinal'

/** One account of a wallet. */
export type Account = {
  /** The chain family. */
  namespace: ChainNamespace.ChainNamespace
  /** The address in the family's format. */
  address: string
  /** The kind of account. */
  type: AccountType
  /** The public key, on families whose wallets report it. */
  publicKey?: string | undefined
  /** The derivation path, on families whose wallets report it. */
  path?: string | undefined
}

/** A wallet connected to one chain family. */
export type Connection = {
  /** Id of the connector, such as the wallet's rdns. */
  connectorId: string
  /** The accounts that the wallet shares; the first is the active one. */
  accounts: readonly Account[]
  /** The wallet's chain; may be one that the site has not configured. */
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
  /** The chains that the wallet approved; undefined if it accepts any. */
  approvedNetworkIds?: readonly CaipNetworkId.CaipNetworkId[] | undefined
  /** Email or social name of an embedded wallet. */
  name?: string | undefined
}
