import { limits } from '@gatefold/protocol'

import type { TransactionMark } from '../../connection/Adapter.ts'
import type { KitInstance } from '../../kit/Kit.ts'
import type { KeyValueStorage } from '../../storage/storage.ts'
import { imageOf, maxText, textOf } from '../fromGateway.ts'
import type { Transfer } from '../ActivityTransfer.ts'
import { pendingKey } from './pendingKey.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

/**
 * The transactions that this site submitted, newest first, in `localStorage`,
 * because a cookie would send them to the server. Every read parses the
 * storage, because other tabs write to it too. If the storage is full or
 * blocked, the list is kept in memory.
 *
 * @see spec §9.3.1; docs/threats.md#altered-page-storage
 */
export function createPendingStore(kit: KitInstance, storage: KeyValueStorage) {
  const key = pendingKey(kit)
  let memory: readonly PendingTransaction[] | undefined
  return {
    key,
    read(): readonly PendingTransaction[] {
      if (memory) return memory
      try {
        return parse(kit, storage.getItem(key), Date.now())
      } catch {
        return []
      }
    },
    write(list: readonly PendingTransaction[]): void {
      const kept = list.slice(0, limits.pendingTransactions)
      try {
        if (kept.length === 0) storage.removeItem(key)
        else storage.setItem(key, JSON.stringify(kept))
        memory = undefined
      } catch {
        memory = kept
      }
    },
  }
}

/** The valid entries of a stored list that are not too old. Another script of the page could have changed it. */
function parse(kit: KitInstance, text: string | null, now: number): readonly PendingTransaction[] {
  const list: unknown = JSON.parse(text ?? '[]')
  if (!Array.isArray(list)) return []
  return list
    .slice(0, limits.pendingTransactions)
    .flatMap((item) => toTransaction(kit, item) ?? [])
    .filter(
      ({ time, endedAt }) =>
        now - time < limits.pendingKeepMs &&
        (endedAt === undefined || now - endedAt < limits.pendingEndedKeepMs),
    )
}

const types = ['send', 'approve', 'trade', 'execute'] as const
const statuses = ['pending', 'confirmed', 'failed', 'canceled', 'replaced', 'dropped'] as const
const directions = ['in', 'out', 'self'] as const
/** Hashes and addresses of any chain family. */
const idText = /^[\w:.-]{1,128}$/
const decimalText = /^\d{1,90}(\.\d{1,90})?$/
const maxTransfers = 2
const maxEarlier = 10

function toTransaction(kit: KitInstance, value: unknown): PendingTransaction | undefined {
  const item = (value ?? {}) as { [key in keyof PendingTransaction]?: unknown }
  const { id, hash, account, networkId, to, time, transfers, earlier } = item
  const callsId = isCallsId(item.callsId) && isId(item.connectorId) ? item.callsId : undefined
  const type = types.find((one) => one === item.type)
  const status = statuses.find((one) => one === item.status)
  if (
    !(isId(id) || (callsId !== undefined && id === callsId)) ||
    !(isId(hash) || (callsId !== undefined && hash === undefined)) ||
    !isId(account) ||
    !isId(networkId) ||
    !isTime(time) ||
    !type ||
    !status ||
    !Array.isArray(transfers)
  )
    return undefined
  const moved = transfers
    .slice(0, maxTransfers)
    .flatMap((transfer) => toTransfer(kit, transfer) ?? [])
  const endedAt = isTime(item.endedAt) ? item.endedAt : undefined
  if (moved.length === 0 || (status === 'pending') !== (endedAt === undefined)) return undefined
  return {
    id,
    hash,
    ...(callsId !== undefined && { callsId, connectorId: item.connectorId as string }),
    type,
    status,
    account,
    networkId,
    to: isId(to) ? to : '',
    transfers: moved,
    time,
    endedAt,
    fee: typeof item.fee === 'string' && decimalText.test(item.fee) ? item.fee : undefined,
    reason: typeof item.reason === 'string' ? textOf(item.reason, 300) : undefined,
    earlier: Array.isArray(earlier) ? earlier.filter(isId).slice(0, maxEarlier) : [],
    cancelHash: isId(item.cancelHash) ? item.cancelHash : undefined,
    missingAt: isTime(item.missingAt) ? item.missingAt : undefined,
    mark: toMark(item.mark),
  }
}

function toTransfer(kit: KitInstance, value: unknown): Transfer | undefined {
  const item = (value ?? {}) as { [key in keyof Transfer]?: unknown }
  const direction = directions.find((one) => one === item.direction)
  const name = textOf(item.name, maxText.name)
  if (!direction || !name || typeof item.amount !== 'string' || !decimalText.test(item.amount))
    return undefined
  const image = imageOf(item.image, kit.options.endpoints.gateway)
  return { direction, name, amount: item.amount, isNft: item.isNft === true, image }
}

function toMark(value: unknown): TransactionMark | undefined {
  const { nonce, block, content } = (value ?? {}) as { [key in keyof TransactionMark]?: unknown }
  return isTime(nonce) && isTime(block) && isId(content) ? { nonce, block, content } : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && idText.test(value)
}

function isCallsId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= limits.callsIdLength
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
