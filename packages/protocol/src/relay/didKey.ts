import { BaseError } from '../errors.ts'

/** Multicodec prefix of an Ed25519 public key. */
const ed25519Prefix = [0xed, 0x01] as const
const keyLength = 32

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Formats an Ed25519 public key as a client id, `did:key:z6Mk…`.
 *
 * @param publicKey - 32 bytes.
 * @see https://w3c-ccg.github.io/did-key-spec/#ed25519-x25519
 */
export function toDidKey(publicKey: Uint8Array): string {
  return `did:key:z${toBase58([...ed25519Prefix, ...publicKey])}`
}

/**
 * Parses a client id.
 *
 * @returns the 32-byte Ed25519 public key.
 * @throws {InvalidDidKeyError} for any other kind of key or string, and for a non-canonical encoding.
 */
export function fromDidKey(text: string): Uint8Array {
  const encoded = /^did:key:z([1-9A-HJ-NP-Za-km-z]{40,60})$/.exec(text)?.[1]
  const bytes = encoded ? fromBase58(encoded) : undefined
  const isKey =
    bytes?.length === ed25519Prefix.length + keyLength &&
    ed25519Prefix.every((byte, index) => bytes[index] === byte)
  if (!isKey || toBase58(bytes) !== encoded) throw new InvalidDidKeyError()
  return Uint8Array.from(bytes.slice(ed25519Prefix.length))
}

// The first byte is always that of the prefix, so the base58 rule for leading zero bytes is not needed.

function toBase58(bytes: readonly number[]): string {
  let rest = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet.charAt(Number(rest % 58n)) + text
  return text
}

function fromBase58(text: string): number[] {
  let rest = Array.from(text).reduce(
    (value, char) => value * 58n + BigInt(alphabet.indexOf(char)),
    0n,
  )
  const bytes: number[] = []
  for (; rest > 0n; rest /= 256n) bytes.unshift(Number(rest % 256n))
  return bytes
}

export class InvalidDidKeyError extends BaseError {
  override name = 'InvalidDidKeyError'
  constructor() {
    super('The client id is not the did:key of an Ed25519 key.', {
      code: 'relay.invalid_did_key',
      metaMessages: ['Expected “did:key:z6Mk…” with a 32-byte public key.'],
    })
  }
}
