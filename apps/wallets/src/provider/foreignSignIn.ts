import { BaseError, isSignInFor } from '@gatefold/protocol'

/** Matches the first line of a sign-in message. @see EIP-4361 */
const domainLine = /^(\S*) wants you to sign in with your \S+ account:\s*$/gm
const uriLine = /^URI: (.*)$/gm

/**
 * Finds a sign-in for a site other than the one that requests the signature. Recognizes more messages
 * than EIP-4361 allows, because the server that verifies the signature may be lenient too.
 *
 * @param origin - origin of the site that requests the signature
 * @returns the other site's domain; undefined for a sign-in to the requesting site, and for any other
 * message
 */
export function findForeignSignIn(text: string, origin: string): string | undefined {
  const domains = new Set(Array.from(text.matchAll(domainLine), ([, domain = '']) => domain))
  if (domains.size === 0) return undefined
  const uris = new Set(Array.from(text.matchAll(uriLine), ([, uri = '']) => uri))
  // Checks domains and URIs separately, because the page can send thousands of both.
  const own = { domain: URL.canParse(origin) ? new URL(origin).host : '', uri: origin }
  const isForeign = (part: Partial<typeof own>) => !isSignInFor(origin, { ...own, ...part })
  const hasForeignUri = uris.size === 0 || [...uris].some((uri) => isForeign({ uri }))
  return [...domains].find((domain) => hasForeignUri || isForeign({ domain }))
}

/** A site requested a sign-in for another site, which the wallet blocked. */
export class ForeignSignInError extends BaseError {
  override name = 'ForeignSignInError'

  constructor(origin: string, domain: string) {
    super(`${origin} requested a sign-in for ${domain}. It was blocked.`, {
      code: 'wallet.foreign_sign_in',
    })
  }
}
