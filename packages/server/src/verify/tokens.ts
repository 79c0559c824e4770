import { limits } from '@gatefold/protocol'
import { jwtVerify, SignJWT, errors } from 'jose'
import * as v from 'valibot'
import type { Keyring } from './createKeyring.ts'

/** The claims of an attestation. @see docs/contracts/verify.md#attestation */
export type AttestationClaims = {
  /** SHA-256 of the encrypted message, 64 hex digits. */
  id: string
  origin: string
  isScam: boolean
  isVerified: boolean
}

/** Signs an attestation as a JWT with ES256. It expires after five minutes. */
export async function signAttestation(keyring: Keyring, claims: AttestationClaims, now: number) {
  return new SignJWT({ exp: Math.floor(now / 1000) + limits.verifyAttestationSeconds, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .sign(await keyring.signingKey())
}

/** A SHA-256 as 64 lower-case hex digits. */
export const Hash = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'),
)

/** The parameters of a request for an attestation page. Only that page receives and returns the ticket. */
const Ticket = v.object({
  projectId: v.string(),
  /** Unique, because a ticket can be used only once. */
  jti: v.string(),
  /** Whether a browser requested the page for a frame. */
  isFramed: v.boolean(),
  id: Hash,
  decryptedId: v.optional(Hash),
  /** The origin that the client claims. */
  origin: v.string(),
  /** Origin of the `Referer` of the request for the page; empty if it is not a URL. */
  referrer: v.optional(v.string()),
})

export type Ticket = v.InferOutput<typeof Ticket>

/** Signs the ticket of one attestation page. */
export function signTicket(keyring: Keyring, ticket: Ticket, now: number): Promise<string> {
  return signSecret(keyring, 'attestation', ticket, now, limits.verifyAttestationSeconds)
}

/** @returns `undefined` for an expired token or one that this service did not sign. */
export function readTicket(keyring: Keyring, token: string, now: number) {
  return readSecret(keyring, 'attestation', Ticket, token, now)
}

const Csrf = v.object({ projectId: v.string() })

/** Signs the token of an enclave page. It is valid for an hour, because the page stays open. */
export function signCsrf(keyring: Keyring, projectId: string, now: number): Promise<string> {
  return signSecret(keyring, 'enclave', { projectId }, now, limits.verifyCsrfSeconds)
}

/** @returns `undefined` for an expired token or one that this service did not sign. */
export function readCsrf(keyring: Keyring, token: string, now: number) {
  return readSecret(keyring, 'enclave', Csrf, token, now)
}

async function signSecret(
  keyring: Keyring,
  audience: string,
  claims: Record<string, unknown>,
  now: number,
  seconds: number,
) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(audience)
    .setExpirationTime(Math.floor(now / 1000) + seconds)
    .sign(await keyring.secret())
}

async function readSecret<Schema extends v.GenericSchema>(
  keyring: Keyring,
  audience: string,
  schema: Schema,
  token: string,
  now: number,
): Promise<v.InferOutput<Schema> | undefined> {
  const secret = await keyring.secret()
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      audience,
      currentDate: new Date(now),
      requiredClaims: ['exp'],
    })
    return v.parse(schema, payload)
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof v.ValiError) return undefined
    throw error
  }
}
