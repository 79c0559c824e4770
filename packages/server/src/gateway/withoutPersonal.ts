const removed = '[removed]'

/** Names of properties that hold personal data, amounts or session secrets. */
const personalNames =
  /^(?:.*(?:address|e-?mail|amount|balance|topic|pairing|uri|hash|token|secret|password|otp|phone).*|client_?id|user_?id|account|from|to|recipient)$/i

/** Texts that identify a person or a session. */
const personalTexts = [
  /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g, // e-mail
  /\b0x[0-9a-fA-F]{40,}\b/g, // EVM address, hash, key
  /\b[0-9a-fA-F]{64,}\b/g, // topic, key, hash
  /\b(?:bc1|tb1)[0-9a-z]{20,}\b/gi, // Bitcoin
  /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, // Solana
  /\bwc:[^\s"']+/g, // pairing URI
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, // JWT
]

/**
 * A copy of an event's properties without addresses, e-mails, topics and amounts, by name and by
 * shape. Values deeper than six levels are removed.
 *
 * @see docs/threats.md#analytics
 */
export function withoutPersonal(value: unknown, depth = 0): unknown {
  if (depth > 6) return removed
  if (typeof value === 'string')
    return personalTexts.reduce((text, form) => text.replace(form, removed), value)
  if (Array.isArray(value)) return value.map((item) => withoutPersonal(item, depth + 1))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      personalNames.test(name) ? removed : withoutPersonal(item, depth + 1),
    ]),
  )
}
