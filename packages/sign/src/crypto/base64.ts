/** Bytes as base64 with padding, or without and safe in a URL. @see RFC 4648 §4, §5 */
export function toBase64(bytes: Uint8Array, alphabet: 'base64' | 'base64url' = 'base64'): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const text = btoa(binary)
  return alphabet === 'base64'
    ? text
    : text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Reads both alphabets, with and without padding.
 *
 * @throws {DOMException} for anything else.
 */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
