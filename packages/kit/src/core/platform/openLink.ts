import { isFramed, isTelegram } from './device.ts'

/**
 * Opens a link to an app without leaving the page: a custom scheme does not navigate, and Telegram opens
 * only new tabs.
 *
 * @param options.newTab - whether to use a new tab, as needed for `https` links, which would replace the page
 * @see docs/views.md#mobile-web-and-desktop-apps
 */
export function openLink(link: string, options: { newTab?: boolean } = {}): void {
  const target = options.newTab || isTelegram() ? '_blank' : isFramed() ? '_top' : '_self'
  window.open(link, target, 'noreferrer noopener')
}
