import { safeHref } from './safeHref.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/** A link that opens a wallet, and the start of it under which the wallet is found again. */
export type AppLink = { link: string; href: string }

/**
 * The link that hands a pairing to a wallet's app or page.
 *
 * A link of the web (a universal link) is taken where the site prefers those and the wallet has one,
 * or where it has nothing else; otherwise the scheme of its app.
 *
 * @param parameters.link - as the directory has it: `wallet://`, `wallet:`, `wallet` or `https://…`
 * @param parameters.doubled - encode the URI twice: Telegram on Android decodes it once on the way
 * @returns undefined for a link that may not be opened
 * @see WalletConnect “mobile linking”; views.md 1.2 “Mobile”
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

/** Which link of a wallet belongs to which kind of app. */
export const linkOf = {
  mobile: (wallet: WalletListing) => wallet.mobile_link,
  desktop: (wallet: WalletListing) => wallet.desktop_link,
  web: (wallet: WalletListing) => wallet.webapp_link,
} as const

/**
 * The link that brings a wallet's app to the front for a request that is on its way.
 *
 * @param href - what `appLink` returned when the wallet was connected
 */
export function requestLink(
  href: string,
  request: { id: number; topic: string },
): string | undefined {
  const safe = safeHref(href, { app: true })
  if (!safe) return undefined
  const payload = `requestId=${request.id}&sessionTopic=${request.topic}`
  // A mini app of Telegram takes a single parameter without separators.
  if (safe.startsWith('https://t.me'))
    return `${safe.replace(/\/$/u, '')}${safe.includes('?') ? '&' : '?'}startapp=${toStartParameter(payload)}`
  return `${safe.replace(/\/?$/u, '/')}wc?${payload}`
}

/** Unpadded base64url, all that Telegram lets through. */
function toStartParameter(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '')
}

/** The link's start with a slash at its end; a bare word is the name of a scheme. */
function appHref(link: string | null | undefined): string | undefined {
  if (!link) return undefined
  const full = link.includes('://') ? link : `${link.replaceAll(/[/:]/gu, '')}://`
  return safeHref(full.endsWith('/') ? full : `${full}/`, { app: true })
}
