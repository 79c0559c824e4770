import type { RelayResults } from '@gatefold/protocol/relay'
import type { Handler, RelayParts } from '../parts.ts'

/** Messages of one answer. */
const pageSize = 500

/** `irn_fetchMessages`: what waits for the caller. It stays until `irn_batchReceive`. */
export const irnFetchMessages: Handler<'irn_fetchMessages'> = (relay, { params, clientId }) =>
  fetchMessages(relay, clientId, [params.topic])

/** `irn_batchFetchMessages`. */
export const irnBatchFetchMessages: Handler<'irn_batchFetchMessages'> = (
  relay,
  { params, clientId },
) => fetchMessages(relay, clientId, params.topics)

async function fetchMessages(
  { driver }: RelayParts,
  clientId: string,
  topics: readonly string[],
): Promise<RelayResults['irn_fetchMessages']> {
  const page = await driver.read({ clientId, topics, afterSeq: 0, limit: pageSize })
  return {
    messages: page.messages.map(({ topic, message, publishedAt, tag, attestation }) => ({
      topic,
      message,
      publishedAt,
      tag,
      attestation,
    })),
    hasMore: page.hasMore,
  }
}
