/** First and last byte, inclusive. */
export type ByteRange = { first: number; last: number }

/**
 * Parses a `Range` header with a single byte range.
 *
 * @param size - Size of the file in bytes.
 * @returns `'unsatisfiable'` if the range contains no byte of the file. `undefined` for several ranges, other
 *   units or invalid syntax; the caller then sends the whole file, as RFC 9110 §14.2 allows.
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}
