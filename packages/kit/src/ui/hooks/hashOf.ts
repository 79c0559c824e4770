/**
 * A number from a text, the same everywhere: texts that differ in one character differ here too. For
 * pictures; nothing may be kept safe with it.
 *
 * @returns 0 to 2³² − 1
 * @see FNV-1a, 32 bit
 */
export function hashOf(text: string): number {
  let hash = 2166136261
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
