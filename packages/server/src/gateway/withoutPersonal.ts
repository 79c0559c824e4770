const removed = '[removed]'

/** Longest text that is stored, in characters. */
const maxTextLength = 2_048

/** Names of properties that contain personal data, amounts or session secrets. */
const personalNames =
  /address|e-?mail|amount|balance|topic|pairing|uri|hash|token|secret|password|otp|phone|^(?:client_?id|user_?id|account|from|to|recipient)$/i

/** Words that identify a person or a session. */
const personalWords = [
  /^0x[0-9a-f]{40,}$/i, // EVM address, hash, key
  /^[0-9a-f]{64,}$/i, // topic, key, hash
  /^(?:bc1|tb1)[0-9a-z]{20,}$/i, // Bitcoin
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, // Solana
]

/**
 * A copy of a value without addresses, e-mails, topics and amounts, by name and by shape. Texts are cut off
 * at {@link maxTextLength}, values deeper than six levels are removed.
 *
 * The time is linear in the length: each pattern matches a run of characters once and is anchored or
 * free of nested repetition, so that no text makes it backtrack.
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

/** A text without what identifies a person or a session. */
export function removePersonal(text: string): string {
  return cutOff(text)
    .replace(/\bwc(?::|%3a)[^\s"']+/gi, removed) // pairing URI
    .replace(/[\w.+@%-]+/g, (run) => (isEmail(run) || isToken(run) ? removed : run))
    .replace(/\w+/g, (word) => (personalWords.some((form) => form.test(word)) ? removed : word))
}

/** A text of at most {@link maxTextLength} characters, cut between words: part of an address is personal. */
function cutOff(text: string): string {
  if (text.length <= maxTextLength) return text
  return /^.*[^\w.+@%-]/s.exec(text.slice(0, maxTextLength))?.[0] ?? ''
}

/** Whether a run of characters contains an e-mail address, also an encoded one. */
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
