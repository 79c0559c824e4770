import type { RelayMethod, RelayResults } from '@gatefold/protocol/relay'
import { fromStore } from '../errors.ts'
import type { Call, Handler } from './Handler.ts'
import type { RelayContext } from '../RelayContext.ts'

/** Maximum messages in one response. */
const pageSize = 500

/** `irn_fetchMessages`: returns the waiting messages. They stay in the mailbox until `irn_batchReceive`. */
export const irnFetchMessages: Handler<'irn_fetchMessages'> = (relay, call) =>
  fetchMessages(relay, call, [call.params.topic])

/** `irn_batchFetchMessages`. */
export const irnBatchFetchMessages: Handler<'irn_batchFetchMessages'> = (relay, call) =>
  fetchMessages(relay, call, call.params.topics)

async function fetchMessages(
  { driver }: RelayContext,
  call: Call<RelayMethod>,
  topics: readonly string[],
): Promise<RelayResults['irn_fetchMessages']> {
  const { clientId } = call
  const page = await call.readInTurn((nextTurn) =>
    fromStore(driver.read({ clientId, topics, afterSeq: 0, limit: pageSize, nextTurn })),
  )
  if (!page) return { messages: [], hasMore: true }
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
