import { interpolate } from './interpolate.ts'

/**
 * What actions tell the visitor, in English, by the key other languages have it under. Part of the
 * catalogue of the interface; it stands here because the core says it.
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
  'toast.disconnectFailed': 'Failed to disconnect',
} as const

/** A text of the catalogue, and what it says in English. */
export type ToastText = {
  message: string
  key: keyof typeof toastText
  values: Readonly<Record<string, string>>
}

/**
 * A toast's text, to be drawn in the visitor's language and readable without a catalogue.
 *
 * @example kit.toast('success', toastOf('toast.connected', { wallet: 'Halyard' }))
 */
export function toastOf(key: ToastText['key'], values: ToastText['values'] = {}): ToastText {
  return { message: interpolate(toastText[key], values), key, values }
}
