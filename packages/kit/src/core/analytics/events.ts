/**
 * Events that a site can subscribe to. They are also sent to the gateway: all of them if analytics are
 * enabled, and otherwise only {@link essentialEvents}.
 * Names and properties match AppKit's.
 *
 * @see spec §4.3.1–2, §7.7.2–3
 */
export type KitEventProperties = {
  INITIALIZE: { networks: readonly string[]; version: string }
  MODAL_OPEN: { connected: boolean }
  MODAL_CLOSE: { connected: boolean }
  MODAL_CREATED: Record<string, never>
  SELECT_WALLET: { name: string; platform?: string; view?: string }
  CONNECT_SUCCESS: { method: string; name: string; reconnect?: boolean; view?: string }
  CONNECT_ERROR: { message: string }
  USER_REJECTED: { message: string }
  DISCONNECT_SUCCESS: { namespace: string }
  DISCONNECT_ERROR: { message: string }
  SWITCH_NETWORK: { network: string }
  CLICK_ALL_WALLETS: Record<string, never>
  CLICK_WALLET_HELP: Record<string, never>
  CLICK_NETWORK_HELP: Record<string, never>
  CLICK_GET_WALLET: Record<string, never>
  CLICK_NETWORKS: Record<string, never>
  SOCIAL_LOGIN_SUCCESS: { provider: string }
}

export type KitEventName = keyof KitEventProperties
export type KitEvent = {
  [name in KitEventName]: { event: name; properties: KitEventProperties[name] }
}[KitEventName]
export type KitEventListener<name extends KitEventName> = (
  properties: KitEventProperties[name],
) => void

/** Events that count installations, sent even with analytics off. @see docs/contracts.md */
export const essentialEvents: ReadonlySet<KitEventName> = new Set(['INITIALIZE'])
