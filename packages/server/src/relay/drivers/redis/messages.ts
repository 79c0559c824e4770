import type { StoredMessage } from '../RelayDriver.ts'

/** What the script `find` tells of a topic: whether more waits, and numbers and bytes, oldest first. */
export type Found = [more: number, messages: [seq: number, bytes: number][]]

/** A message as the script `take` tells it: names and values of its fields in turn. */
export type Entry = [topic: string, seq: string, fields: string[]]

/** Stands for an attestation that is empty, since an empty text stands for none; no text holds it. */
const emptyAttestation = '\0'

/** An attestation as the scripts take it. */
export function toAttestationText(attestation: string | undefined): string {
  return attestation === '' ? emptyAttestation : (attestation ?? '')
}

function fromAttestationText(text: string): string | undefined {
  return text === emptyAttestation ? '' : text || undefined
}

export function fromEntry([topic, seq, fields]: Entry): StoredMessage {
  const [, id, , publisher, , tag, , attestation, , publishedAt, , expiresAt, , message] = fields
  const head = [seq, id!, publisher!, tag!, attestation!, publishedAt!, expiresAt!]
  return toMessage(topic, message!, head)
}

/** Reads what is told on a topic's channel: the length of a JSON list, the list, and the text. */
export function fromNews(topic: string, news: Buffer): StoredMessage {
  const start = news.indexOf(':') + 1
  const end = start + Number(news.toString('latin1', 0, start - 1))
  const head = JSON.parse(news.toString('utf8', start, end)) as string[]
  return toMessage(topic, news.toString('utf8', end), head)
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

/** Chooses the oldest of several mailboxes; what comes after something left out is left out too. */
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
