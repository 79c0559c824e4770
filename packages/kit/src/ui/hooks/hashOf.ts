/**
 * A 32-bit FNV-1a hash of a string's code points, used to choose colors; not cryptographic.
 *
 * @returns 0 to 2³² − 1
 */
export function hashOf(text: string): number {
  let hash = 2166136261
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
