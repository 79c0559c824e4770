import type { StoredMessage } from '../RelayDriver.ts'

/** The result of the script `findWaiting` for a topic: 1 if more messages wait, then the found ones, oldest first. */
export type Found = [more: number, messages: [seq: number, bytes: number][]]

/** A message as the script `readMessages` returns it; `fields` alternates names and values. */
export type Entry = [
  topic: string,
  seq: string,
  fields: string[],
  message: string,
  attestation: string,
]

/** Encodes an empty attestation; an empty string means none. Valid attestations contain no NUL. */
const emptyAttestation = '\0'

/** Encodes an attestation for the scripts. */
export function toAttestationText(attestation: string | undefined): string {
  return attestation === '' ? emptyAttestation : (attestation ?? '')
}

function fromAttestationText(text: string): string | undefined {
  return text === emptyAttestation ? '' : text || undefined
}

export function fromEntry([topic, seq, fields, message, attestation]: Entry): StoredMessage {
  const [, id, , publisher, , tag, , publishedAt, , expiresAt] = fields
  return toMessage(topic, message, [
    seq,
    id!,
    publisher!,
    tag!,
    attestation,
    publishedAt!,
    expiresAt!,
  ])
}

/** Decodes the payload of a topic's channel: the length of a JSON array, a colon, the array, and the message's text. */
export function fromPayload(topic: string, payload: Buffer): StoredMessage {
  const start = payload.indexOf(':') + 1
  const end = start + Number(payload.toString('latin1', 0, start - 1))
  const head = JSON.parse(payload.toString('utf8', start, end)) as string[]
  return toMessage(topic, payload.toString('utf8', end), head)
}

function toMessage(topic: string, message: string, head: readonly string[]): StoredMessage {
  const [seq, id, publisher, tag, attestation, publishedAt, expiresAt] = head
  return {
    topic,
    id: id!,
    message,
    attestation: fromAttestationText(attestation!),
    tag: Number(tag),
    publisher: publisher!,
    seq: Number(seq),
    publishedAt: Number(publishedAt),
    expiresAt: Number(expiresAt),
  }
}

/** Selects the oldest messages from several mailboxes, without skipping any. */
export function pick(
  mailboxes: readonly { topic: string; found: Found }[],
  limits: { limit: number; bytes: number },
): { picked: { topic: string; seq: number }[]; hasMore: boolean } {
  const last = mailboxes.map(({ found: [more, messages] }) =>
    more === 1 ? (messages.at(-1)?.[0] ?? 0) : Infinity,
  )
  const bound = Math.min(Infinity, ...last)
  const all = mailboxes.flatMap(({ topic, found: [, messages] }) =>
    messages.map(([seq, bytes]) => ({ topic, seq, bytes })),
  )
  const picked: { topic: string; seq: number }[] = []
  let total = 0
  for (const { topic, seq, bytes } of all.toSorted((a, b) => a.seq - b.seq)) {
    total += bytes
    if (seq > bound || picked.length === limits.limit) break
    if (picked.length > 0 && total > limits.bytes) break
    picked.push({ topic, seq })
  }
  return { picked, hasMore: picked.length < all.length || bound < Infinity }
}
