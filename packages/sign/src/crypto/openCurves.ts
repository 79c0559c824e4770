import { bytesToHex } from '@noble/ciphers/utils'
import { createPlatformCurves } from './createPlatformCurves.ts'
import type { Curves } from './Curves.ts'

/** The secret key for the feature test. */
const secret = '01'.repeat(32)

/**
 * Uses WebCrypto's curves if it supports both. Otherwise loads a library: on pages without TLS, which have
 * no `crypto.subtle`, and in engines older than 2025.
 *
 * @param subtle - replaced in tests
 */
export async function openCurves(
  subtle: SubtleCrypto | undefined = globalThis.crypto.subtle,
): Promise<Curves> {
  if (subtle) {
    const curves = createPlatformCurves(subtle)
    try {
      const [, publicKey] = await Promise.all([
        curves.sign(secret, new Uint8Array()),
        curves.getPublicKey('X25519', secret),
        curves.getPublicKey('Ed25519', secret),
      ])
      await curves.agree(secret, bytesToHex(publicKey))
      return curves
    } catch {
      // One of the curves or key formats is not supported.
    }
  }
  const { createNobleCurves } = await import('./createNobleCurves.ts')
  return createNobleCurves()
}
