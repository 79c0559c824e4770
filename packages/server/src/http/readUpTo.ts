/**
 * Reads a body, unless it is too large.
 *
 * @param onPart - awaited after each part, with its size in bytes.
 * @returns `undefined` if the body is larger than `maxBytes`; the rest of it is not read.
 */
export async function readUpTo(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  onPart?: (bytes: number) => Promise<unknown> | undefined,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) return undefined
    parts.push(part)
    await onPart?.(part.length)
  }
  return Buffer.concat(parts)
}
