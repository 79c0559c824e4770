import { defaultStorage } from '../../storage/storage.ts'
import type { KeyValueStorage } from '../../storage/storage.ts'
import type { KitInstance } from '../../kit/Kit.ts'

/** An order whose outcome the visitor has not seen. */
export type RememberedOrder = {
  id: string
  /** The receiving account, as a CAIP-10 address. */
  account: string
}

/** How many orders are kept. */
const maxOrders = 5

/**
 * The orders whose outcome the visitor has not seen, newest first. Only ids are
 * stored; the payment page comes from the gateway, because another script of
 * the page could replace a stored link. Stored in `localStorage`, because a
 * cookie would send the ids to the server.
 *
 * @see docs/threats.md#diverted-payment
 */
export function readOrders(
  kit: KitInstance,
  storage: KeyValueStorage = defaultStorage(),
): readonly RememberedOrder[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(keyOf(kit)) ?? '[]')
    return Array.isArray(list) ? list.filter(isOrder).slice(0, maxOrders) : []
  } catch {
    return []
  }
}

export function addOrder(
  kit: KitInstance,
  order: RememberedOrder,
  storage: KeyValueStorage = defaultStorage(),
): void {
  write(kit, [order, ...readOrders(kit, storage)].slice(0, maxOrders), storage)
}

/** Removes an order once the visitor has seen its outcome. */
export function forgetOrder(
  kit: KitInstance,
  id: string,
  storage: KeyValueStorage = defaultStorage(),
): void {
  const rest = readOrders(kit, storage).filter((order) => order.id !== id)
  write(kit, rest, storage)
}

function write(
  kit: KitInstance,
  orders: readonly RememberedOrder[],
  storage: KeyValueStorage,
): void {
  try {
    storage.setItem(keyOf(kit), JSON.stringify(orders))
  } catch {
    // Without storage, the order is lost on a reload. The provider still has
    // it.
  }
}

function isOrder(value: unknown): value is RememberedOrder {
  const { id, account } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && /^[\w-]{8,64}$/.test(id) && typeof account === 'string'
}

/** Orders belong to a project of the gateway. */
const keyOf = ({ options }: KitInstance) =>
  [options.storageKey, 'onramp', ...(options.projectId ? [options.projectId] : [])].join('.')
