import { limits } from '@gatefold/protocol'
import type { SocialProvider } from '@gatefold/protocol/frame'

import { isWindowProvider } from './isWindowProvider.ts'

/** The key in `sessionStorage`, which belongs to this tab and this origin. */
const key = '@gatefold/social-login'
/**
 * The parameter of the page's URL that contains the result. @see
 * docs/contracts/frame.md#social-login
 */
const parameter = 'result_uri'

/** A login for which the page has navigated to the provider. */
type Waiting = {
  provider: SocialProvider
  /** The state of the login, 256 random bits. */
  state: string
  /** Unix time in ms. */
  startedAt: number
  /** The fragment of the page's URL, which the provider does not receive. */
  hash: string
}

/** Stores the login before this tab navigates to the provider. */
export function storeWaiting(waiting: Waiting): void {
  sessionStorage.setItem(key, JSON.stringify(waiting))
}

/**
 * Reads the result of a login from the page's URL and removes it from the URL.
 * A result is used once, and only if this tab started that login on this
 * origin: a link with the result of somebody else's login must not log the
 * visitor in.
 *
 * @param frameOrigin - the origin of the frame that started the login
 */
export function takeRedirectResult(
  frameOrigin: string,
): { provider: SocialProvider; uri: string } | undefined {
  const page = new URL(location.href)
  const uri = page.searchParams.get(parameter) ?? ''
  // The parameter may belong to the site.
  if (!URL.canParse(uri) || new URL(uri).origin !== frameOrigin) return undefined
  const waiting = takeWaiting()
  page.searchParams.delete(parameter)
  page.hash ||= waiting?.hash ?? ''
  history.replaceState(history.state, '', page)
  const state = new URL(uri).searchParams.get('state')
  if (!waiting || state !== waiting.state) return undefined
  return { provider: waiting.provider, uri }
}

/** Reads and removes the stored login of this tab. */
function takeWaiting(): Waiting | undefined {
  try {
    const stored = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const waiting = JSON.parse(stored ?? 'null') as Waiting | null
    if (!waiting || !isWindowProvider(waiting.provider) || !waiting.state) return undefined
    return Date.now() - waiting.startedAt < limits.socialLoginSeconds * 1_000 ? waiting : undefined
  } catch {
    // The storage is blocked or its value is invalid: there is no such login.
    return undefined
  }
}
