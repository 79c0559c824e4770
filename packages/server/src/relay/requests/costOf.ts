import type { RelayMethod } from '@gatefold/protocol/relay'

/** Units of a rate limit: publishes, or topics and receipts. */
export type RequestCost = { kind: 'publish' | 'topic'; units: number }

/** What a request costs. Reads params that are not validated yet. */
export function costOf({ method, params }: { method: RelayMethod; params: unknown }): RequestCost {
  const [kind, counted] = costs[method]
  if (typeof counted === 'number') return { kind, units: counted }
  const list = (params as Record<string, unknown> | undefined | null)?.[counted]
  return { kind, units: Array.isArray(list) ? list.length : 1 }
}

/** Each watch is a transaction of its own, and its token a signature to check. */
const watchUnits = 50

/** The kind and number of units of each method, or the parameter whose entries count. */
const costs: Record<RelayMethod, [kind: RequestCost['kind'], counted: number | string]> = {
  irn_publish: ['publish', 1],
  irn_batchPublish: ['publish', 'messages'],
  irn_subscribe: ['topic', 1],
  irn_subscribeBlocking: ['topic', 1],
  irn_batchSubscribe: ['topic', 'topics'],
  irn_batchSubscribeBlocking: ['topic', 'topics'],
  irn_unsubscribe: ['topic', 1],
  irn_batchUnsubscribe: ['topic', 'subscriptions'],
  irn_fetchMessages: ['topic', 1],
  irn_batchFetchMessages: ['topic', 'topics'],
  irn_batchReceive: ['topic', 'receipts'],
  irn_watchRegister: ['topic', watchUnits],
  irn_watchUnregister: ['topic', watchUnits],
  wc_createTopic: ['topic', 1],
  wc_proposeSession: ['publish', 1],
  wc_approveSession: ['publish', 2],
}
