import { limits } from '@gatefold/protocol'
import { addressOf, limit, type HttpContext } from '../http/access.ts'
import { json } from './answers.ts'
import type { VerifyService } from './service.ts'

/**
 * `GET /v3/public-key`. Official clients read `publicKey` and `expiresAt` (Unix time in seconds). `keys`
 * contains every published key, including the previous and the next one.
 *
 * @see docs/contracts/verify.md#public-key; RFC 7517 for `keys`
 */
export function getPublicKey({ context, keyring }: VerifyService) {
  return async (c: HttpContext) => {
    const refusal = limit(context, 'address', addressOf(context, c), 1)
    if (refusal) return refusal
    const keys = await keyring.publicKeys()
    const expiresAt = Math.floor(context.now() / 1000) + limits.verifyKeySeconds
    // Not cacheable, because clients must get the new key after a rotation.
    return json({ publicKey: keys[0], expiresAt, keys })
  }
}
