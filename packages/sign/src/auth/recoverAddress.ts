import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/curves/utils.js'
import * as Address from 'ox/Address'
import type * as Hex from 'ox/Hex'
import * as PublicKey from 'ox/PublicKey'
import * as Signature from 'ox/Signature'

/**
 * The address of the key that signed a hash.
 *
 * @param payload - the signed hash, 32 bytes
 * @param signature - 65 bytes
 * @returns the address in lower case; undefined if no key has this signature
 */
export function recoverAddress(payload: Hex.Hex, signature: Hex.Hex): string | undefined {
  try {
    const { r, s, yParity } = Signature.fromHex(signature)
    const point = new secp256k1.Signature(r, s, yParity).recoverPublicKey(
      hexToBytes(payload.slice(2)),
    )
    return Address.fromPublicKey(PublicKey.from(`0x${point.toHex(false)}`)).toLowerCase()
  } catch {
    return undefined
  }
}
