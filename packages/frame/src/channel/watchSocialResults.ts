import { SocialResultMessage, socialResultKeptType } from '@gatefold/protocol/frame'
import * as v from 'valibot'

/**
 * Receives the results of social logins from windows of the frame's own origin, which no page can pass off as its own.
 *
 * @param options.keep - keeps a result. @returns whether it is that of a login that was started here.
 * @see docs/contracts/frame.md#social-login; docs/threats.md#social-logins
 */
export function watchSocialResults(options: {
  window: Window
  keep: (uri: string) => Promise<boolean>
}): void {
  const { window, keep } = options
  const { origin } = window.location
  window.addEventListener('message', async (event) => {
    const message = v.safeParse(SocialResultMessage, event.data)
    if (event.origin !== origin || !message.success) return
    // The window sends it again if it could not be kept.
    if (await keep(message.output.uri).catch(() => false))
      (event.source as Window).postMessage({ type: socialResultKeptType }, origin)
  })
}
