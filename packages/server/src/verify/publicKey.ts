import { limits } from '@gatefold/protocol'
import { addressOf, limit, type HttpContext } from '../http/access.ts'
import { json } from './answers.ts'
import type { VerifyService } from './service.ts'

/**
 * `GET /v3/public-key`. Official clients read `publicKey` and `expiresAt` (seconds); `keys` holds
 * every key whose attestations are good, the one before and the next included.
 *
 * @see contract of the relay, 6; RFC 7517 for `keys`
 */
export function getPublicKey({ context, keyring }: VerifyService) {
  return async (c: HttpContext) => {
    const refusal = limit(context, 'address', addressOf(context, c), 1)
    if (refusal) return refusal
    const keys = await keyring.publicKeys()
    const expiresAt = Math.floor(context.now() / 1000) + limits.verifyKeySeconds
    // Not kept by a cache on the way: after a change of keys, clients ask again to see the new one.
    return json({ publicKey: keys[0], expiresAt, keys })
  }
}
