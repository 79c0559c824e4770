import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from 'jose'
import * as v from 'valibot'
import { FrameError } from './FrameError.ts'
import type { Keys } from './createKeys.ts'

/** How long a nonce is valid. */
const nonceMs = 60_000
/** Maximum length of a proof, in characters. One with all claims has about 600. */
const maxProofLength = 2_048

const Claims = v.object({
  htm: v.string(),
  htu: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
  nonce: v.optional(v.string()),
  ath: v.optional(v.string()),
})

const Key = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.pipe(v.string(), v.length(43)),
  y: v.pipe(v.string(), v.length(43)),
})

/** Services for checking a proof. */
export type ProofContext = {
  keys: Pick<Keys, 'mac' | 'macs'>
  now: () => number
  /** Marks an id as used. @returns false if it was used before. */
  markUsed: (id: string, expiresAt: number) => Promise<boolean>
}

/**
 * Checks the proof of possession of a device key, and marks it as used.
 *
 * @param expected.accessToken - the token that the proof must name; `undefined` if the request has none.
 * @param expected.needsNonce - whether the proof must have a nonce of this server.
 * @returns the id of the device: the thumbprint of its key.
 * @throws {FrameError} 401 with the code `invalid_dpop_proof` or `use_dpop_nonce`.
 * @see RFC 9449, sections 4.3 and 8; docs/threats.md#stolen-tokens
 */
export async function checkProof(
  context: ProofContext,
  proof: string | undefined,
  expected: { url: string; accessToken: string | undefined; needsNonce: boolean },
): Promise<string> {
  const { now, markUsed } = context
  const { claims, jwk } = await readProof(proof)
  if (claims.htm !== 'POST' || claims.htu !== expected.url)
    throw refuseProof('is for another request')
  if (Math.abs(now() / 1000 - claims.iat) > limits.proofSkewSeconds)
    throw refuseProof('is too old, or the clocks differ')
  const ath = expected.accessToken && hash('sha256', expected.accessToken, 'base64url')
  if (claims.ath !== ath) throw refuseProof('is for another access token')
  const deviceId = await calculateJwkThumbprint(jwk)
  if (expected.needsNonce) await spendNonce(context, claims.nonce)
  const id = hash('sha256', `${deviceId} ${claims.jti}`, 'base64url')
  // A proof's time may be this far in the past or in the future.
  const expiresAt = now() + 2 * limits.proofSkewSeconds * 1000
  if (!(await markUsed(`proof:${id}`, expiresAt))) throw refuseProof('was used before')
  return deviceId
}

async function readProof(proof: string | undefined) {
  if (proof === undefined) throw refuseProof('is missing')
  if (proof.length > maxProofLength) throw refuseProof('is too long')
  try {
    const { payload } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: ['ES256'],
    })
    // Strict, so that a proof with a private key is refused.
    const jwk = v.parse(Key, decodeProtectedHeader(proof).jwk)
    return { claims: v.parse(Claims, payload), jwk }
  } catch {
    throw refuseProof('is not a signed proof of possession (RFC 9449)')
  }
}

function refuseProof(problem: string) {
  const description = `the DPoP proof ${problem}`
  return new FrameError(
    401,
    { field: 'dpop', description, code: 'invalid_dpop_proof' },
    { 'www-authenticate': 'DPoP error="invalid_dpop_proof", algs="ES256"' },
  )
}

/**
 * Creates a nonce from a time, random bytes and their HMAC, so that only used
 * nonces are stored.
 *
 * @see RFC 9449, section 8
 */
export function createNonce({ keys, now }: Pick<ProofContext, 'keys' | 'now'>): string {
  const text = `${now().toString(36)}.${randomBytes(12).toString('base64url')}`
  return `${text}.${keys.mac('nonce', text)}`
}

async function spendNonce(context: ProofContext, nonce: string | undefined) {
  const { keys, now, markUsed } = context
  const [time = '', random = '', mac = ''] = nonce?.split('.') ?? []
  const isOurs = keys.macs('nonce', `${time}.${random}`).some((own) => isEqual(own, mac))
  const age = now() - Number.parseInt(time, 36)
  // The clocks of two processes may differ by a second.
  const isFresh = age > -1_000 && age <= nonceMs
  if (isOurs && isFresh && (await markUsed(`nonce:${random}`, now() + nonceMs + 1_000))) return
  throw new FrameError(
    401,
    { field: 'dpop', description: 'the proof needs a new nonce', code: 'use_dpop_nonce' },
    {
      'dpop-nonce': createNonce(context),
      'www-authenticate': 'DPoP error="use_dpop_nonce", algs="ES256"',
    },
  )
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
