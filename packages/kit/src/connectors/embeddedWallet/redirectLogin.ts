import { limits } from '@gatefold/protocol'
import type { SocialProvider } from '@gatefold/protocol/frame'

import type { KitInstance } from '../../core/kit/Kit.ts'
import { embeddedOf } from './embedded.ts'
import { FrameError } from './FrameError.ts'
import { storeWaiting } from './redirectResult.ts'
import type { SocialLogin, SocialOutcome } from './socialLogin.ts'

/**
 * Logs in at a provider in this tab, for browsers that do not open windows: the
 * page navigates to the provider, which redirects back to the page.
 *
 * @see docs/contracts/frame.md#social-login; docs/threats.md#social-logins
 */
export function redirectSocialLogin(kit: KitInstance, provider: SocialProvider): SocialLogin {
  const embedded = embeddedOf(kit)!
  const stop = new AbortController()
  const { signal } = stop
  const outcome = new Promise<SocialOutcome>((resolve) => {
    const settle = (result: SocialOutcome) => {
      resolve(result)
      stop.abort()
    }
    signal.addEventListener('abort', () => resolve({ type: 'returned' }))
    const timer = setTimeout(() => settle({ type: 'timedOut' }), limits.frameLoginMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
    // The browser may restore the page from its cache if the visitor returns
    // without a result.
    addEventListener('pageshow', ({ persisted }) => persisted && settle({ type: 'returned' }), {
      signal,
    })
    embedded.client
      .use((client) => client.socialUri(provider))
      .then((uri) => {
        if (!signal.aborted) location.assign(leave(provider, uri))
      })
      .catch((error: unknown) =>
        settle(
          error instanceof FrameError && error.code === 'frame.timeout'
            ? { type: 'timedOut' }
            : { type: 'failed', error },
        ),
      )
  })
  return { provider, outcome, inTab: true, focus() {}, cancel: () => stop.abort() }
}

/**
 * Stores the login. @returns the URL of the provider's page, which redirects
 * back to this page
 */
function leave(provider: SocialProvider, uri: string): string {
  const { hash } = location
  const target = new URL(uri)
  const state = target.searchParams.get('state') ?? ''
  const page = new URL(location.href)
  // In a Mini App of Telegram, the fragment identifies the visitor.
  page.hash = ''
  storeWaiting({ provider, state, startedAt: Date.now(), hash })
  target.searchParams.set('state', `${state}--${page.href}`)
  return target.href
}
