import { toBase64 } from '@gatefold/protocol/relay'
import { safeHref } from './safeHref.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/** A link that opens a wallet with a pairing URI, and the link's base (`href`), which later requests use. */
export type AppLink = { link: string; href: string }

/**
 * The link that passes a pairing URI to a wallet's app or web page. Uses the universal link if the site
 * prefers it or the app has no scheme, otherwise the scheme.
 *
 * @param parameters.link - from the directory: `wallet://`, `wallet:`, `wallet` or `https://…`
 * @param parameters.doubled - whether to encode the URI twice, because Telegram on Android decodes it once
 * @returns undefined if the wallet has no link, or an unsafe one
 * @see docs/views.md#mobile-web-and-desktop-apps; docs/threats.md#dangerous-links
 */
export function appLink(parameters: {
  link: string | null | undefined
  uri: string
  universal?: string | null | undefined
  preferUniversal?: boolean | undefined
  doubled?: boolean | undefined
}): AppLink | undefined {
  const { uri, universal, preferUniversal, doubled } = parameters
  const link = (preferUniversal && safeHref(universal)) || parameters.link || universal
  const href = appHref(link)
  if (!href) return undefined
  const encoded = encodeURIComponent(doubled ? encodeURIComponent(uri) : uri)
  return { href, link: `${href}wc?uri=${encoded}` }
}

/** The directory's link for each kind of app. */
export const linkOf = {
  mobile: (wallet: WalletListing) => wallet.mobile_link,
  desktop: (wallet: WalletListing) => wallet.desktop_link,
  web: (wallet: WalletListing) => wallet.webapp_link,
} as const

/**
 * The link that opens a wallet's app for a pending request.
 *
 * @param href - the base that `appLink` returned when the wallet was connected
 * @returns undefined for an unsafe base
 */
export function requestLink(
  href: string,
  request: { id: number; topic: string },
): string | undefined {
  const safe = safeHref(href, { app: true })
  if (!safe) return undefined
  const payload = `requestId=${request.id}&sessionTopic=${request.topic}`
  // A Telegram mini app accepts one parameter without separators.
  if (safe.startsWith('https://t.me/'))
    return `${safe.replace(/\/$/u, '')}${safe.includes('?') ? '&' : '?'}startapp=${toStartParameter(payload)}`
  return `${safe.replace(/\/?$/u, '/')}wc?${payload}`
}

/** Encodes a text as unpadded base64url, because Telegram allows only its characters. */
function toStartParameter(text: string): string {
  return toBase64(new TextEncoder().encode(text), 'base64url')
}

/** Whether `href`, as `appLink` returns it, is the base of one of the wallet's links in the directory. */
export function isLinkOf(wallet: WalletListing, href: string): boolean {
  const { mobile_link, desktop_link, webapp_link, link_mode } = wallet
  return [mobile_link, desktop_link, webapp_link, link_mode].some((link) => appHref(link) === href)
}

/** The base of a wallet's links: the link with a trailing slash; undefined if unsafe. A bare word is a scheme. */
function appHref(link: string | null | undefined): string | undefined {
  if (!link) return undefined
  const full = link.includes('://') ? link : `${link.replaceAll(/[/:]/gu, '')}://`
  return safeHref(full.endsWith('/') ? full : `${full}/`, { app: true })
}
