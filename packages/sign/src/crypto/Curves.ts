/**
 * The two curves of the protocol: X25519 for agreeing on keys, Ed25519 for the client's own. Secrets
 * are 32 bytes as 64 hex, as official clients store them.
 *
 * @see docs/adr/0005-the-platforms-curves-first.md
 */
export type Curves = {
  /** @returns 32 bytes. */
  getPublicKey(curve: Curve, secret: string): Promise<Uint8Array>
  /**
   * HKDF-SHA256 of X25519, without salt and info.
   *
   * @param peerPublicKey - theirs, 64 hex
   * @returns 32 bytes; rejects when the secret that is shared would be all zero.
   */
  agree(privateKey: string, peerPublicKey: string): Promise<Uint8Array>
  /** @returns 64 bytes of Ed25519. */
  sign(seed: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
}

export type Curve = 'X25519' | 'Ed25519'
