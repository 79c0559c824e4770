const removed = '[removed]'

/** Maximum length of a stored string, in characters. */
const maxTextLength = 2_048

/** Names of properties that contain personal data, amounts or session secrets. */
const personalNames =
  /address|e-?mail|amount|balance|topic|pairing|uri|hash|token|secret|password|otp|phone|^(?:client_?id|user_?id|account|from|to|recipient)$/i

/** Characters that separate words. Addresses, email addresses and tokens do not contain them. */
const separators = String.raw`\s"<>()[\]{}:;,=&?#\\|`
const lastSeparator = new RegExp(`^.*[${separators}]`, 's')
/** A slash is part of a TON address, so it separates words only in the search for email addresses and tokens. */
const words = new RegExp(`[^${separators}/]{5,}`, 'g')

/** TON addresses in base64url or base64. The first letters are the flags and the workchain. */
const tonAddresses = /(?<![0-9A-Za-z])[EUk0][Qf][\w+/-]{46}(?![0-9A-Za-z])/g

/**
 * Copies a value without personal data, amounts and session secrets, which it recognizes by property name and
 * by pattern. Cuts strings off at {@link maxTextLength}, and removes values deeper than six levels.
 *
 * Runs in linear time: no pattern has two ways to match the same text, so no input causes catastrophic backtracking.
 *
 * @see docs/threats.md#analytics
 */
export function withoutPersonal(value: unknown, depth = 0): unknown {
  if (depth > 6) return removed
  if (typeof value === 'string') return removePersonal(value)
  if (Array.isArray(value)) return value.map((item) => withoutPersonal(item, depth + 1))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      removePersonal(name),
      personalNames.test(name) ? removed : withoutPersonal(item, depth + 1),
    ]),
  )
}

/**
 * Removes the parts of a string that identify a person or a session, and NUL, which PostgreSQL does not store. Percent
 * escapes are decoded before the search. They are stored as they are if nothing is removed.
 */
export function removePersonal(text: string): string {
  const stored = cutOff(text.replaceAll('\0', ''))
  const decoded = decodeEscapes(stored)
  const kept = decoded
    .replace(/(?<![0-9a-z])wc:[^\s"']+/gi, removed) // pairing URI
    .replace(words, (word) => (hasEmail(word) || hasToken(word) ? removed : word))
    .replace(tonAddresses, removed)
    .replace(/[0-9a-z]{23,}/gi, (run) => (isAddress(run) ? removed : run))
  return kept === decoded ? stored : kept
}

/**
 * Shortens a string to at most {@link maxTextLength} characters. Cuts between words, because a truncated address
 * is still personal but no longer matches the patterns.
 */
function cutOff(text: string): string {
  if (text.length <= maxTextLength) return text
  return lastSeparator.exec(text.slice(0, maxTextLength))?.[0] ?? ''
}

/**
 * Decodes percent escapes of any number of levels: `%2525` is a percent sign that is encoded twice. Escapes that are
 * malformed or not UTF-8 stay as they are, as does NUL. Does not throw, because a text may have many invalid escapes
 * and exceptions are slow.
 */
function decodeEscapes(text: string): string {
  return text.replace(
    /%(?:25)*((?!00)[0-7][0-9a-f])|(?:%(?:25)*[89a-f][0-9a-f])+/gi,
    (escapes, ascii?: string) => {
      if (ascii) return String.fromCharCode(Number.parseInt(ascii, 16))
      const decoded = Buffer.from(escapes.replaceAll(/%(?:25)*/g, ''), 'hex').toString()
      return decoded.includes('\u{fffd}') ? escapes : decoded
    },
  )
}

/** Whether a word contains an email address. The dots are those of internationalized domain names. */
function hasEmail(word: string): boolean {
  return /[^@]@[^@.。．｡]+[.。．｡][^@.。．｡]/.test(word)
}

/** Whether a word contains a JWT. */
function hasToken(word: string): boolean {
  return word
    .split('.')
    .slice(0, -2)
    .some((segment) => /(?:^|\W)eyJ[\w-]/.test(segment))
}

/**
 * Whether a run of at least 23 letters and digits is an address, a hash or a key. Names in camel case, and hex of less
 * than 20 bytes, such as UUIDs without hyphens, are not.
 */
function isAddress(run: string): boolean {
  if (/^(?:bc1|tb1)/i.test(run)) return true // Bitcoin
  // Hex of at least 20 bytes, bech32 with any prefix, and base32. Other letters may come first, as in `acct0x…`.
  if (run.length >= 40 && /\d/.test(run)) return true
  const isBase58 = /^[1-9A-HJ-NP-Za-km-z]{26,}$/.test(run)
  return isBase58 && !/^(?:[a-z]*(?:[A-Z][a-z]+)*|[0-9a-f]+)$/.test(run)
}
