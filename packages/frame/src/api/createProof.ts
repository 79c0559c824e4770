import { base64urlnopad } from '@scure/base'

/** The key of this device: P-256, non-extractable. */
export type DeviceKey = CryptoKeyPair

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

export function createDeviceKey(): Promise<DeviceKey> {
  return crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
}

/**
 * Creates a proof that this device sends a request.
 *
 * @param options.nonce - the server's nonce, if the server requires one.
 * @param options.accessToken - the token that the request uses.
 * @returns the value of the header `DPoP`.
 * @see RFC 9449, section 4.2
 */
export async function createProof(
  key: DeviceKey,
  options: {
    url: string
    nowMs: number
    nonce?: string | undefined
    accessToken?: string | undefined
  },
): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', key.publicKey)
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
  const claims = {
    htm: 'POST',
    htu: options.url,
    iat: Math.floor(options.nowMs / 1000),
    jti: base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(16))),
    ...(options.nonce !== undefined && { nonce: options.nonce }),
    ...(options.accessToken !== undefined && { ath: await hash(options.accessToken) }),
  }
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    key.privateKey,
    new TextEncoder().encode(signed),
  )
  return `${signed}.${base64urlnopad.encode(new Uint8Array(signature))}`
}

function encode(value: unknown): string {
  return base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64urlnopad.encode(new Uint8Array(digest))
}
