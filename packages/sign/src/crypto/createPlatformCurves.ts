import { fromBase64 } from '@gatefold/protocol/relay'
import type { Curve, Curves } from './Curves.ts'
import { toBytes } from './keys.ts'

/** The PKCS #8 prefix of a 32-byte secret. @see RFC 8410 §7, §10.3 */
const prefixes = {
  X25519: '302e020100300506032b656e04220420',
  Ed25519: '302e020100300506032b657004220420',
} as const satisfies Record<Curve, string>

/** Implements the curves with WebCrypto. Methods reject if a curve is not supported. */
export function createPlatformCurves(subtle: SubtleCrypto): Curves {
  const readSecret = (curve: Curve, secret: string, use: 'deriveBits' | 'sign') =>
    subtle.importKey('pkcs8', toBytes(prefixes[curve] + secret), curve, true, [use])

  return {
    async getPublicKey(curve, secret) {
      const key = await readSecret(curve, secret, curve === 'Ed25519' ? 'sign' : 'deriveBits')
      // JWK is the only format that exports a private key together with its public key.
      const { x = '' } = await subtle.exportKey('jwk', key)
      return fromBase64(x)
    },
    async agree(privateKey, peerPublicKey) {
      const [own, peer] = await Promise.all([
        readSecret('X25519', privateKey, 'deriveBits'),
        subtle.importKey('raw', toBytes(peerPublicKey), 'X25519', false, []),
      ])
      const secret = await subtle.deriveBits({ name: 'X25519', public: peer }, own, 256)
      // WebCrypto must reject an all-zero secret; early implementations did not. RFC 7748 §6.1
      if (new Uint8Array(secret).every((byte) => byte === 0))
        throw new Error('The shared secret is all zeros.')
      const input = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
      const none = new Uint8Array()
      const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: none, info: none }
      return new Uint8Array(await subtle.deriveBits(hkdf, input, 256))
    },
    async sign(seed, message) {
      const key = await readSecret('Ed25519', seed, 'sign')
      return new Uint8Array(await subtle.sign('Ed25519', key, message))
    },
  }
}
