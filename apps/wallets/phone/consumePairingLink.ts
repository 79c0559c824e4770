/**
 * Returns the pairing link that opened this page (`/wc?uri=…`, `/?uri=…`) and removes it from the
 * address bar. The link contains a symmetric key that must not stay in the history.
 *
 * @returns the link; undefined if the page was opened without a pairing link
 */
export function consumePairingLink(): string | undefined {
  const { href, search, hash } = window.location
  if (!new URLSearchParams(search).has('uri')) return undefined
  window.history.replaceState(null, '', `/${hash}`)
  return href
}
