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
  const domains = Array.from(text.matchAll(domainLine), ([, domain = '']) => domain)
  const uris = Array.from(text.matchAll(uriLine), ([, uri = '']) => uri)
  for (const domain of domains)
    for (const uri of uris.length > 0 ? uris : [''])
      if (!isSignInFor(origin, { domain, uri })) return domain
  return undefined
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
