import * as v from 'valibot'
import { fromBase64 } from '@gatefold/protocol/relay'

const Header = v.object({ alg: v.literal('ES256') })

const Claims = v.object({
  /** Unix time in seconds. */
  exp: v.number(),
  /** SHA-256 of the envelope, 64 hex digits. */
  id: v.string(),
  origin: v.string(),
  isScam: v.nullish(v.boolean()),
  isVerified: v.boolean(),
})

export type Attestation = {
  claims: v.InferOutput<typeof Claims>
  /** The bytes that were signed. */
  signed: Uint8Array<ArrayBuffer>
  /** The ECDSA signature over P-256: r and s, 64 bytes. */
  signature: Uint8Array<ArrayBuffer>
}

/** Maximum length of a token that is parsed, in characters; a valid token has about 400. */
const maxLength = 4_096

/**
 * Parses an attestation without verifying it.
 *
 * @returns undefined if it is malformed
 * @see docs/contracts/verify.md
 */
export function readAttestation(token: string): Attestation | undefined {
  const [header, payload, signature, ...more] = token.length > maxLength ? [] : token.split('.')
  if (!header || !payload || !signature || more.length > 0) return undefined
  try {
    if (!v.is(Header, toJson(header))) return undefined
    return {
      claims: v.parse(Claims, toJson(payload)),
      signed: new TextEncoder().encode(`${header}.${payload}`),
      signature: fromBase64(signature),
    }
  } catch {
    // Not base64, not JSON, or a required claim is missing.
    return undefined
  }
}

function toJson(part: string): unknown {
  return JSON.parse(new TextDecoder().decode(fromBase64(part)))
}
