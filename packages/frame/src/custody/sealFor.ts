import { base64urlnopad } from '@scure/base'
import { joinSealed, seal, splitSealed, unseal } from './seal.ts'

// Encryption for a public key, structured like HPKE's base mode (RFC 9180): an ephemeral ECDH on P-256, HKDF-SHA-256
// over both public keys, and AES-256-GCM.

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const publicKeyLength = 65
const coordinateLength = 32

/** A private key, 32 bytes, and its public key, uncompressed as base64url. */
export type KeyPair = { bytes: Uint8Array<ArrayBuffer>; publicKey: string }

/** A private key that scripts cannot read. */
export type OpeningKey = { privateKey: CryptoKey; publicKey: string }

/** Creates a random key pair. */
export async function createKeyPair(): Promise<KeyPair> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const { d } = await crypto.subtle.exportKey('jwk', privateKey)
  return { bytes: decode(d!), publicKey: await exportPublicKey(publicKey) }
}

/** Creates a random key that scripts cannot read. */
export async function createOpeningKey(): Promise<OpeningKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  return { privateKey, publicKey: await exportPublicKey(publicKey) }
}

/**
 * Imports a private key.
 *
 * @throws {DOMException} if the public key is not the one of the private key; some browsers notice only when they decrypt.
 */
export async function toOpeningKey({ bytes, publicKey }: KeyPair): Promise<OpeningKey> {
  const point = decode(publicKey)
  const [x, y] = [point.slice(1, 1 + coordinateLength), point.slice(1 + coordinateLength)]
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: base64urlnopad.encode(x),
    y: base64urlnopad.encode(y),
    d: base64urlnopad.encode(bytes),
  }
  const privateKey = await crypto.subtle.importKey('jwk', jwk, curve, false, ['deriveBits'])
  return { privateKey, publicKey }
}

/**
 * Encrypts bytes for a public key.
 *
 * @param context - must be the same to decrypt them.
 * @returns the ephemeral public key, the nonce and the ciphertext, as base64url.
 */
export async function sealFor(
  publicKey: string,
  bytes: Uint8Array<ArrayBuffer>,
  context: string,
): Promise<string> {
  const { privateKey, publicKey: sender } = await createOpeningKey()
  const key = await agree(privateKey, { sender, receiver: publicKey, other: publicKey }, context)
  const sealed = joinSealed(await seal(key, bytes, context))
  return base64urlnopad.encode(new Uint8Array([...decode(sender), ...sealed]))
}

/**
 * Decrypts the result of {@link sealFor}.
 *
 * @throws {DOMException} if the key or the context differs, or the bytes have changed.
 */
export async function open(
  { privateKey, publicKey }: OpeningKey,
  sealed: string,
  context: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = decode(sealed)
  const sender = base64urlnopad.encode(bytes.slice(0, publicKeyLength))
  const key = await agree(privateKey, { sender, receiver: publicKey, other: sender }, context)
  return unseal(key, splitSealed(bytes.slice(publicKeyLength)), context)
}

/** @param keys - the derived key is bound to both public keys; `other` is the one of the other side. */
async function agree(
  privateKey: CryptoKey,
  { sender, receiver, other }: { sender: string; receiver: string; other: string },
  context: string,
): Promise<CryptoKey> {
  const key = await crypto.subtle.importKey('raw', decode(other), curve, false, [])
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: key }, privateKey, 256)
  const secret = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode(`gatefold ${context}|${sender}|${receiver}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

async function exportPublicKey(key: CryptoKey): Promise<string> {
  return base64urlnopad.encode(new Uint8Array(await crypto.subtle.exportKey('raw', key)))
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64urlnopad.decode(text))
}
