/** Maximum nesting of JSON from clients. Encoding a deeper value can overflow the stack. */
export const maxJsonDepth = 100
/** Maximum number of values in one JSON text. Enough for a frame that unsubscribes from 50,000 topics. */
export const maxJsonValues = 200_000

/**
 * Parses JSON from a client. Checks the nesting and the number of values first, because `JSON.parse` needs a
 * second and 300 MB for four million brackets.
 *
 * @throws {SyntaxError} for text that is not JSON, is nested too deeply or has too many values.
 * @see docs/threats.md#malformed-requests
 */
export function parseJson(text: string): unknown {
  if (!isBounded(text))
    throw new SyntaxError('the JSON is nested too deeply or has too many values')
  return JSON.parse(text) as unknown
}

/** Whether JSON text has at most {@link maxJsonDepth} levels and {@link maxJsonValues} values. */
function isBounded(text: string): boolean {
  // Most texts have few brackets, also those in strings. Each value after the first needs a character before it.
  const isSmall = text.length < maxJsonValues
  if (isSmall && count(text, '{') + count(text, '[') <= maxJsonDepth) return true
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) return true // unterminated: `JSON.parse` throws
    } else if (code === comma) values += 1
    else if (code === bracket || code === brace) {
      values += 1
      depth += 1
    } else if (code === closingBracket || code === closingBrace) depth -= 1
    if (depth > maxJsonDepth || values > maxJsonValues) return false
  }
  return true
}

/** Counts a character in a text, up to one more than {@link maxJsonDepth}. */
function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    found += 1
    if (found > maxJsonDepth) break
  }
  return found
}

/** The position of the quotation mark that ends a string; -1 if there is none. */
export function endOfString(text: string, start: number): number {
  let at = start
  do at = text.indexOf('"', at + 1)
  while (at > 0 && isEscaped(text, at))
  return at
}

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text.charCodeAt(start - 1) === backslash) start -= 1
  return (at - start) % 2 === 1
}

const quote = 0x22
const comma = 0x2c
const bracket = 0x5b
const backslash = 0x5c
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d
