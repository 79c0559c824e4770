/** SHA-256 by WebCrypto, or by a lazily loaded library on pages without TLS. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // TypeScript types `subtle` as always defined.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  const library = await import('@noble/hashes/sha2.js')
  return library.sha256(bytes)
}
