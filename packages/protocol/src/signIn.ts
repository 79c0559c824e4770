/** Whether a text has no control characters or line separators, so that it cannot add a line to a sign-in message. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/**
 * Whether a sign-in message (CAIP-122, EIP-4361) is for the page that requests it.
 *
 * @param page - a URL of the page, such as its origin
 * @param signIn.domain - an authority, with a port unless it is the default one; EIP-4361 allows a scheme
 * @param signIn.uri - a URL; its path is ignored
 */
export function isSignInFor(
  page: string,
  { domain, uri }: { domain: string; uri: string },
): boolean {
  const origin = originOf(page)
  if (origin === undefined) return false
  const { scheme = new URL(page).protocol, authority = '' } =
    /^(?:(?<scheme>[a-z][a-z0-9+.-]*:)\/\/)?(?<authority>[^\s/\\?#@]+)$/i.exec(domain)?.groups ?? {}
  // `URL` ignores line breaks.
  if (!isOneLine(uri)) return false
  return originOf(`${scheme}//${authority}`) === origin && originOf(uri) === origin
}

/** @returns undefined for an invalid URL or one without an origin, such as `did:key:…` */
function originOf(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null'
  return origin === 'null' ? undefined : origin
}
