import { limits } from '@gatefold/protocol'
import type { SocialProvider } from '@gatefold/protocol/frame'

import type { KitInstance } from '../../core/kit/Kit.ts'
import { embeddedOf } from './embedded.ts'
import { FrameError } from './FrameError.ts'

/** The name of the window, the same as in AppKit. */
const windowName = 'popupWindow'
/**
 * Interval at which to check whether the visitor has closed the window, in ms.
 * @see spec §4.8
 */
const closedCheckMs = 1_000

/** The outcome of a login at a provider. */
export type SocialOutcome =
  /** The provider logged the visitor in. */
  | { type: 'done'; uri: string }
  /** The browser did not open the window. */
  | { type: 'blocked' }
  /** The visitor closed the window. */
  | { type: 'closed' }
  /** A window of another origin sent the result. */
  | { type: 'foreign' }
  | { type: 'timedOut' }
  /** The visitor returned from the provider to this page without a result. */
  | { type: 'returned' }
  | { type: 'failed'; error: unknown }

/** A login at a provider. */
export type SocialLogin = {
  readonly provider: SocialProvider
  readonly outcome: Promise<SocialOutcome>
  /** Whether the page itself navigates to the provider. */
  readonly inTab?: boolean
  /** Moves the window to the front. */
  focus(): void
  /** Ends the login and closes the window. */
  cancel(): void
}

/**
 * Opens the window of a social login. Call it in a click handler, because
 * browsers block windows that are opened after a request.
 *
 * @see docs/contracts/frame.md#social-login; spec §4.8, §9.8.1
 */
export function openSocialLogin(kit: KitInstance, provider: SocialProvider): SocialLogin {
  const { origin } = new URL(kit.options.endpoints.frame!)
  const embedded = embeddedOf(kit)!
  const popup = window.open(`${origin}/loading`, windowName, 'width=600,height=800')
  const stop = new AbortController()
  const outcome = new Promise<SocialOutcome>((resolve) => {
    const settle = (result: SocialOutcome) => {
      resolve(result)
      stop.abort()
    }
    if (!popup) return settle({ type: 'blocked' })
    const { signal } = stop
    signal.addEventListener('abort', () => resolve({ type: 'closed' }))
    const timer = setTimeout(() => settle({ type: 'timedOut' }), limits.frameLoginMs)
    const check = setInterval(() => popup.closed && settle({ type: 'closed' }), closedCheckMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      clearInterval(check)
      popup.close()
    })
    addEventListener(
      'message',
      ({ data, origin: from, source }: MessageEvent) => {
        const uri: unknown = (data as { resultUri?: unknown } | null)?.resultUri
        // Another window can neither end the login nor replace its result.
        if (source !== popup || typeof uri !== 'string' || !uri) return
        settle(from === origin ? { type: 'done', uri } : { type: 'foreign' })
      },
      { signal },
    )
    embedded.client
      .use((client) => client.socialUri(provider))
      .then(
        (uri) => {
          if (!signal.aborted) popup.location.href = uri
        },
        (error: unknown) =>
          settle(
            error instanceof FrameError && error.code === 'frame.timeout'
              ? { type: 'timedOut' }
              : { type: 'failed', error },
          ),
      )
  })
  return {
    provider,
    outcome,
    focus: () => popup?.focus(),
    cancel: () => stop.abort(),
  }
}
