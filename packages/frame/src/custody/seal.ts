/** Bytes that are encrypted with AES-256-GCM. */
export type Sealed = { nonce: Uint8Array<ArrayBuffer>; data: Uint8Array<ArrayBuffer> }

/** Creates a non-extractable AES-256-GCM key. */
export function createSealingKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Imports 32 bytes as a non-extractable AES-256-GCM key. */
export function toSealingKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Encrypts bytes with a random nonce. @param context - must be the same to decrypt them. */
export async function seal(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  context: string,
): Promise<Sealed> {
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = new TextEncoder().encode(context)
  const data = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData },
    key,
    bytes,
  )
  return { nonce, data: new Uint8Array(data) }
}

/**
 * Decrypts bytes. @throws if the key or the context differs, or the bytes have
 * changed.
 */
export async function unseal(
  key: CryptoKey,
  { nonce, data }: Sealed,
  context: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const additionalData = new TextEncoder().encode(context)
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, data),
  )
}

/** Nonce and data as one value, for the server. */
export function joinSealed({ nonce, data }: Sealed): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(nonce.length + data.length)
  joined.set(nonce)
  joined.set(data, nonce.length)
  return joined
}

export function splitSealed(bytes: Uint8Array<ArrayBuffer>): Sealed {
  return { nonce: bytes.slice(0, 12), data: bytes.slice(12) }
}
