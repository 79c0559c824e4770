import { limits } from '@gatefold/protocol'

/** @see spec §3.21 */
export type RemoteFeatures = {
  email: boolean
  /** Social providers, not including e-mail. */
  socials: readonly string[] | false
  swaps: readonly string[] | false
  onramp: readonly string[] | false
  activity: boolean
  reownBranding: boolean
  multiWallet: boolean
}

/** The site's options. A feature that is `undefined` has its default, unless the gateway configures it. */
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
  /** Order of the wallet groups; omitted groups follow in the default order. @see spec §9.9.1 */
  connectorTypeOrder: readonly ConnectorGroup[]
  /** Order of the connect methods. @see spec §2.11 */
  connectMethodsOrder: readonly ConnectMethod[]
  /** Order of the account actions. @see spec §9.7.3 */
  walletFeaturesOrder: readonly WalletFeature[]
  /** Collapses the wallet list into one row if another method exists. */
  collapseWallets: boolean
}>

export type ConnectMethod = 'email' | 'social' | 'wallet'
export type WalletFeature = (typeof limits.defaultWalletFeatures)[number]
export type ConnectorGroup = (typeof limits.connectorTypeOrder)[number]

/** The features that apply without options and without a gateway. */
export const defaultFeatures: RemoteFeatures = {
  email: true,
  socials: limits.defaultSocials,
  swaps: ['1inch'],
  onramp: ['meld'],
  activity: true,
  reownBranding: true,
  multiWallet: true,
}
