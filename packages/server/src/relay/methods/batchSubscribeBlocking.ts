import { Topic } from '@gatefold/protocol/relay'
import * as v from 'valibot'
import { RelayError, toErrorMember } from '../errors.ts'
import type { Handler } from './Handler.ts'
import { subscribeTopics } from './subscribeTopics.ts'

/**
 * `irn_batchSubscribeBlocking`: returns an id or an error for each topic, in order.
 *
 * @see docs/contracts/relay.md#methods
 */
export const irnBatchSubscribeBlocking: Handler<'irn_batchSubscribeBlocking'> = async (
  relay,
  call,
) => {
  const topics = call.params.topics.map((topic) => v.safeParse(Topic, topic))
  const valid = topics.filter(({ success }) => success).map(({ output }) => output as string)
  const ids = (await subscribeTopics(relay, call, valid)).values()
  return topics.map(({ success, issues }, index) => {
    if (success) return { id: ids.next().value! }
    const what = `topics.${index} ${issues[0].message}`
    return { error: toErrorMember(new RelayError('invalidPayload', 'InvalidTopic', what)) }
  })
}
