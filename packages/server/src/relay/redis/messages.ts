import type { StoredMessage } from '../driver.ts'

/** An entry of a topic's stream: its id, and names and values in turn. */
export type Entry = [id: string, fields: string[]]

/** What waits on one topic, oldest first. */
export type Mailbox = { messages: StoredMessage[]; hasMore: boolean }

/** Reads a part of what the script `read` tells. */
export function fromEntry(topic: string, [more, entries]: [number, Entry[]]): Mailbox {
  const messages = entries.map(([entryId, fields]) => {
    const [, id, , publisher, , tag, , attestation, , publishedAt, , expiresAt, , message] = fields
    const seq = entryId.slice(0, entryId.indexOf('-'))
    const head = [seq, id!, publisher!, tag!, attestation!, publishedAt!, expiresAt!]
    return toMessage(topic, message!, head)
  })
  return { messages, hasMore: more === 1 }
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
    attestation: attestation || undefined,
    tag: Number(tag),
    publisher: publisher!,
    seq: Number(seq),
    publishedAt: Number(publishedAt),
    expiresAt: Number(expiresAt),
  }
}

/** One list of several mailboxes, oldest first; what comes after something left out is left out too. */
export function merge(
  mailboxes: readonly Mailbox[],
  limits: { limit: number; bytes: number },
): Mailbox {
  const last = mailboxes.map(({ messages, hasMore }) =>
    hasMore ? (messages.at(-1)?.seq ?? 0) : Infinity,
  )
  const bound = Math.min(Infinity, ...last)
  const all = mailboxes.flatMap(({ messages }) => messages)
  const messages: StoredMessage[] = []
  let bytes = 0
  for (const message of all.toSorted((a, b) => a.seq - b.seq)) {
    bytes += Buffer.byteLength(message.message)
    if (message.seq > bound || messages.length === limits.limit) break
    if (messages.length > 0 && bytes > limits.bytes) break
    messages.push(message)
  }
  return { messages, hasMore: messages.length < all.length || bound < Infinity }
}
