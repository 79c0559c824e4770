import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { deleteOldRows } from '../deleteOldRows.ts'
import type { FrameHandoversTable } from './tables.ts'

export type StoredHandover = FrameHandoversTable

/** Stores a handover and replaces the previous one of the device. */
export async function replaceHandover(db: Kysely<Database>, handover: StoredHandover) {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('frame_handovers')
      .where('user_id', '=', handover.user_id)
      .where('device_id', '=', handover.device_id)
      .execute()
    await transaction.insertInto('frame_handovers').values(handover).execute()
  })
}

/**
 * Assigns a handover to the first page that opens it. @returns undefined for
 * any other page.
 */
export async function openHandover(
  db: Kysely<Database>,
  { tokenHash, pageDeviceId, now }: { tokenHash: string; pageDeviceId: string; now: number },
): Promise<StoredHandover | undefined> {
  return db
    .updateTable('frame_handovers')
    .set({ page_device_id: pageDeviceId })
    .where('token_hash', '=', tokenHash)
    .where('page_device_id', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Stores the encrypted recovery key, once. @returns whether the page may do so. */
export async function putHandover(
  db: Kysely<Database>,
  put: { tokenHash: string; pageDeviceId: string; sealed: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('frame_handovers')
    .set({ sealed: put.sealed })
    .where('token_hash', '=', put.tokenHash)
    .where('page_device_id', '=', put.pageDeviceId)
    .where('sealed', 'is', null)
    .where('expires_at', '>', put.now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A handover of a device that has not expired. */
export async function findHandover(
  db: Kysely<Database>,
  { id, userId, deviceId, now }: { id: string; userId: string; deviceId: string; now: number },
) {
  return db
    .selectFrom('frame_handovers')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteHandover(db: Kysely<Database>, id: string) {
  await db.deleteFrom('frame_handovers').where('id', '=', id).execute()
}

export async function deleteExpiredHandovers(db: Kysely<Database>, now: number) {
  await deleteOldRows(db, { table: 'frame_handovers', column: 'expires_at', until: now })
}
