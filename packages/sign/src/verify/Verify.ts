import type { VerifyContext } from '../Session.ts'

/** Client of the verify service, for both sides. It never rejects. @see docs/contracts/verify.md */
export type Verify = {
  /**
   * Requests an attestation of the page that sends a message.
   *
   * @param encryptedId - sha256 of the envelope's text, 64 hex
   * @param decryptedId - sha256 of the inner request's JSON text, 64 hex
   * @returns a JWT; undefined outside a page, or if the service does not respond
   */
  attest(parameters: { encryptedId: string; decryptedId: string }): Promise<string | undefined>
  /** @param peerUrl - `metadata.url` of the sender */
  check(parameters: {
    attestation: string | undefined
    encryptedId: string
    decryptedId: string
    peerUrl: string
  }): Promise<VerifyContext>
  /** Loads the code and the service's public keys that `check` needs. */
  prefetch(): void
  close(): void
}
