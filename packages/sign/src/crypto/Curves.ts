/**
 * The curves of the protocol: X25519 for key agreement, Ed25519 for the client's identity. Secrets are
 * 32 bytes as 64 hex, as official clients store them.
 *
 * @see docs/adr/0005-prefer-webcrypto-curves.md
 */
export type Curves = {
  /** @returns 32 bytes. */
  getPublicKey(curve: Curve, secret: string): Promise<Uint8Array>
  /**
   * HKDF-SHA256 of X25519, without salt and info.
   *
   * @param peerPublicKey - theirs, 64 hex
   * @returns 32 bytes; rejects if the shared secret is all zero
   */
  agree(privateKey: string, peerPublicKey: string): Promise<Uint8Array>
  /** @returns 64 bytes of Ed25519. */
  sign(seed: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

export type Curve = 'X25519' | 'Ed25519'
