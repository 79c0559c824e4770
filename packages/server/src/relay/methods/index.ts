import type { RelayMethod } from '@gatefold/protocol/relay'
import type { Handler } from './Handler.ts'
import { wcApproveSession } from './approveSession.ts'
import { irnBatchPublish } from './batchPublish.ts'
import { irnBatchReceive } from './batchReceive.ts'
import { irnBatchSubscribe } from './batchSubscribe.ts'
import { irnBatchSubscribeBlocking } from './batchSubscribeBlocking.ts'
import { irnBatchUnsubscribe } from './batchUnsubscribe.ts'
import { wcCreateTopic } from './createTopic.ts'
import { irnBatchFetchMessages, irnFetchMessages } from './fetchMessages.ts'
import { wcProposeSession } from './proposeSession.ts'
import { irnPublish } from './publish.ts'
import { irnSubscribe } from './subscribe.ts'
import { irnUnsubscribe } from './unsubscribe.ts'
import { irnWatchRegister, irnWatchUnregister } from './watch.ts'

/** The handler of each method. */
export const handlers: { [Method in RelayMethod]: Handler<Method> } = {
  irn_publish: irnPublish,
  irn_batchPublish: irnBatchPublish,
  irn_subscribe: irnSubscribe,
  irn_subscribeBlocking: irnSubscribe,
  irn_batchSubscribe: irnBatchSubscribe,
  irn_batchSubscribeBlocking: irnBatchSubscribeBlocking,
  irn_unsubscribe: irnUnsubscribe,
  irn_batchUnsubscribe: irnBatchUnsubscribe,
  irn_fetchMessages: irnFetchMessages,
  irn_batchFetchMessages: irnBatchFetchMessages,
  irn_batchReceive: irnBatchReceive,
  irn_watchRegister: irnWatchRegister,
  irn_watchUnregister: irnWatchUnregister,
  wc_createTopic: wcCreateTopic,
  wc_proposeSession: wcProposeSession,
  wc_approveSession: wcApproveSession,
}
