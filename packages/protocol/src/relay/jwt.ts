import * as v from 'valibot'
import { fromBase64, toBase64 } from './base64.ts'
import { BaseError } from '../errors.ts'
import { relayClockSkewSeconds, relayJwtMaxSeconds } from '../limits/relay.ts'
import type { RelayRefusal } from './close.ts'
import { fromDidKey, toDidKey } from './didKey.ts'
import { isRelayAudience } from './urls.ts'

const seconds = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Claims of a relay token. Unknown claims are kept, because watch tokens have additional claims. */
export const RelayClaims = v.looseObject({
  /** The client id: the `did:key` of the signing key. */
  iss: v.string(),
  /** Random for each client object, 64 hex digits. */
  sub: v.string(),
  /** The relay URL from the client's configuration. */
  aud: v.string(),
  iat: seconds,
  exp: seconds,
  /** The purpose of the token; official clients in pages omit it. */
  act: v.optional(v.string()),
})

export type RelayClaims = v.InferOutput<typeof RelayClaims>

const Header = v.object({ alg: v.literal('EdDSA'), typ: v.optional(v.literal('JWT')) })

export type RelayJwt = {
  claims: RelayClaims
  /** The issuer's public key, 32 bytes. */
  publicKey: Uint8Array
  /** The signed bytes. */
  signed: Uint8Array
  /** 64 bytes. */
  signature: Uint8Array
}

/** Maximum length of a token, in characters; official tokens have about 392. */
const maxTokenLength = 4_096

/**
 * Parses a token without verifying it.
 *
 * @throws {InvalidJwtError} `jwtInvalid` for any string that is not a relay token.
 * @see docs/contracts/relay.md#token
 */
export function parseRelayJwt(token: string): RelayJwt {
  const [header, payload, signature, ...more] =
    token.length > maxTokenLength ? [] : token.split('.')
  if (!header || !payload || !signature || more.length > 0) throw new InvalidJwtError('jwtInvalid')
  try {
    v.parse(Header, JSON.parse(toText(fromBase64Url(header))))
    const claims = v.parse(RelayClaims, JSON.parse(toText(fromBase64Url(payload))))
    return {
      claims,
      publicKey: fromDidKey(claims.iss),
      signed: new TextEncoder().encode(`${header}.${payload}`),
      signature: fromBase64Url(signature),
    }
  } catch (cause) {
    throw new InvalidJwtError('jwtInvalid', cause)
  }
}

export type VerifyOptions = {
  /** The relay's URLs, or hosts; see {@link isRelayAudience}. */
  audiences: readonly string[]
  /** Unix time in seconds. */
  nowSeconds: number
  /** Verifies Ed25519. Injected, because pages and servers have different implementations. */
  verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean
  /** The required purpose. By default, it must be `client_auth` or missing. */
  act?: string
  /** Maximum accepted lifetime. */
  maxSeconds?: number
}

/**
 * Verifies a token's signature, audience, purpose and times. Tolerates a clock skew of about five minutes.
 *
 * @returns the claims; `iss` is the client id.
 * @throws {InvalidJwtError} whose `refusal` selects the close reason in `relayRefusals`.
 * @see docs/contracts/relay.md#token; docs/threats.md#relay-token
 */
export function verifyRelayJwt(token: string, options: VerifyOptions): RelayClaims {
  const { audiences, nowSeconds, verify, act, maxSeconds = relayJwtMaxSeconds } = options
  const { claims, publicKey, signed, signature } = parseRelayJwt(token)
  const { iat, exp, aud } = claims
  if (signature.length !== 64 || !verify(signature, signed, publicKey))
    throw new InvalidJwtError('jwtInvalid')
  if (!isRelayAudience(aud, audiences)) throw new InvalidJwtError('jwtAudience')
  if (act ? claims.act !== act : (claims.act ?? clientAuth) !== clientAuth)
    throw new InvalidJwtError('jwtInvalid')
  if (iat > nowSeconds + relayClockSkewSeconds) throw new InvalidJwtError('jwtNotYetValid')
  if (exp < nowSeconds - relayClockSkewSeconds) throw new InvalidJwtError('jwtExpired')
  if (exp <= iat || exp - iat > maxSeconds) throw new InvalidJwtError('jwtInvalid')
  return claims
}

/** The purpose of a client's token, if the token has the claim `act`. */
const clientAuth = 'client_auth'

export type SignOptions = {
  /** 32 bytes; its `did:key` becomes the issuer. */
  publicKey: Uint8Array
  /** Ed25519. @returns 64 bytes. */
  sign: (message: Uint8Array) => Uint8Array
  claims: Omit<RelayClaims, 'iss'>
}

/**
 * Signs a relay token.
 *
 * @example
 * signRelayJwt({
 *   publicKey,
 *   sign: (message) => ed25519.sign(message, secretKey),
 *   claims: { sub: randomHex(32), aud: relayUrl, iat, exp: iat + relayJwtSeconds },
 * })
 */
export function signRelayJwt({ publicKey, sign, claims }: SignOptions): string {
  const { signed, finish } = prepareRelayJwt({ publicKey, claims })
  return finish(sign(signed))
}

/**
 * Prepares a relay token for an asynchronous signer.
 *
 * @returns the bytes to sign, and a function that creates the token from the 64-byte signature.
 */
export function prepareRelayJwt({ publicKey, claims }: Omit<SignOptions, 'sign'>): {
  signed: Uint8Array<ArrayBuffer>
  finish: (signature: Uint8Array) => string
} {
  const parts = [
    { alg: 'EdDSA', typ: 'JWT' },
    { iss: toDidKey(publicKey), ...claims },
  ]
  const text = parts.map((part) => toBase64(toBytes(JSON.stringify(part)), 'base64url')).join('.')
  return {
    signed: toBytes(text),
    finish: (signature) => `${text}.${toBase64(signature, 'base64url')}`,
  }
}

function toBytes(text: string) {
  return new TextEncoder().encode(text)
}

function toText(bytes: Uint8Array) {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Unlike `fromBase64`, rejects padding and the characters `+` and `/`. */
function fromBase64Url(text: string) {
  if (!/^[\w-]+$/.test(text)) throw new InvalidJwtError('jwtInvalid')
  return fromBase64(text)
}

/** A relay token is not accepted. */
export class InvalidJwtError extends BaseError {
  override name = 'InvalidJwtError'
  /** The reason, a key of `relayRefusals`. */
  readonly refusal: RelayRefusal
  constructor(refusal: RelayRefusal, cause?: unknown) {
    super('The relay token is not valid.', {
      code: 'relay.invalid_jwt',
      cause,
      metaMessages: [
        refusal === 'jwtNotYetValid' || refusal === 'jwtExpired'
          ? 'The times in the token do not match the clock. Set the clock of this device.'
          : 'It must be an EdDSA token that names this relay’s URL, signed with the key of its issuer.',
      ],
    })
    this.refusal = refusal
  }
}
