/** Counts the messages, receipts or topics in a write to a store. */
export function countItems(
  write:
    | { kind: 'publish'; messages: readonly unknown[] }
    | { kind: 'subscribe' | 'unsubscribe'; topics: readonly unknown[] }
    | { kind: 'acknowledge'; receipts: readonly unknown[] },
): number {
  if (write.kind === 'publish') return write.messages.length
  return write.kind === 'acknowledge' ? write.receipts.length : write.topics.length
}
