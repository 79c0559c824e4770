/**
 * The events of an instance, with their properties. The names and properties are those of AppKit. Events are also sent to the
 * gateway: all of them if both the gateway and the site enable analytics, otherwise only `INITIALIZE`.
 */
export type KitEventProperties = {
  /** The gateway's configuration was loaded. */
  INITIALIZE: {
    /** CAIP-2 ids of the networks. */
    networks: readonly string[]
    /** The version of the kit. */
    version: string
  }
  /** The modal opened. */
  MODAL_OPEN: {
    /** Whether a wallet was connected. */
    connected: boolean
  }
  /** The modal closed. */
  MODAL_CLOSE: {
    /** Whether a wallet was connected. */
    connected: boolean
  }
  /** The instance started. */
  MODAL_CREATED: Record<string, never>
  /** The visitor selected a wallet. */
  SELECT_WALLET: {
    /** The wallet's name. */
    name: string
    /** Where the wallet runs. */
    platform?: string
    /** The view from which it was selected. */
    view?: string
  }
  /** A wallet was connected. */
  CONNECT_SUCCESS: {
    /** How: `browser`, `qrcode` or `mobile`. */
    method: string
    /** The wallet's name. */
    name: string
    /** Whether it was restored from an earlier visit. */
    reconnect?: boolean
    /** The view from which it was selected. */
    view?: string
  }
  /** Connecting failed. */
  CONNECT_ERROR: {
    /** The reason. */
    message: string
  }
  /** The visitor declined a request in the wallet. */
  USER_REJECTED: {
    /** The wallet's message. */
    message: string
  }
  /** The visitor chose a social login. */
  SOCIAL_LOGIN_STARTED: SocialLoginProperties
  /** The visitor logged in with a social account. */
  SOCIAL_LOGIN_SUCCESS: SocialLoginProperties
  /** The visitor closed the window of a social login. */
  SOCIAL_LOGIN_CANCELED: SocialLoginFailureProperties
  /** A social login failed. */
  SOCIAL_LOGIN_ERROR: SocialLoginFailureProperties
  /** The wallets of a chain family were disconnected. */
  DISCONNECT_SUCCESS: {
    /** The chain family. */
    namespace: string
  }
  /** Disconnecting failed. */
  DISCONNECT_ERROR: {
    /** The reason. */
    message: string
  }
  /** The active network changed. */
  SWITCH_NETWORK: {
    /** CAIP-2 id of the network. */
    network: string
  }
  /** The visitor opened the list of all wallets. */
  CLICK_ALL_WALLETS: Record<string, never>
  /** The visitor opened the explanation of wallets. */
  CLICK_WALLET_HELP: Record<string, never>
  /** The visitor opened the explanation of networks. */
  CLICK_NETWORK_HELP: Record<string, never>
  /** The visitor opened the list of wallets to install. */
  CLICK_GET_WALLET: Record<string, never>
  /** The visitor opened the list of networks. */
  CLICK_NETWORKS: Record<string, never>
}

/** A social login. */
export type SocialLoginProperties = {
  /** The provider, such as `google`. */
  provider: string
}

/** A social login that failed. */
export type SocialLoginFailureProperties = SocialLoginProperties & {
  /** The reason. */
  message: string
}

/** The name of an event. */
export type KitEventName = keyof KitEventProperties
/** An event with its properties. */
export type KitEvent = {
  [name in KitEventName]: {
    /** The name. */
    event: name
    /** The properties. */
    properties: KitEventProperties[name]
  }
}[KitEventName]
/** A listener of `kit.on` and `useKitEvent`. */
export type KitEventListener<name extends KitEventName> = (
  properties: KitEventProperties[name],
) => void

/** Events that are sent even if analytics are off. @see docs/contracts/gateway.md#analytics */
export const essentialEvents: ReadonlySet<KitEventName> = new Set(['INITIALIZE'])
