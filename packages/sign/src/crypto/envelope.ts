import { chacha20poly1305 } from '@noble/ciphers/chacha'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/ciphers/utils'
import { fromBase64, toBase64 } from '@gatefold/protocol/relay'
import { CryptoError } from './CryptoError.ts'

/**
 * A message's envelope. Type 0: both sides know the key. Type 1: the envelope also contains the
 * sender's public key. Type 2: not encrypted; only in link mode.
 *
 * @see docs/contracts/relay.md#envelopes
 */
export type Envelope =
  | { type: 0; iv: Uint8Array; box: Uint8Array }
  | { type: 1; senderPublicKey: string; iv: Uint8Array; box: Uint8Array }
  | { type: 2; text: string }

/** `base64` for a relay, `base64url` for a link. */
export type Alphabet = 'base64' | 'base64url'

const keyLength = 32
const ivLength = 12
const tagLength = 16

/**
 * Encrypts with ChaCha20-Poly1305.
 *
 * @param options.symKey - 64 hex digits
 * @param options.senderPublicKey - 64 hex digits; if set, the envelope has type 1
 * @param options.iv - 12 bytes, random by default. Reusing an IV with the same key breaks the encryption.
 */
export function seal(options: {
  text: string
  symKey: string
  senderPublicKey?: string | undefined
  alphabet?: Alphabet | undefined
  iv?: Uint8Array | undefined
}): string {
  const { text, symKey, senderPublicKey, alphabet, iv } = options
  const nonce = iv ?? crypto.getRandomValues(new Uint8Array(ivLength))
  const box = chacha20poly1305(hexToBytes(symKey), nonce).encrypt(utf8ToBytes(text))
  const head = senderPublicKey
    ? concatBytes(Uint8Array.of(1), hexToBytes(senderPublicKey))
    : Uint8Array.of(0)
  return toBase64(concatBytes(head, nonce, box), alphabet)
}

/** Formats an envelope of type 2, which is not encrypted. */
export function wrapPlain(text: string, alphabet: Alphabet = 'base64url'): string {
  return toBase64(concatBytes(Uint8Array.of(2), utf8ToBytes(text)), alphabet)
}

/**
 * Parses an envelope in either alphabet.
 *
 * @throws {CryptoError} for an unknown type or malformed text
 */
export function parseEnvelope(encoded: string): Envelope {
  const bytes = toBytes(encoded)
  const type = bytes[0]
  if (type === 2) return { type, text: toText(bytes.subarray(1)) }
  if (type !== 0 && type !== 1)
    throw new CryptoError('The message has an unknown envelope type.', 'sign.unknown_envelope')
  const start = type === 0 ? 1 : 1 + keyLength
  if (bytes.length < start + ivLength + tagLength) throw unreadable()
  const iv = bytes.subarray(start, start + ivLength)
  const box = bytes.subarray(start + ivLength)
  return type === 0
    ? { type, iv, box }
    : { type, senderPublicKey: bytesToHex(bytes.subarray(1, start)), iv, box }
}

/**
 * Decrypts a parsed envelope.
 *
 * @param symKey - 64 hex digits
 * @throws {CryptoError} if the key is wrong or the box was modified
 */
export function unseal({ iv, box }: { iv: Uint8Array; box: Uint8Array }, symKey: string): string {
  let bytes: Uint8Array
  try {
    bytes = chacha20poly1305(hexToBytes(symKey), iv).decrypt(box)
  } catch (cause) {
    throw unreadable(cause)
  }
  return toText(bytes)
}

function toBytes(encoded: string) {
  try {
    return fromBase64(encoded)
  } catch (cause) {
    throw unreadable(cause)
  }
}

function toText(bytes: Uint8Array) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause?: unknown) {
  return new CryptoError('The message cannot be decrypted.', 'sign.unreadable_envelope', cause)
}
