import type { VerifyContext } from '../Session.ts'

/** The verify context of an unverified sender. @param peerUrl - the sender's `metadata.url` */
export function unknownContext(peerUrl: string, verifyUrl = ''): VerifyContext {
  return { verified: { verifyUrl, validation: 'UNKNOWN', origin: peerUrl } }
}
