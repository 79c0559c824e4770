import { bytesToHex } from '@noble/ciphers/utils'
import { createPlatformCurves } from './createPlatformCurves.ts'
import type { Curves } from './Curves.ts'

/** Any secret will do for a try. */
const secret = '01'.repeat(32)

/**
 * The platform's curves where it has both, else those of a library, which is loaded then: on pages
 * without TLS (no `crypto.subtle`) and in engines older than 2025.
 *
 * @param subtle - the platform's unless a test says otherwise
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
      // It does not know one of them, or a way to read it.
    }
  }
  const { createNobleCurves } = await import('./createNobleCurves.ts')
  return createNobleCurves()
}
