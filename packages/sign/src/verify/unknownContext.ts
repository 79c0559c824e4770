import type { VerifyContext } from '../Session.ts'

/** The context of an unverified sender. @param peerUrl - its `metadata.url` */
export function unknownContext(peerUrl: string, verifyUrl = ''): VerifyContext {
  return { verified: { verifyUrl, validation: 'UNKNOWN', origin: peerUrl } }
}
