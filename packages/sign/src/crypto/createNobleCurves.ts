import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { Curves } from './Curves.ts'

/** Implements the curves with `@noble/curves`, for platforms whose WebCrypto lacks them. */
export function createNobleCurves(): Curves {
  return {
    getPublicKey: async (curve, secret) =>
      (curve === 'X25519' ? x25519 : ed25519).getPublicKey(hexToBytes(secret)),
    async agree(privateKey, peerPublicKey) {
      const secret = x25519.getSharedSecret(hexToBytes(privateKey), hexToBytes(peerPublicKey))
      return hkdf(sha256, secret, undefined, undefined, 32)
    },
    sign: async (seed, message) => ed25519.sign(message, hexToBytes(seed)),
  }
}
