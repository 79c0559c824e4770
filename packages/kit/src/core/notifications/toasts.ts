import { interpolate } from './interpolate.ts'
import type { pendingToastText } from './pendingToasts.ts'

/**
 * English strings for the toasts that actions show. Part of the UI's catalog, but defined here
 * because the core does not import from the UI.
 *
 * @see spec §8.4
 */
export const toastText = {
  'toast.connected': '{wallet} connected',
  'toast.inUse': 'Switched to {wallet}',
  'toast.switchFailed': 'Couldn’t switch to {wallet}',
  'toast.disconnected': '{wallet} disconnected',
  'toast.allDisconnected': 'All wallets disconnected',
  'toast.ended': '{wallet} ended the connection',
  'toast.expired': 'Your connection to {wallet} expired',
  'toast.notAllowed': 'Action not allowed',
  'toast.disconnectFailed': 'Failed to disconnect',
} as const

/** A catalog key with its values, and the English string. */
export type ToastText = {
  /** The English text. */
  message: string
  /** The key in the catalogs. */
  key: keyof typeof toastText | keyof typeof pendingToastText
  /** The values in the text, by name. */
  values: Readonly<Record<string, string>>
}

/**
 * A toast's text. The UI translates it by key; other consumers use the English text.
 *
 * @example showToast(kit, 'success', toastOf('toast.connected', { wallet: 'Halyard' }))
 */
export function toastOf(key: keyof typeof toastText, values: ToastText['values'] = {}): ToastText {
  return { message: interpolate(toastText[key], values), key, values }
}
