import type { Lane } from '../createGroupCommit.ts'

type Write = { address: string } & (
  | { kind: 'publish'; messages: readonly { publisher: string }[] }
  | { kind: 'subscribe' | 'unsubscribe'; clientId: string; topics: readonly unknown[] }
  | { kind: 'acknowledge'; clientId: string; receipts: readonly unknown[] }
)

/** Counts the messages, receipts or topics in a write to a store. */
export function countItems(write: Write): number {
  if (write.kind === 'publish') return write.messages.length
  return write.kind === 'acknowledge' ? write.receipts.length : write.topics.length
}

/** The sender of a write. A client's writes keep their order. */
export function laneOf(write: Write): Lane {
  const { address } = write
  if (write.kind !== 'publish') return { address, clientId: write.clientId }
  return { address, clientId: write.messages[0]?.publisher ?? '' }
}
