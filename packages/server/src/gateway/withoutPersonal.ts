const removed = '[removed]'

/** Maximum length of a stored string, in characters. */
const maxTextLength = 2_048

/** Names of properties that contain personal data, amounts or session secrets. */
const personalNames =
  /address|e-?mail|amount|balance|topic|pairing|uri|hash|token|secret|password|otp|phone|^(?:client_?id|user_?id|account|from|to|recipient)$/i

/** Words that identify a person or a session. Each has at least 23 characters. */
const personalWords = [
  /^0x[0-9a-f]{40,}$/i, // EVM address, hash, key
  /^[0-9a-f]{64,}$/i, // topic, key, hash
  /^(?:bc1|tb1)[0-9a-z]{20,}$/i, // Bitcoin
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, // Solana
]

/**
 * Copies a value without personal data, amounts and session secrets, which it recognizes by property name and
 * by pattern. Cuts strings off at {@link maxTextLength}, and removes values deeper than six levels.
 *
 * Runs in linear time: every pattern is anchored or has no nested repetition, so no input causes catastrophic
 * backtracking.
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
 * Removes the parts of a string that identify a person or a session, and NUL, which PostgreSQL does not store. Skips runs
 * of characters that are too short to match.
 */
export function removePersonal(text: string): string {
  return cutOff(text.replaceAll('\0', ''))
    .replace(/\bwc(?::|%3a)[^\s"']+/gi, removed) // pairing URI
    .replace(/[\w.+@%-]{5,}/g, (run) => (isEmail(run) || isToken(run) ? removed : run))
    .replace(/\w{23,}/g, (word) => (personalWords.some((form) => form.test(word)) ? removed : word))
}

/**
 * Shortens a string to at most {@link maxTextLength} characters. Cuts between words, because a truncated address
 * is still personal but no longer matches the patterns.
 */
function cutOff(text: string): string {
  if (text.length <= maxTextLength) return text
  return /^.*[^\w.+@%-]/s.exec(text.slice(0, maxTextLength))?.[0] ?? ''
}

/** Whether a run of characters contains an email address, which may be percent-encoded. */
function isEmail(run: string): boolean {
  return /[\w.+-](?:@|%40)[\w-]+\.[\w-]/i.test(run)
}

/** Whether a run of characters contains a JWT. */
function isToken(run: string): boolean {
  return run
    .split('.')
    .slice(0, -2)
    .some((segment) => /(?:^|\W)eyJ[\w-]/.test(segment))
}
