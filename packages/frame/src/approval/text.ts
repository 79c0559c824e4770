/** Amounts from here on are shown as unlimited: no token has that many units. */
export const unlimitedAmount = 2n ** 127n

/**
 * Shortens the name that a token's contract reports, which can be any text, to
 * one line of at most 16 characters.
 *
 * @param unnamed - what a token without a name is called
 */
export function label(symbol: string, unnamed: string): string {
  const plain = symbol.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').trim()
  return plain.length > 16 ? `${plain.slice(0, 15)}…` : plain || unnamed
}

/** An address with its middle omitted. */
export function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** The text of bytes; `undefined` if they are not UTF-8, or contain characters that are not safe to show. */
export function toText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Includes invisible characters and those that change the text direction,
    // which can make one text look like another.
    return /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/u.test(text.replaceAll(/[\n\r\t]/g, ''))
      ? undefined
      : text
  } catch {
    return undefined
  }
}

/** Text without invisible characters, except line feeds. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? '\n' : ''))
}
