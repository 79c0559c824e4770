/** Size of a popup in px. @see docs/views.md#buyinprogress */
const size = { width: 600, height: 800 }

/** A window that this page has opened. */
export type Popup = Pick<Window, 'closed' | 'close' | 'focus'>

/**
 * Opens an empty window. Call it in a click handler and navigate later, because
 * browsers block windows that open after a request. The window has no opener,
 * so that its page cannot navigate this one.
 *
 * @param text - shown until the window navigates
 * @returns undefined if the browser has blocked it
 * @see docs/adr/0024-the-gateway-decides-a-purchase.md
 */
export function openPopup(text: string): (Popup & { navigate(url: string): void }) | undefined {
  const left = Math.max(0, (window.outerWidth - size.width) / 2 + window.screenX)
  const top = Math.max(0, (window.outerHeight - size.height) / 2 + window.screenY)
  const features = `popup,width=${size.width},height=${size.height},left=${left},top=${top}`
  // With `noopener`, the result would always be null: a blocked window could not be detected.
  const opened = window.open('', '_blank', features)
  if (!opened || opened.closed) return undefined
  opened.opener = null
  opened.document.title = text
  opened.document.body.textContent = text
  return {
    get closed() {
      return opened.closed
    },
    close: () => opened.close(),
    focus: () => opened.focus(),
    navigate: (url) => opened.location.replace(url),
  }
}
