/**
 * Text of a stranger, such as the name of a token, as a label of one line. Removes what could hide or reorder the text
 * around it: control and format characters, such as those for direction, and line separators.
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
