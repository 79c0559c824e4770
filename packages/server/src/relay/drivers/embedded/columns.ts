import type { Receipt, StoredMessage } from '../RelayDriver.ts'
import type { Write } from './commitWrites.ts'

/**
 * Writes, as one array for each member of their objects. Sending these to a thread takes about a third of the time,
 * because the names of the members are not sent with every object.
 */
export type Columns = {
  writes: {
    kind: Write['kind'][]
    /** The client of each write that is not a publish. */
    clientId: (string | undefined)[]
    /** The number of messages, receipts or topics in each write. */
    count: number[]
  }
  messages: { [Member in keyof StoredMessage]-?: StoredMessage[Member][] }
  receipts: { [Member in keyof Receipt]-?: Receipt[Member][] }
  topics: string[]
}

export function toColumns(writes: readonly Write[]): Columns {
  const messages: StoredMessage[] = []
  const receipts: Receipt[] = []
  const topics: string[] = []
  const count = writes.map((write) => {
    if (write.kind === 'publish') return add(messages, write.messages)
    return write.kind === 'acknowledge' ? add(receipts, write.receipts) : add(topics, write.topics)
  })
  return {
    writes: {
      kind: writes.map(({ kind }) => kind),
      clientId: writes.map((write) => (write.kind === 'publish' ? undefined : write.clientId)),
      count,
    },
    messages: {
      topic: messages.map(({ topic }) => topic),
      id: messages.map(({ id }) => id),
      message: messages.map(({ message }) => message),
      attestation: messages.map(({ attestation }) => attestation),
      tag: messages.map(({ tag }) => tag),
      publisher: messages.map(({ publisher }) => publisher),
      charge: messages.map(({ charge }) => charge),
      seq: messages.map(({ seq }) => seq),
      publishedAt: messages.map(({ publishedAt }) => publishedAt),
      expiresAt: messages.map(({ expiresAt }) => expiresAt),
    },
    receipts: {
      topic: receipts.map(({ topic }) => topic),
      id: receipts.map(({ id }) => id),
      seq: receipts.map(({ seq }) => seq),
    },
    topics,
  }
}

export function fromColumns({ writes, messages, receipts, topics }: Columns): Write[] {
  let [message, receipt, topic] = [0, 0, 0]
  return writes.kind.map((kind, index): Write => {
    const count = writes.count[index]!
    const clientId = writes.clientId[index]!
    if (kind === 'publish')
      return { kind, messages: repeat(count, () => toMessage(messages, message++)) }
    if (kind === 'acknowledge')
      return { kind, clientId, receipts: repeat(count, () => toReceipt(receipts, receipt++)) }
    return { kind, clientId, topics: repeat(count, () => topics[topic++]!) }
  })
}

function toMessage(columns: Columns['messages'], index: number): StoredMessage {
  return {
    topic: columns.topic[index]!,
    id: columns.id[index]!,
    message: columns.message[index]!,
    attestation: columns.attestation[index],
    tag: columns.tag[index]!,
    publisher: columns.publisher[index]!,
    charge: columns.charge[index],
    seq: columns.seq[index]!,
    publishedAt: columns.publishedAt[index]!,
    expiresAt: columns.expiresAt[index]!,
  }
}

function toReceipt({ topic, id, seq }: Columns['receipts'], index: number): Receipt {
  return { topic: topic[index]!, id: id[index]!, seq: seq[index] }
}

/** Appends items to a list. @returns their number. */
function add<Item>(list: Item[], items: readonly Item[]): number {
  for (const item of items) list.push(item)
  return items.length
}

function repeat<Item>(count: number, next: () => Item): Item[] {
  const items: Item[] = []
  for (let left = count; left > 0; left -= 1) items.push(next())
  return items
}
