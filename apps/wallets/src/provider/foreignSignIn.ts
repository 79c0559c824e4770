import { BaseError, isSignInFor } from '@gatefold/protocol'

/** The first line and the URI of a sign-in text. @see EIP-4361 */
const domainLine = /^(\S*) wants you to sign in with your \S+ account:\s*$/gm
const uriLine = /^URI: (.*)$/gm

/**
 * Finds a sign-in for another site than the one that requests the signature. Reads more texts as sign-ins
 * than EIP-4361 allows: the server that checks the signature may be lenient too.
 *
 * @param origin - of the requesting page
 * @returns the other site; undefined for a sign-in of the page, and for any other text
 */
export function findForeignSignIn(text: string, origin: string): string | undefined {
  const domains = Array.from(text.matchAll(domainLine), ([, domain = '']) => domain)
  const uris = Array.from(text.matchAll(uriLine), ([, uri = '']) => uri)
  for (const domain of domains)
    for (const uri of uris.length > 0 ? uris : [''])
      if (!isSignInFor(origin, { domain, uri })) return domain
  return undefined
}

/** The wallet does not sign in to a site that another site names. */
export class ForeignSignInError extends BaseError {
  override name = 'ForeignSignInError'

  constructor(origin: string, domain: string) {
    super(`${origin} requested a sign-in for ${domain}. It was blocked.`, {
      code: 'wallet.foreign_sign_in',
    })
  }
}
