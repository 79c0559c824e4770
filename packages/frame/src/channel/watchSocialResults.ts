import { SocialResultMessage, socialResultKeptType } from '@gatefold/protocol/frame'
import * as v from 'valibot'

/**
 * Receives the results of social logins from windows of the frame's own origin.
 * No page can send messages from that origin.
 *
 * @param options.keep - stores a result. Returns whether the result belongs to
 *   a login that was started here.
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
    // If it could not be stored, the window sends it again.
    if (await keep(message.output.uri).catch(() => false))
      (event.source as Window).postMessage({ type: socialResultKeptType }, origin)
  })
}
