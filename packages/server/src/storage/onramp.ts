import type { OnrampOrderStatus } from '@gatefold/protocol/gateway'
import type { Kysely } from 'kysely'
import type { Database, OnrampOrdersTable } from './Database.ts'
import { deleteOldRows } from './deleteOldRows.ts'

/** An order. Amounts are decimal numbers, as text; times are Unix times in ms. */
export type StoredOrder = {
  /** Unguessable. */
  id: string
  projectId: string
  /** A keyed hash of the address of the client that created the order. */
  client: string
  provider: string
  status: OnrampOrderStatus
  /**
   * The step that the provider waits for while the status stays the same; empty
   * if none.
   */
  step: string
  /** Why the order failed, or empty. */
  reason: string
  /** CAIP-2 id. */
  chainId: string
  /** The receiving address. */
  account: string
  symbol: string
  paymentCurrency: string
  paymentTotal: string
  fee: string
  networkFee: string
  purchaseAmount: string
  /** Empty until it is known. */
  receivedAmount: string
  transactionHash: string
  /** The provider's own data about the order. */
  reference: string
  returnUrl: string
  /** The page on which it is paid; empty until the provider has created it. */
  url: string
  /** When the provider may be queried again, or when the sandbox pays out. */
  dueAt: number
  createdAt: number
  updatedAt: number
  expiresAt: number
}

/** The fields that can change after an order was created. */
export type OrderChange = Partial<
  Pick<
    StoredOrder,
    | 'status'
    | 'step'
    | 'reason'
    | 'receivedAmount'
    | 'transactionHash'
    | 'reference'
    | 'url'
    | 'dueAt'
  >
>

export async function addOrder(db: Kysely<Database>, order: StoredOrder) {
  await db.insertInto('onramp_orders').values(toRow(order)).execute()
}

export async function findOrder(
  db: Kysely<Database>,
  id: string,
): Promise<StoredOrder | undefined> {
  const row = await db
    .selectFrom('onramp_orders')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fromRow(row)
}

/**
 * Changes an order that still has the expected values. Only one of several concurrent callers with the same
 * expectation succeeds.
 *
 * @returns the changed order; `undefined` if it does not exist or has other values.
 */
export async function changeOrder(
  db: Kysely<Database>,
  id: string,
  expected: {
    status: readonly OnrampOrderStatus[]
    step?: string | undefined
    reference?: string | undefined
    dueAt?: number | undefined
    /** Only if the order can still be paid at this time. */
    payableAt?: number | undefined
  },
  change: OrderChange,
  now: number,
): Promise<StoredOrder | undefined> {
  const { status, step, reason, receivedAmount, transactionHash, reference, url, dueAt } = change
  const row = await db
    .updateTable('onramp_orders')
    .set({
      updated_at: now,
      ...(status !== undefined && { status }),
      ...(step !== undefined && { step }),
      ...(reason !== undefined && { reason }),
      ...(receivedAmount !== undefined && { received_amount: receivedAmount }),
      ...(transactionHash !== undefined && { transaction_hash: transactionHash }),
      ...(reference !== undefined && { reference }),
      ...(url !== undefined && { url }),
      ...(dueAt !== undefined && { due_at: dueAt }),
    })
    .where('id', '=', id)
    .where('status', 'in', expected.status)
    .$if(expected.step !== undefined, (query) => query.where('step', '=', expected.step!))
    .$if(expected.reference !== undefined, (query) =>
      query.where('reference', '=', expected.reference!),
    )
    .$if(expected.dueAt !== undefined, (query) => query.where('due_at', '=', expected.dueAt!))
    .$if(expected.payableAt !== undefined, (query) =>
      query.where('expires_at', '>', expected.payableAt!),
    )
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Deletes an order that no provider knows. */
export async function deleteOrder(db: Kysely<Database>, id: string) {
  await db.deleteFrom('onramp_orders').where('id', '=', id).execute()
}

/** The number of orders of a client, or of a project, that can still be paid. */
export async function countUnpaidOrders(
  db: Kysely<Database>,
  of: { client: string } | { projectId: string },
  now: number,
): Promise<number> {
  const [column, value] =
    'client' in of ? (['client', of.client] as const) : (['project_id', of.projectId] as const)
  const { count } = await db
    .selectFrom('onramp_orders')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where(column, '=', value)
    .where('status', '=', 'created')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The pending orders of a provider that are due, oldest first. */
export async function listDueOrders(
  db: Kysely<Database>,
  provider: string,
  now: number,
  max: number,
): Promise<StoredOrder[]> {
  const rows = await db
    .selectFrom('onramp_orders')
    .selectAll()
    .where('provider', '=', provider)
    .where('status', '=', 'pending')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(max)
    .execute()
  return rows.map(fromRow)
}

/** Marks the unpaid orders whose time is over as expired. */
export async function expireOrders(db: Kysely<Database>, now: number) {
  await db
    .updateTable('onramp_orders')
    .set({ status: 'expired', step: '', updated_at: now })
    .where('status', '=', 'created')
    .where('expires_at', '<=', now)
    .execute()
}

/** Deletes orders that did not change since a time, and the marks of webhooks that have expired. */
export async function deleteOrders(db: Kysely<Database>, changedBefore: number, now: number) {
  await deleteOldRows(db, { table: 'onramp_orders', column: 'updated_at', until: changedBefore })
  await deleteOldRows(db, { table: 'onramp_events', column: 'expires_at', until: now })
}

/** Marks a webhook as handled. @returns false if it was handled before. */
export async function useEvent(db: Kysely<Database>, id: string, expiresAt: number) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('onramp_events')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Removes the mark of a webhook that could not be handled, so that the provider can send it again. */
export async function releaseEvent(db: Kysely<Database>, id: string) {
  await db.deleteFrom('onramp_events').where('id', '=', id).execute()
}

function toRow(order: StoredOrder): OnrampOrdersTable {
  return {
    id: order.id,
    project_id: order.projectId,
    client: order.client,
    provider: order.provider,
    status: order.status,
    step: order.step,
    reason: order.reason,
    chain_id: order.chainId,
    account: order.account,
    symbol: order.symbol,
    payment_currency: order.paymentCurrency,
    payment_total: order.paymentTotal,
    fee: order.fee,
    network_fee: order.networkFee,
    purchase_amount: order.purchaseAmount,
    received_amount: order.receivedAmount,
    transaction_hash: order.transactionHash,
    reference: order.reference,
    return_url: order.returnUrl,
    url: order.url,
    due_at: order.dueAt,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    expires_at: order.expiresAt,
  }
}

function fromRow(row: OnrampOrdersTable): StoredOrder {
  return {
    id: row.id,
    projectId: row.project_id,
    client: row.client,
    provider: row.provider,
    status: row.status,
    step: row.step,
    reason: row.reason,
    chainId: row.chain_id,
    account: row.account,
    symbol: row.symbol,
    paymentCurrency: row.payment_currency,
    paymentTotal: row.payment_total,
    fee: row.fee,
    networkFee: row.network_fee,
    purchaseAmount: row.purchase_amount,
    receivedAmount: row.received_amount,
    transactionHash: row.transaction_hash,
    reference: row.reference,
    returnUrl: row.return_url,
    url: row.url,
    dueAt: row.due_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
}
