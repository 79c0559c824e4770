import { RelayStorageError } from '../errors.ts'
import { PartialPublishError, type PublishOutcome, type UncertainOutcome } from './RelayDriver.ts'

/**
 * Maximum number of messages, receipts or topics in one write. Larger ones are split, so that the writes of other
 * clients fit between them.
 */
export const itemsPerWrite = 64

/** Divides items into groups of at most {@link itemsPerWrite}. */
export function splitItems<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / itemsPerWrite)
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * itemsPerWrite, (index + 1) * itemsPerWrite),
  )
}

/**
 * Publishes messages in parts.
 *
 * @param count - number of messages.
 * @param parts - the indexes of the messages of each part.
 * @param publish - publishes a part. Returns the outcome of each of its messages, in order.
 * @throws {PartialPublishError} if a part failed.
 * @returns an outcome for each message, in order.
 */
export async function publishParts(
  count: number,
  parts: readonly (readonly number[])[],
  publish: (indexes: readonly number[]) => Promise<PublishOutcome[]>,
): Promise<PublishOutcome[]> {
  const outcomes = Array<UncertainOutcome>(count).fill(undefined)
  const written = await Promise.allSettled(
    parts.map(async (indexes) => {
      try {
        const found = await publish(indexes)
        for (const [at, index] of indexes.entries()) outcomes[index] = found[at]!
      } catch (error) {
        if (error instanceof RelayStorageError && error.isUnsent)
          for (const index of indexes) outcomes[index] = 'unsent'
        throw error
      }
    }),
  )
  const failure = written.find((part) => part.status === 'rejected')
  if (failure) throw new PartialPublishError(outcomes, failure.reason)
  return outcomes as PublishOutcome[]
}

/** The size of messages with their attestations, in characters. */
export function sizeOf(
  messages: readonly { message: string; attestation?: string | undefined }[],
): number {
  let size = 0
  for (const { message, attestation } of messages)
    size += message.length + (attestation?.length ?? 0)
  return size
}
