/**
 * Takes the link an app opened the wallet with (`/wc?uri=…`, `/?uri=…`) out of the page's address: it
 * holds a key, which a history or a reload must not keep.
 *
 * @returns undefined where there is none
 */
export function takeLink(): string | undefined {
  const { href, search, hash } = window.location
  if (!new URLSearchParams(search).has('uri')) return undefined
  window.history.replaceState(null, '', `/${hash}`)
  return href
}
