import { isFramed, isTelegram } from './device.ts'

/**
 * Follows a link into an app. The page stays: a scheme leaves it where it is, and Telegram opens
 * nothing but new tabs.
 *
 * @param options.newTab - for links of the web, which would take the page's place
 * @see views.md 1.2 “Mobile”
 */
export function openLink(link: string, options: { newTab?: boolean } = {}): void {
  const target = options.newTab || isTelegram() ? '_blank' : isFramed() ? '_top' : '_self'
  window.open(link, target, 'noreferrer noopener')
}
