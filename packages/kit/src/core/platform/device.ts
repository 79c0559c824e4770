/*
 * Where the page runs, as far as opening another app depends on it. Read at the moment of use: tests
 * and hosts may set it up late.
 */

/** Inside Telegram's own browser, which opens other apps in its own way. */
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
  // iPads say they are Macs; Macs have no touch screen.
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/u.test(userAgent) || (/Mac/u.test(userAgent) && maxTouchPoints > 1)
}

export function isFramed(): boolean {
  return typeof window !== 'undefined' && window.self !== window.top
}

/** Whether somebody can see the page. */
export function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible'
}
