import type { HttpContext } from '../http/access.ts'

/**
 * Whether a browser requested the page for a frame. Scripts in a browser cannot set the `Sec-Fetch-*` headers.
 * Other programs can, so an attestation is only a hint.
 *
 * @see W3C Fetch Metadata; docs/threats.md#forged-attestation
 */
export function isFrameRequest(c: HttpContext): boolean {
  const sent = (name: string) => c.req.header(`sec-fetch-${name}`) ?? ''
  return (
    sent('dest') === 'iframe' &&
    sent('mode') === 'navigate' &&
    ['cross-site', 'same-site', 'same-origin'].includes(sent('site'))
  )
}

/** Whether a browser sent the request from a page of this service. */
export function isOwnPageRequest(c: HttpContext): boolean {
  const { origin, referer, 'sec-fetch-site': site, 'sec-fetch-dest': dest } = c.req.header()
  return (
    site === 'same-origin' &&
    dest === 'empty' &&
    Boolean(origin) &&
    (referer === undefined || URL.parse(referer)?.origin === origin)
  )
}
