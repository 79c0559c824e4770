import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/ciphers/utils'
import { sha256 } from '@noble/hashes/sha2'
import { CryptoError } from './CryptoError.ts'
import type { Curves } from './Curves.ts'

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
export function hashKey(key: string): string {
  return bytesToHex(sha256(hexToBytes(key)))
}

/** SHA-256 of a text's UTF-8, 64 hex. */
export function hashMessage(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** @throws for anything but pairs of hex digits. */
export function toBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hexToBytes(hex))
}
