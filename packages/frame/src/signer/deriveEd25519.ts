import { hmac } from '@noble/hashes/hmac'
import { sha512 } from '@noble/hashes/sha2'

/**
 * Derives an Ed25519 key from a seed. All levels of the path are hardened, as the standard requires for this curve.
 *
 * @param path - the indexes without the apostrophes, such as `[44, 501, 0, 0]`.
 * @returns 32 bytes, which the caller must overwrite.
 * @see SLIP-0010
 */
export function deriveEd25519(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = hmac(sha512, new TextEncoder().encode('ed25519 seed'), seed)
  for (const index of path) {
    const data = new Uint8Array(37)
    data.set(node.subarray(0, 32), 1)
    new DataView(data.buffer).setUint32(33, index + 0x80000000)
    const child = hmac(sha512, node.subarray(32), data)
    data.fill(0)
    node.fill(0)
    node = child
  }
  const key = node.slice(0, 32)
  node.fill(0)
  return key
}
