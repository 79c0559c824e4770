/** The document in a `data:` URI. */
export type DataDocument = { bytes: Uint8Array<ArrayBuffer>; type: string }

/**
 * Parses a `data:` URI. More lenient than the standard, because contracts return URIs with characters that should be
 * escaped, such as `#` and line breaks, and with parameters such as `;utf8`.
 *
 * @returns `undefined` if the text is not a `data:` URI or the document is larger than `maxBytes`.
 */
export function parseDataUri(uri: string, maxBytes: number): DataDocument | undefined {
  const comma = uri.indexOf(',')
  // The escaped form of a byte has three characters.
  if (!/^data:/i.test(uri) || comma < 0 || uri.length > 3 * maxBytes + 200) return undefined
  const [type = '', ...parameters] = uri.slice('data:'.length, comma).toLowerCase().split(';')
  const body = uri.slice(comma + 1)
  const isBase64 = parameters.some((parameter) => parameter.trim() === 'base64')
  const bytes = new Uint8Array(Buffer.from(unescape(body), isBase64 ? 'base64' : 'utf8'))
  return bytes.length <= maxBytes ? { bytes, type: type.trim() } : undefined
}

/** Text with an invalid escape sequence is not escaped. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
