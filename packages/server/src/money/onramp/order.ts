import { limits } from '@gatefold/protocol'
import type { OnrampOrder } from '@gatefold/protocol/gateway'
import { enter, type HttpContext } from '../../http/access.ts'
import { changeOrder, findOrder, type StoredOrder } from '../../storage/onramp.ts'
import { stored } from '../../storage/stored.ts'
import { json, refuse } from '../requests.ts'
import type { OnrampContext } from './createOnramp.ts'
import { ProviderError, type OnrampProvider, type StatusUpdate } from './OnrampProvider.ts'

const orderId = /^[\w-]{22}$/

/**
 * `GET /v1/onramp/orders/{id}`: the current state of an order, for the project
 * that created it. Queries the provider if the order is unfinished, at most
 * every five seconds.
 *
 * @see docs/contracts/gateway.md#on-ramp
 */
export function getOrder(context: OnrampContext) {
  return async (c: HttpContext): Promise<Response> => {
    const project = await enter(context, c)
    if (project instanceof Response) return project
    const order = await readOrder(context, c.req.param('id') ?? '')
    const provider = order && context.onramp.providers.get(order.provider)
    if (!provider || order.projectId !== project.id)
      return refuse(404, { field: 'id', description: 'the project has no order with this id' })
    const current = await refresh(context, provider, order)
    return json(toOrder(current, provider, context.now()))
  }
}

/** Finds an order by an id from a request. */
export async function readOrder(
  { storage }: OnrampContext,
  id: string,
): Promise<StoredOrder | undefined> {
  return orderId.test(id) ? stored(findOrder(storage.db, id)) : undefined
}

/**
 * Requests the status of an unfinished order from the provider, unless it was
 * requested just before. Failures of the provider are only logged.
 */
async function refresh(
  context: OnrampContext,
  provider: OnrampProvider,
  order: StoredOrder,
): Promise<StoredOrder> {
  const { now, onramp, storage } = context
  if (!provider.readStatus || isFinal(order) || order.dueAt > now()) return order
  // Only one of several concurrent requests queries the provider.
  const asking = await stored(
    changeOrder(
      storage.db,
      order.id,
      { status: [order.status], dueAt: order.dueAt },
      { dueAt: now() + limits.onrampStatusMs },
      order.updatedAt,
    ),
  )
  if (!asking) return order
  try {
    return (await updateFromProvider(context, provider, asking)) ?? asking
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    onramp.log.warn({ err: error }, 'an on-ramp provider did not report a status')
    return asking
  }
}

/**
 * Requests the status of an order from the provider, and stores it.
 *
 * @returns the changed order; `undefined` if nothing changed.
 * @throws {ProviderError} if the provider does not respond.
 */
export async function updateFromProvider(
  { now, storage }: OnrampContext,
  provider: OnrampProvider,
  order: StoredOrder,
): Promise<StoredOrder | undefined> {
  const update = await provider.readStatus?.(order)
  if (!update || update.status === order.status) return undefined
  return stored(changeOrder(storage.db, order.id, { status: unfinished }, toChange(update), now()))
}

/**
 * The states that can still change. A provider may report the payment of an
 * order that has already expired here, because visitors may still be on its
 * page.
 */
const unfinished = ['created', 'pending', 'expired'] as const

function isFinal({ status }: StoredOrder): boolean {
  return status === 'paid' || status === 'failed'
}

function toChange({ status, reason, receivedAmount, transactionHash }: StatusUpdate) {
  return {
    status,
    step: '',
    reason: reason ?? '',
    ...(receivedAmount !== undefined && { receivedAmount }),
    ...(transactionHash !== undefined && { transactionHash }),
  }
}

/** The order as clients read it. */
export function toOrder(order: StoredOrder, provider: OnrampProvider, now: number): OnrampOrder {
  const pay = (amount: string) => ({ amount, currency: order.paymentCurrency })
  const buy = (amount: string) => ({ amount, currency: order.symbol })
  const time = (ms: number) => new Date(ms).toISOString()
  const status = statusOf(order, now)
  return {
    id: order.id,
    status,
    ...(order.reason && { reason: order.reason }),
    provider: provider.id,
    providerName: provider.name,
    account: `${order.chainId}:${order.account}`,
    paymentTotal: pay(order.paymentTotal),
    fee: pay(order.fee),
    networkFee: pay(order.networkFee),
    purchaseAmount: buy(order.purchaseAmount),
    ...(order.receivedAmount && { receivedAmount: buy(order.receivedAmount) }),
    ...(order.transactionHash && { transactionHash: order.transactionHash }),
    ...(order.url && status === 'created' && { url: order.url }),
    createdAt: time(order.createdAt),
    updatedAt: time(order.updatedAt),
    expiresAt: time(order.expiresAt),
  }
}

/** The status at a given time. An unpaid order can expire before the job that stores this status runs. */
export function statusOf({ status, expiresAt }: StoredOrder, now: number): StoredOrder['status'] {
  return status === 'created' && expiresAt <= now ? 'expired' : status
}
