import type { VerifyContext } from '../Session.ts'

/** The verify service's client, for both sides. Its methods never reject. @see docs/contracts/verify.md */
export type Verify = {
  /**
   * Requests an attestation for a message that this page sends.
   *
   * @param encryptedId - SHA-256 of the envelope's text, 64 hex digits
   * @param decryptedId - SHA-256 of the decrypted request's JSON text, 64 hex digits
   * @returns a JWT; undefined outside a page, or if the service returns none in time
   */
  attest(parameters: { encryptedId: string; decryptedId: string }): Promise<string | undefined>
  /** @param peerUrl - the sender's `metadata.url` */
  check(parameters: {
    attestation: string | undefined
    encryptedId: string
    decryptedId: string
    peerUrl: string
  }): Promise<VerifyContext>
  /** Loads what `check` needs: code, and the service's public keys. */
  prefetch(): void
  close(): void
}
