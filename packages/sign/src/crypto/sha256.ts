/** SHA-256 of WebCrypto; of a library, loaded then, on pages without TLS, which have none. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Standard libraries type it as always there.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  const library = await import('@noble/hashes/sha2.js')
  return library.sha256(bytes)
}
