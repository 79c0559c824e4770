import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

/** @see spec §3.3.1 */
export type AccountType = 'eoa' | 'smartAccount' | 'payment' | 'ordinal'

/** One account of a wallet. @see spec §3.2.1, §3.3.1 */
export type Account = {
  namespace: ChainNamespace.ChainNamespace
  address: string
  type: AccountType
  publicKey?: string | undefined
  path?: string | undefined
}

/** A wallet connected to one chain family. `accounts[0]` is the active one. @see spec §3.2.1 */
export type Connection = {
  connectorId: string
  accounts: readonly Account[]
  /** The wallet's chain; may be one that the site has not configured. */
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
  /** The chains that the wallet approved; undefined if it accepts any. */
  approvedNetworkIds?: readonly CaipNetworkId.CaipNetworkId[] | undefined
  /** E-mail or social name of an embedded wallet. */
  name?: string | undefined
}
