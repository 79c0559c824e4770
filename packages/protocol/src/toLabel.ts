/**
 * Converts untrusted text, such as a token's name, to a one-line label. Removes
 * characters that could hide or reorder the text around it: control and format
 * characters, such as bidirectional controls, and line separators.
 *
 * @param maxLength - in UTF-16 code units; the rest is cut off.
 */
export function toLabel(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}
