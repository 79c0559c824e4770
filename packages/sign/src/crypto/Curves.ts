/**
 * The protocol's curves: X25519 for key agreement, Ed25519 for the client's identity. Secrets are
 * 32 bytes in 64 hex digits, the format in which official clients store them.
 *
 * @see docs/adr/0005-prefer-webcrypto-curves.md
 */
export type Curves = {
  /** @returns 32 bytes. */
  getPublicKey(curve: Curve, secret: string): Promise<Uint8Array>
  /**
   * HKDF-SHA256 of the X25519 shared secret, without salt and info.
   *
   * @param peerPublicKey - 64 hex digits
   * @returns 32 bytes; rejects if the shared secret is all zero
   */
  agree(privateKey: string, peerPublicKey: string): Promise<Uint8Array>
  /** @returns an Ed25519 signature of 64 bytes */
  sign(seed: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

export type Curve = 'X25519' | 'Ed25519'
