import { limits } from '@gatefold/protocol'

/** @see spec §3.21 */
export type RemoteFeatures = {
  email: boolean
  /** Providers without e-mail. */
  socials: readonly string[] | false
  swaps: readonly string[] | false
  onramp: readonly string[] | false
  activity: boolean
  reownBranding: boolean
  multiWallet: boolean
}

/** A site's own options. `undefined` leaves a feature to the server or the default. */
export type FeatureOptions = Partial<{
  email: boolean
  socials: readonly string[] | boolean
  swaps: readonly string[] | boolean
  onramp: readonly string[] | boolean
  activity: boolean
  multiWallet: boolean
  send: boolean
  receive: boolean
  analytics: boolean
  legalCheckbox: boolean
  /** Order of the wallet groups; groups that it does not name are hidden. @see spec §9.9.1 */
  connectorTypeOrder: readonly ConnectorGroup[]
  /** Order of the connect view's blocks. @see spec §2.11 */
  connectMethodsOrder: readonly ConnectMethod[]
  /** Order of the account's actions. @see spec §9.7.3 */
  walletFeaturesOrder: readonly WalletFeature[]
  /** One row for all wallets when another method exists. */
  collapseWallets: boolean
}>

export type ConnectMethod = 'email' | 'social' | 'wallet'
export type WalletFeature = (typeof limits.defaultWalletFeatures)[number]
export type ConnectorGroup = (typeof limits.connectorTypeOrder)[number]

/** The features without options and without a server. */
export const defaultFeatures: RemoteFeatures = {
  email: true,
  socials: limits.defaultSocials,
  swaps: ['1inch'],
  onramp: ['meld'],
  activity: true,
  reownBranding: true,
  multiWallet: true,
}
