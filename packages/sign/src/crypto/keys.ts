import { bytesToHex, hexToBytes } from '@noble/ciphers/utils'
import { CryptoError } from './CryptoError.ts'
import type { Curves } from './Curves.ts'
import { sha256 } from './sha256.ts'

/** An X25519 key pair; each key has 64 hex digits. */
export type KeyPair = { privateKey: string; publicKey: string }

export async function createKeyPair(curves: Curves): Promise<KeyPair> {
  const privateKey = createSymKey()
  return { privateKey, publicKey: bytesToHex(await curves.getPublicKey('X25519', privateKey)) }
}

/** Creates a key of 32 random bytes. @returns 64 hex digits */
export function createSymKey(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * Derives the shared symmetric key: HKDF-SHA256 of the X25519 shared secret, without salt and info.
 *
 * @param privateKey - 64 hex digits
 * @param peerPublicKey - 64 hex digits
 * @throws {CryptoError} if the peer's key is invalid or the shared secret is all zero
 * @see docs/contracts/relay.md#client-messages; RFC 7748 §6.1
 */
export async function deriveSymKey(
  curves: Curves,
  privateKey: string,
  peerPublicKey: string,
): Promise<string> {
  try {
    return bytesToHex(await curves.agree(privateKey, peerPublicKey))
  } catch (cause) {
    throw new CryptoError('The public key of the peer is invalid.', 'sign.bad_key', cause)
  }
}

/** The topic of a key: SHA-256 of its bytes. Key and topic are 64 hex digits. */
export async function hashKey(key: string): Promise<string> {
  return bytesToHex(await sha256(toBytes(key)))
}

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export async function hashMessage(text: string): Promise<string> {
  return bytesToHex(await sha256(new TextEncoder().encode(text)))
}

/** The two hashes that an attestation covers: of the envelope, and of the decrypted text. */
export async function hashSealed(sealed: {
  text: string
  message: string
}): Promise<{ encryptedId: string; decryptedId: string }> {
  const [encryptedId, decryptedId] = await Promise.all([
    hashMessage(sealed.message),
    hashMessage(sealed.text),
  ])
  return { encryptedId, decryptedId }
}

/** @throws if the text does not consist of pairs of hex digits */
export function toBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hexToBytes(hex))
}
