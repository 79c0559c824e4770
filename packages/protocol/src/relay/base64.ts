/** Encodes bytes as base64 with padding, or as base64url without padding. @see RFC 4648 §4, §5 */
export function toBase64(bytes: Uint8Array, alphabet: 'base64' | 'base64url' = 'base64'): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const text = btoa(binary)
  return alphabet === 'base64'
    ? text
    : text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Decodes base64 and base64url, with or without padding. Ignores whitespace, as `atob` does.
 *
 * @throws {DOMException} for any other string
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
