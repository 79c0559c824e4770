/* Device properties that affect how apps are opened. Read on use, because they may be set late. */

/** Whether the page runs in Telegram's in-app browser. */
export function isTelegram(): boolean {
  if (typeof window === 'undefined') return false
  const { TelegramWebviewProxy, TelegramWebviewProxyProto, Telegram } = window as {
    TelegramWebviewProxy?: unknown
    TelegramWebviewProxyProto?: unknown
    Telegram?: unknown
  }
  return Boolean(TelegramWebviewProxy || TelegramWebviewProxyProto || Telegram)
}

export function isAndroid(): boolean {
  return typeof navigator !== 'undefined' && /android/iu.test(navigator.userAgent)
}

export function isIos(): boolean {
  if (typeof navigator === 'undefined') return false
  // iPads report a Mac user agent; Macs have no touch screen.
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/u.test(userAgent) || (/Mac/u.test(userAgent) && maxTouchPoints > 1)
}

export function isFramed(): boolean {
  return typeof window !== 'undefined' && window.self !== window.top
}

/** Whether the page is visible. */
export function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible'
}
