import type { RelayMethod } from '@gatefold/protocol/relay'

/** Units of a rate limit. A `publish` unit is a message; a `topic` unit is a topic or a receipt. */
export type RequestCost = { kind: 'publish' | 'topic'; units: number }

/** The cost of an entry that is not a request. */
export const faultCost: RequestCost = { kind: 'topic', units: 1 }

/** Returns the cost of a request. Its params are not validated yet. */
export function costOf({ method, params }: { method: RelayMethod; params: unknown }): RequestCost {
  const [kind, counted] = costs[method]
  if (typeof counted === 'number') return { kind, units: counted }
  const list = (params as Record<string, unknown> | undefined | null)?.[counted]
  return { kind, units: Array.isArray(list) ? list.length : 1 }
}

/** Units of a watch request. It is expensive: a separate transaction and a signature check. */
const watchUnits = 50

/** For each method: the kind of units, and their number or the parameter whose entries are counted. */
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
