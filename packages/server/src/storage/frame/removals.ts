import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { addAudit } from './audit.ts'
import { endDevice, type DeviceEvent } from './sets.ts'
import type { FrameRemovalsTable } from './tables.ts'

export type StoredRemoval = Omit<FrameRemovalsTable, 'outcome'>

/** Stores the link in the notice of a new device. */
export async function addRemoval(db: Kysely<Database>, removal: StoredRemoval) {
  await db.insertInto('frame_removals').values(removal).execute()
}

/** The device that a mailed link can still remove. */
export async function findRemoval(db: Kysely<Database>, hash: string, now: number) {
  return db
    .selectFrom('frame_removals')
    .innerJoin('frame_devices', (join) =>
      join
        .onRef('frame_devices.user_id', '=', 'frame_removals.user_id')
        .onRef('frame_devices.id', '=', 'frame_removals.device_id'),
    )
    .innerJoin('frame_users', 'frame_users.id', 'frame_removals.user_id')
    .selectAll('frame_removals')
    .select(['frame_devices.name as device_name', 'frame_devices.created_at', 'frame_users.email'])
    .where('frame_removals.hash', '=', hash)
    .where('frame_removals.expires_at', '>', now)
    .where('frame_removals.outcome', 'is', null)
    .executeTakeFirst()
}

/** What a mailed link has done; `undefined` if it was not used, has expired, or the device has logged in again. */
export async function findRemovalOutcome(db: Kysely<Database>, hash: string, now: number) {
  const row = await db
    .selectFrom('frame_removals')
    .select('outcome')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('frame_sessions')
            .select('frame_sessions.id')
            .whereRef('frame_sessions.user_id', '=', 'frame_removals.user_id')
            .whereRef('frame_sessions.device_id', '=', 'frame_removals.device_id'),
        ),
      ),
    )
    .executeTakeFirst()
  return row?.outcome ?? undefined
}

/** Ends the sessions of a device and its links, but keeps its shares. Does nothing if the link was used before. */
export async function signOutDevice(
  db: Kysely<Database>,
  { linkHash, deviceName, ...event }: DeviceEvent & { linkHash: string; deviceName: string },
) {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('frame_removals')
      .set({ outcome: 'signed_out' })
      .where('hash', '=', linkHash)
      .where('outcome', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await endDevice(transaction, { ...event, linkHash })
    await addAudit(transaction, {
      user_id: event.userId,
      at: event.at,
      event: 'logout',
      device_name: deviceName,
      origin: event.origin,
    })
  })
}
