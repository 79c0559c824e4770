/** Bitcoin's alphabet, which Solana uses for addresses, signatures and transactions. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Encodes bytes as base58. */
export function encodeBase58(bytes: Uint8Array): string {
  return convert([...bytes], 256, 58)
    .map((digit) => alphabet[digit])
    .join('')
}

/**
 * Decodes base58.
 *
 * @throws {RangeError} the text has a character that is not in the alphabet
 */
export function decodeBase58(text: string): Uint8Array {
  const digits = Array.from(text, (character) => alphabet.indexOf(character))
  if (digits.includes(-1)) throw new RangeError('The text is not base58.')
  return Uint8Array.from(convert(digits, 58, 256))
}

/** Converts the digits of a number, most significant first. Each leading zero stays one digit. */
function convert(digits: readonly number[], from: number, to: number): number[] {
  const zeros = digits.findIndex((digit) => digit !== 0)
  if (zeros === -1) return [...digits]
  const reversed: number[] = []
  for (const digit of digits) {
    let carry = digit
    for (let index = 0; index < reversed.length; index += 1) {
      carry += reversed[index]! * from
      reversed[index] = carry % to
      carry = Math.floor(carry / to)
    }
    for (; carry > 0; carry = Math.floor(carry / to)) reversed.push(carry % to)
  }
  return [...Array.from({ length: zeros }, () => 0), ...reversed.toReversed()]
}
