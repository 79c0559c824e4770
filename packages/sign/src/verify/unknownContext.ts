import type { VerifyContext } from '../Session.ts'

/** Nothing is known of who sent this, but what it says of itself. @param peerUrl - `metadata.url` */
export function unknownContext(peerUrl: string, verifyUrl = ''): VerifyContext {
  return { verified: { verifyUrl, validation: 'UNKNOWN', origin: peerUrl } }
}
