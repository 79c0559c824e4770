import { bytesToHex, hexToBytes } from '@noble/ciphers/utils'
import { CryptoError } from './CryptoError.ts'
import type { Curves } from './Curves.ts'
import { sha256 } from './sha256.ts'

/** X25519, 64 hex each. */
export type KeyPair = { privateKey: string; publicKey: string }

export async function createKeyPair(curves: Curves): Promise<KeyPair> {
  const privateKey = createSymKey()
  return { privateKey, publicKey: bytesToHex(await curves.getPublicKey('X25519', privateKey)) }
}

/** 32 random bytes as 64 hex. */
export function createSymKey(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * The symmetric key two sides share: HKDF-SHA256 of X25519, without salt and info.
 *
 * @param privateKey - own, 64 hex
 * @param peerPublicKey - theirs, 64 hex
 * @throws {CryptoError} when the peer's key is none, or makes a secret everybody knows (all zero).
 * @see contracts/relay.md 4; RFC 7748 §6.1
 */
export async function deriveSymKey(
  curves: Curves,
  privateKey: string,
  peerPublicKey: string,
): Promise<string> {
  try {
    return bytesToHex(await curves.agree(privateKey, peerPublicKey))
  } catch (cause) {
    throw new CryptoError('The key of the other side cannot be used.', 'sign.bad_key', cause)
  }
}

/** The topic of a key: SHA-256 of its bytes. Both 64 hex. */
export async function hashKey(key: string): Promise<string> {
  return bytesToHex(await sha256(toBytes(key)))
}

/** SHA-256 of a text's UTF-8, 64 hex. */
export async function hashMessage(text: string): Promise<string> {
  return bytesToHex(await sha256(new TextEncoder().encode(text)))
}

/** What an attestation is about: the envelope, and the text that was sealed in it. */
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

/** @throws for anything but pairs of hex digits. */
export function toBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hexToBytes(hex))
}
