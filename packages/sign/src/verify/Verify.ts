import type { VerifyContext } from '../Session.ts'

/** The verify service as both sides use it. Nothing here ever rejects. @see contracts/relay.md 6 */
export type Verify = {
  /**
   * Asks the service to attest which page sends a message.
   *
   * @param encryptedId - sha256 of the envelope's text, 64 hex
   * @param decryptedId - sha256 of the inner request's JSON text, 64 hex
   * @returns a JWT, or undefined outside a page and when the service does not answer
   */
  attest(parameters: { encryptedId: string; decryptedId: string }): Promise<string | undefined>
  /** @param peerUrl - `metadata.url` of the sender */
  check(parameters: {
    attestation: string | undefined
    encryptedId: string
    decryptedId: string
    peerUrl: string
  }): Promise<VerifyContext>
  /** Loads what checking needs, keys of the service included, so that a check does not wait for it. */
  prepare(): void
  close(): void
}
