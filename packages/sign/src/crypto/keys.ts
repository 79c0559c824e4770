import { x25519 } from '@noble/curves/ed25519'
import { hkdf } from '@noble/hashes/hkdf'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils'
import { CryptoError } from './CryptoError.ts'

/** X25519, 64 hex each. */
export type KeyPair = { privateKey: string; publicKey: string }

export function createKeyPair(): KeyPair {
  const privateKey = randomBytes(32)
  return {
    privateKey: bytesToHex(privateKey),
    publicKey: bytesToHex(x25519.getPublicKey(privateKey)),
  }
}

/** 32 random bytes as 64 hex. */
export function createSymKey(): string {
  return bytesToHex(randomBytes(32))
}

/**
 * The symmetric key two sides share: HKDF-SHA256 of X25519, without salt and info.
 *
 * @param privateKey - own, 64 hex
 * @param peerPublicKey - theirs, 64 hex
 * @throws {CryptoError} when the peer's key is none, or makes a secret everybody knows (all zero).
 * @see contracts/relay.md 4; RFC 7748 §6.1
 */
export function deriveSymKey(privateKey: string, peerPublicKey: string): string {
  try {
    const secret = x25519.getSharedSecret(hexToBytes(privateKey), hexToBytes(peerPublicKey))
    return bytesToHex(hkdf(sha256, secret, undefined, undefined, 32))
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
