import { limits } from '@gatefold/protocol'
import type { SocialProvider } from '@gatefold/protocol/frame'

import { isWindowProvider } from './isWindowProvider.ts'

/** The key in `sessionStorage`, which belongs to this tab and this origin. */
const key = '@gatefold/social-login'
/** The parameter of the page's URL in which the result comes back. @see docs/contracts/frame.md#social-login */
const parameter = 'result_uri'

/** A login for which the visitor has left the page. */
type Waiting = {
  provider: SocialProvider
  /** The state of the login, 256 random bits. */
  state: string
  /** Unix time in ms. */
  startedAt: number
  /** The fragment of the page's URL, which the provider does not get. */
  hash: string
}

/** Stores the login for which this tab leaves. */
export function storeWaiting(waiting: Waiting): void {
  sessionStorage.setItem(key, JSON.stringify(waiting))
}

/**
 * Takes the result of a login from the page's URL, and removes it there. It is used once, and only if this tab has left
 * for that login from this origin: a link with the result of somebody else's login must not log the visitor in.
 *
 * @param frameOrigin - where the login was started
 */
export function takeRedirectResult(
  frameOrigin: string,
): { provider: SocialProvider; uri: string } | undefined {
  const page = new URL(location.href)
  const uri = page.searchParams.get(parameter) ?? ''
  // The parameter may be one of the site.
  if (!URL.canParse(uri) || new URL(uri).origin !== frameOrigin) return undefined
  const waiting = takeWaiting()
  page.searchParams.delete(parameter)
  page.hash ||= waiting?.hash ?? ''
  history.replaceState(history.state, '', page)
  const state = new URL(uri).searchParams.get('state')
  if (!waiting || state !== waiting.state) return undefined
  return { provider: waiting.provider, uri }
}

/** Takes the login for which this tab has left. */
function takeWaiting(): Waiting | undefined {
  try {
    const stored = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const waiting = JSON.parse(stored ?? 'null') as Waiting | null
    if (!waiting || !isWindowProvider(waiting.provider) || !waiting.state) return undefined
    return Date.now() - waiting.startedAt < limits.socialLoginSeconds * 1_000 ? waiting : undefined
  } catch {
    // The storage is blocked or has something else: there is no such login.
    return undefined
  }
}
