import { limits } from '@gatefold/protocol'

/** The effective values of the features that a gateway can configure. Several have no view in this version. */
export type RemoteFeatures = {
  /** Whether visitors may sign in with email. */
  email: boolean
  /** Social providers. */
  socials: readonly string[] | false
  /** Whether visitors may log in with only a passkey. */
  passkey: boolean
  /** Swap providers. */
  swaps: readonly string[] | false
  /** Providers that sell tokens. */
  onramp: readonly string[] | false
  /** Whether the account's transactions are listed. */
  activity: boolean
  /** Whether the connect view shows Gatefold's name. */
  reownBranding: boolean
  /** Whether several wallets may be connected at once. */
  multiWallet: boolean
}

/** The option `features` of `createGatefold`. */
export type FeatureOptions = {
  /**
   * Whether the modal offers to connect another wallet while one is connected.
   *
   * @default true
   */
  multiWallet?: boolean
  /**
   * Whether events are sent to the gateway, which may also turn this off.
   *
   * @default true
   */
  analytics?: boolean
  /**
   * Whether visitors must accept the terms and the privacy policy before they connect. Needs
   * `termsConditionsUrl` or `privacyPolicyUrl`.
   *
   * @default false
   */
  legalCheckbox?: boolean
  /**
   * Order of the groups in the wallet list; omitted groups follow in the default order.
   *
   * @default walletConnect, recent, injected, featured, custom, external, recommended
   */
  connectorTypeOrder?: readonly ConnectorGroup[]
  /**
   * Whether visitors can log in with an email address. Needs the connector `embedded()` and `endpoints.frame`.
   *
   * @default true
   */
  email?: boolean
  /**
   * The social logins, in this order; `true` for all, `false` for none. Needs
   * the connector `embedded()` and `endpoints.frame`; the frame must support
   * these logins.
   *
   * @default false
   */
  socials?: readonly string[] | boolean
  /**
   * Whether visitors can log in with only a passkey. Needs the connector
   * `embedded()`, `endpoints.frame`, and a project that offers it (`gatefold
   * project set … --passkey-login on`).
   *
   * @default false
   */
  passkey?: boolean
  /**
   * Order of the connect methods; omitted methods are not shown.
   *
   * @default wallets first if one is installed, otherwise email, social logins, passkey, wallets
   */
  connectMethodsOrder?: readonly ConnectMethod[]
  /**
   * Collapses the wallet list into one row if there is another connect method.
   *
   * @default false
   */
  collapseWallets?: boolean
  /**
   * Whether the account view offers to send tokens.
   *
   * @default true
   */
  send?: boolean
  /**
   * Whether the account view offers to receive tokens.
   *
   * @default true
   */
  receive?: boolean
  /**
   * Order of the account's actions; omitted actions are not shown. Activity is always last.
   *
   * @default onramp, swaps, receive, send
   */
  walletFeaturesOrder?: readonly WalletFeature[]
}

/**
 * Options for all features that a gateway can configure, including those without views in this version. A feature that
 * is `undefined` has its default value, unless the gateway configures it.
 */
export type AllFeatureOptions = FeatureOptions &
  Partial<{
    swaps: readonly string[] | boolean
    onramp: readonly string[] | boolean
    activity: boolean
  }>

/** A way to connect. */
export type ConnectMethod = 'email' | 'social' | 'passkey' | 'wallet'
/** An action of the account view. */
export type WalletFeature = (typeof limits.defaultWalletFeatures)[number]
/** A group of the wallet list. */
export type ConnectorGroup = (typeof limits.connectorTypeOrder)[number]

/** The features that apply without options and without a gateway. */
export const defaultFeatures: RemoteFeatures = {
  email: true,
  socials: limits.defaultSocials,
  passkey: true,
  swaps: ['1inch'],
  onramp: ['meld'],
  activity: true,
  reownBranding: true,
  multiWallet: true,
}
