import { limits } from '@gatefold/protocol'
import type { SocialProvider } from '@gatefold/protocol/frame'

import { isTelegram } from '../../core/platform/device.ts'
import type { KitInstance } from '../../core/kit/Kit.ts'
import { embeddedOf } from './embedded.ts'
import { FrameError } from './FrameError.ts'

/** The name of the window, the same as in AppKit. */
const windowName = 'popupWindow'
/** How often it is checked whether the visitor closed the window, in ms. @see spec §4.8 */
const closedCheckMs = 1_000

/** The outcome of a login in a window. */
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
  | { type: 'failed'; error: unknown }

/** A login in a window. */
export type SocialLogin = {
  readonly provider: SocialProvider
  readonly outcome: Promise<SocialOutcome>
  /** Moves the window to the front. */
  focus(): void
  /** Ends the login and closes the window. */
  cancel(): void
}

/** Whether a name is that of a provider whose login is a window. @see spec §5.10.3 */
export function isWindowProvider(name: string): name is SocialProvider {
  return Object.hasOwn(windowProviders, name)
}

const windowProviders: Record<SocialProvider, true> = {
  google: true,
  github: true,
  apple: true,
  facebook: true,
  x: true,
  discord: true,
}

/**
 * Opens the window of a social login. Call it in the handler of a click: a browser blocks windows that are opened after
 * a request. In Telegram, which has no windows, the page itself navigates to the provider.
 *
 * @see docs/contracts/frame.md#social-login; spec §4.8, §9.8.1
 */
export function openSocialLogin(kit: KitInstance, provider: SocialProvider): SocialLogin {
  const { origin } = new URL(kit.options.endpoints.frame!)
  const embedded = embeddedOf(kit)!
  const isRedirect = isTelegram()
  const popup = isRedirect
    ? undefined
    : (window.open(`${origin}/loading`, windowName, 'width=600,height=800') ?? undefined)
  const stop = new AbortController()
  const outcome = new Promise<SocialOutcome>((resolve) => {
    const settle = (result: SocialOutcome) => {
      resolve(result)
      stop.abort()
    }
    if (!popup && !isRedirect) return settle({ type: 'blocked' })
    const { signal } = stop
    signal.addEventListener('abort', () => resolve({ type: 'closed' }))
    const timer = setTimeout(() => settle({ type: 'timedOut' }), limits.frameLoginMs)
    const check = setInterval(() => popup?.closed && settle({ type: 'closed' }), closedCheckMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      clearInterval(check)
      popup?.close()
    })
    addEventListener(
      'message',
      ({ data, origin: from, source }: MessageEvent) => {
        const uri: unknown = (data as { resultUri?: unknown } | null)?.resultUri
        if (typeof uri !== 'string' || !uri) return
        if (from !== origin) return settle({ type: 'foreign' })
        if (source === popup) settle({ type: 'done', uri })
      },
      { signal },
    )
    embedded
      .withClient((client) => client.socialUri(provider))
      .then(
        (uri) => {
          if (signal.aborted) return
          if (popup) popup.location.href = uri
          else location.href = withReturnUrl(uri)
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

/** Adds the page to return to. @see docs/contracts/frame.md#social-login */
function withReturnUrl(uri: string): string {
  const url = new URL(uri)
  const state = url.searchParams.get('state') ?? ''
  url.searchParams.set('state', `${state}--${location.href}`)
  return url.href
}
