import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Ceremony = {
  /** base64url */
  challenge: string
  /** Origin of the document. */
  origin: string
  /** The page that embeds it. */
  topOrigin?: string
  /** Whether the authenticator verified its user; true by default. */
  isVerified?: boolean
  /** How many signatures the authenticator has counted; 0 by default, as for passkeys that are copied to several devices. */
  counter?: number
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/**
 * Creates a passkey as an authenticator does, for responses that no browser
 * would return.
 *
 * @see WebAuthn Level 3, section 6.1
 */
export function createTestPasskey(rpId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)

  const common = {
    id: encode(id),
    rawId: encode(id),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }

  function toClientData(type: string, { challenge, origin, topOrigin }: Ceremony): Buffer {
    const embedding = topOrigin === undefined ? {} : { crossOrigin: true, topOrigin }
    return Buffer.from(JSON.stringify({ type, challenge, origin, ...embedding }))
  }

  function toAuthenticatorData(
    { isVerified = true, counter = 0 }: Ceremony,
    attested?: Buffer,
  ): Buffer {
    // User present, user verified, attested credential data.
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([flags]),
      count,
      ...(attested ? [attested] : []),
    ])
  }

  return {
    /** The response of `navigator.credentials.create`. */
    create(ceremony: Ceremony) {
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
        ]),
      )
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, key])
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(toAuthenticatorData(ceremony, attested))],
        ]) as never,
      )
      const clientData = toClientData('webauthn.create', ceremony)
      return {
        ...common,
        response: {
          clientDataJSON: encode(clientData),
          attestationObject: encode(attestationObject),
        },
      }
    },
    /** The response of `navigator.credentials.get`. */
    get(ceremony: Ceremony) {
      const clientData = toClientData('webauthn.get', ceremony)
      const data = toAuthenticatorData(ceremony)
      const signed = Buffer.concat([data, sha256(clientData)])
      return {
        ...common,
        response: {
          clientDataJSON: encode(clientData),
          authenticatorData: encode(data),
          signature: encode(sign('sha256', signed, privateKey)),
        },
      }
    },
  }
}
